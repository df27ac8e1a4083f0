import CairnQuery
import CairnValues

extension Query where T: _QueryCollection {
  /// Tests whether the collection contains the element.
  public func contains(_ element: T._QueryElement) -> Query<Bool> {
    compared(.equal, value: element)
  }

  /// Tests whether the collection contains at least one of the elements.
  public func containsAny<Elements: Sequence>(
    in elements: Elements
  ) -> Query<Bool> where Elements.Element == T._QueryElement {
    isIn(Array(elements))
  }

  /// The number of elements.
  public var count: Query<Int> {
    Query<Int>(.subject(.count(path)), in: session)
  }

  /// Tests whether the collection is empty.
  public var isEmpty: Query<Bool> { count == 0 }
}

// MARK: Aggregates

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// The least element, or null if the collection is empty.
  public var min: Query<T._QueryElement> { aggregate(.min) }
  /// The greatest element, or null if the collection is empty.
  public var max: Query<T._QueryElement> { aggregate(.max) }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// The sum of the elements, or 0 if the collection is empty.
  public var sum: Query<T._QueryElement> { aggregate(.sum) }
  /// The mean of the elements, or null if the collection is empty.
  public var avg: Query<Double> { aggregate(.avg) }
}

extension Query where T: _Persistable, T.PersistedType: _QueryNumeric {
  /// The least value of the property in the collection on the path.
  public var min: Query<T> { aggregate(.min) }
  /// The greatest value of the property in the collection on the path.
  public var max: Query<T> { aggregate(.max) }
}

extension Query where T: _Persistable, T.PersistedType: _QueryNumeric {
  /// The sum of the values of the property in the collection on the path.
  public var sum: Query<T> { aggregate(.sum) }
  /// The mean of the values of the property in the collection on the path.
  public var avg: Query<Double> { aggregate(.avg) }
}

extension Query where T == Decimal128 {
  /// The mean of the values of the property in the collection on the path.
  public var avg: Query<Decimal128> { aggregate(.avg) }
}

extension Query where T: _QueryCollection, T._QueryElement == Decimal128 {
  /// The mean of the elements, or null if the collection is empty.
  public var avg: Query<Decimal128> { aggregate(.avg) }
}

extension Query {
  private func aggregate<V>(_ function: AggregateFunction) -> Query<V> {
    Query<V>(.subject(.aggregate(function, path)), in: session)
  }
}

// MARK: Maps

extension Query where T: _QueryMap {
  /// The value in the map for a key, or null if the map does not contain the key.
  public subscript(key: String) -> Query<T._QueryElement> {
    extending { $0.appendMapKey(key) }
  }

  /// The keys. A condition matches if any key meets it.
  public var keys: Query<String> {
    extending { $0.append(.allKeys) }
  }

  /// The values. A condition matches if any value meets it.
  public var values: Query<T._QueryElement> {
    extending { $0.append(.allValues) }
  }
}

// MARK: Equality

extension Query where T: _QueryCollection, T._QueryElement: _Persistable {
  /// Tests whether any element equals the value.
  ///
  ///     dogs.where { $0.scores == 5 }
  public static func == (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.anyElement(.equal, value: value)
  }

  /// Tests whether any element differs from the value; false for an empty collection.
  public static func != (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.anyElement(.notEqual, value: value)
  }
}

// MARK: Order

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryOrdered
{
  /// Tests whether any element is greater than the value.
  public static func > (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.greater, value: value)
  }

  /// Tests whether any element is greater than or equal to the value.
  public static func >= (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.greaterOrEqual, value: value)
  }

  /// Tests whether any element is less than the value.
  public static func < (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.less, value: value)
  }

  /// Tests whether any element is less than or equal to the value.
  public static func <= (query: Query<T>, value: T._QueryElement) -> Query<Bool> {
    query.compared(.lessOrEqual, value: value)
  }
}

extension Query {
  /// Creates a condition on any element of the collection.
  ///
  /// For elements that are stored as objects, a single element must have all members of the value,
  /// so the condition becomes a subquery.
  private func anyElement(_ operation: ComparisonOperator, value: Any?) -> Query<Bool> {
    guard let members = Query.members(of: value) else { return compared(operation, value: value) }
    let conditions = members.map { member -> Query<Bool> in
      let query: Query<Bool> = extending { $0.append(.property(member.name)) }
      return query.compared(operation, value: member.value)
    }
    guard let first = conditions.first else { return compared(operation, value: nil) }
    let rest = conditions.dropFirst()
    if operation == .notEqual { return rest.reduce(first) { $0 || $1 } }
    return rest.reduce(first) { $0 && $1 }.count > 0
  }
}

// MARK: Averages

// The preferred `avg` is a `Query<Double>`. The overloads below apply where the context needs
// another type. Their additional constraint, which every number satisfies, gives them a signature
// of their own.

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable & RealmCollectionValue,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// The mean of the elements as their own type, for comparisons with values of that type; null if
  /// the collection is empty.
  @_disfavoredOverload
  public var avg: Query<T._QueryElement> {
    Query<T._QueryElement>(.subject(.aggregate(.avg, path)), in: session)
  }
}

extension Query where T: _Persistable & RealmCollectionValue, T.PersistedType: _QueryNumeric {
  /// The mean of the values of the property in the collection on the path, as their own type, for
  /// comparisons with values of that type.
  @_disfavoredOverload
  public var avg: Query<T> { Query(.subject(.aggregate(.avg, path)), in: session) }
}

extension Query where T == AnyRealmValue {
  /// The element at an index, if the value is a list; null otherwise or beyond the end.
  public subscript(position: Int) -> Query<AnyRealmValue> {
    extending { $0.append(.index(position)) }
  }

  /// The value for a key, if the value is a map; null otherwise or for a missing key.
  public subscript(key: String) -> Query<AnyRealmValue> {
    extending { $0.append(.key(key)) }
  }

  /// The elements of a list or the values of a map. A condition matches if any of them meets it.
  public var any: Query<AnyRealmValue> {
    extending { $0.append(.anyElement) }
  }
}

extension AnyRealmValue: _QueryNumeric, _QueryText {}
