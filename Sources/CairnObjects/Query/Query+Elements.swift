import CairnQuery

// MARK: Equality

extension Query where T: _QueryCollection, T._QueryElement: _Persistable {
  /// Any element is equal to the value.
  ///
  ///     dogs.where { $0.scores == 5 }
  public static func == (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.anyElement(.equal, value)
  }

  /// Any element is not equal to the value; an empty collection has no such element.
  public static func != (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.anyElement(.notEqual, value)
  }
}

// MARK: Order

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryOrdered
{
  /// Any element is greater than the value.
  public static func > (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.greater, value)
  }

  /// Any element is greater than the value or equal to it.
  public static func >= (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }

  /// Any element is less than the value.
  public static func < (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.less, value)
  }

  /// Any element is less than the value or equal to it.
  public static func <= (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.lessOrEqual, value)
  }
}

extension Query {
  /// A condition on any element of the collection.
  ///
  /// Of an element that is stored as an object, one and the same element has all members of the value: a subquery.
  private func anyElement(_ operation: ComparisonOperator, _ value: Any?) -> Query<Bool> {
    guard let members = Query.members(of: value) else { return compared(operation, value) }
    let conditions = members.map { member -> Query<Bool> in
      let query: Query<Bool> = going { $0.append(.property(member.name)) }
      return query.compared(operation, member.value)
    }
    guard let first = conditions.first else { return compared(operation, nil) }
    let rest = conditions.dropFirst()
    if operation == .notEqual { return rest.reduce(first) { $0 || $1 } }
    return rest.reduce(first) { $0 && $1 }.count > 0
  }
}

// MARK: Averages

// The preferred `avg` is a `Query<Double>`. These are asked for where a value of another type is at hand. They name one
// constraint more, which all numbers meet: a second property needs a signature of its own.

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable & RealmCollectionValue,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// The mean of the elements, to compare with a value of their own type; null when there is none.
  @_disfavoredOverload
  public var avg: Query<T._QueryElement> {
    Query<T._QueryElement>(.subject(.aggregate(.avg, path)), in: session)
  }
}

extension Query where T: _Persistable & RealmCollectionValue, T.PersistedType: _QueryNumeric {
  /// The mean of the values of the elements of the collection on the way, to compare with a value of their own type.
  @_disfavoredOverload
  public var avg: Query<T> { Query(.subject(.aggregate(.avg, path)), in: session) }
}
