import CairnQuery
import CairnStorage
import CairnValues

extension Query where T: _Persistable {
  /// Tests whether the property equals the value; `nil` means null.
  public static func == (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.equal, value: value)
  }

  /// Tests whether the property differs from the value. Null differs from every other value.
  public static func != (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.notEqual, value: value)
  }

  /// Tests whether the property equals another property.
  public static func == <U: _Persistable>(query: Query<T>, other: Query<U>) -> Query<Bool> {
    query.compared(.equal, other: other)
  }

  /// Tests whether the property differs from another property.
  public static func != <U: _Persistable>(query: Query<T>, other: Query<U>) -> Query<Bool> {
    query.compared(.notEqual, other: other)
  }
}

extension Query where T: _Persistable, T.PersistedType: _QueryOrdered {
  /// Tests whether the property is greater than the value; false for null.
  public static func > (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greater, value: value)
  }

  /// Tests whether the property is greater than or equal to the value.
  public static func >= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greaterOrEqual, value: value)
  }

  /// Tests whether the property is less than the value; false for null.
  public static func < (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.less, value: value)
  }

  /// Tests whether the property is less than or equal to the value.
  public static func <= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.lessOrEqual, value: value)
  }

  /// Tests whether the property is greater than another property.
  public static func > <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.greater, other: other)
  }

  /// Tests whether the property is greater than or equal to another property.
  public static func >= <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.greaterOrEqual, other: other)
  }

  /// Tests whether the property is less than another property.
  public static func < <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.less, other: other)
  }

  /// Tests whether the property is less than or equal to another property.
  public static func <= <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.lessOrEqual, other: other)
  }
}

extension Query where T: _Persistable {
  /// Tests whether the property equals one of the values.
  public func `in`<Values: Sequence>(_ values: Values) -> Query<Bool> where Values.Element == T {
    isIn(Array(values))
  }
}

extension Query {
  /// Tests whether the property equals one of the values. Values that are stored as objects are
  /// compared member by member.
  func isIn(_ values: [Any]) -> Query<Bool> {
    let members = values.compactMap { memberwise($0) ?? nested($0) }
    let others = values.filter { memberwise($0) == nil && nested($0) == nil }.map { constant($0) }
    let simple = comparison { .isIn($0, others, []) }
    if members.isEmpty { return simple }
    return members.reduce(simple) { $0 || $1 }
  }

  /// Returns the condition that a mixed value equals a list or a map, or nil for other values.
  private func nested(_ value: Any?) -> Query<Bool>? {
    (Bridge.unwrapped(value) as? AnyRealmValue)?.collection(in: session).map { collection in
      comparison { .compare($0, .equal, .collection(collection), []) }
    }
  }

  /// Converts a value to a constant of the predicate tree.
  func constant(_ value: Any?) -> Value {
    if let constant = QueryConstant.value(of: value, in: session) { return constant }
    programmingError(
      "A query cannot compare with a value of type "
        + "\(Swift.type(of: Bridge.unwrapped(value) ?? ())).")
  }

  func compared(
    _ operation: ComparisonOperator, value: Any?, options: StringOptions = []
  ) -> Query<Bool> {
    if !operation.isOrder, let members = memberwise(value, isEqual: operation == .equal) {
      return members
    }
    if !operation.isOrder, options.isEmpty,
      let collection = (Bridge.unwrapped(value) as? AnyRealmValue)?.collection(in: session)
    {
      return comparison { .compare($0, operation, .collection(collection), []) }
    }
    let value = constant(value)
    return comparison { .compare($0, operation, .value(value), options) }
  }

  func compared<U>(
    _ operation: ComparisonOperator, other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    pair(with: other) { .compare($0, operation, .expression($1), options) }
  }

  /// Creates a condition on two properties.
  func pair<U>(
    with other: Query<U>, _ node: @escaping (Expression, Expression) -> PredicateNode
  ) -> Query<Bool> {
    if case .path(let a) = subject, case .path(let b) = other.subject, a.isMany, b.isMany {
      programmingError("Comparing two collection columns is not permitted.")
    }
    return Query<Bool>(.condition(.pair(subject, other.subject, node)), in: session)
  }
}

/// Custom values that are stored as embedded objects. They are equal if all members are.
extension Query {
  /// Returns the condition that the stored object has, or does not have, the members of the value,
  /// or nil for values that are not stored as objects.
  func memberwise(_ value: Any?, isEqual: Bool = true) -> Query<Bool>? {
    guard let custom = Bridge.unwrapped(value) as? any FailableCustomPersistable,
      let object = custom.persistableValue as? EmbeddedObject
    else { return nil }
    let members: [Query<Bool>] = Query.members(of: object).map { member in
      let query: Query<Bool> = extending { $0.append(.property(member.name)) }
      return query.compared(.equal, value: member.value)
    }
    guard !path.isMany else { return anyElement(members, isEqual: isEqual) }
    let isThere = comparison { .compare($0, .notEqual, .value(.null), []) }
    let equal = members.reduce(isThere) { $0 && $1 }
    return isEqual ? equal : !equal
  }

  /// Returns the condition on the elements of the collections on the path: all members of one
  /// element are equal, or some member of one element differs.
  private func anyElement(_ members: [Query<Bool>], isEqual: Bool) -> Query<Bool> {
    let all = Query<Bool>(.condition(.constant(true)), in: session)
    let equal = members.reduce(all) { $0 && $1 }
    // Finding an object takes one subquery for each collection; the last collection holds the
    // objects.
    let found = path.toManySteps.reduce(isEqual ? equal : !equal) { condition, _ in
      condition.count > 0
    }
    guard !isEqual, T.self is any _QueryOptional.Type else { return found }
    return found || comparison { .compare($0, .equal, .value(.null), []) }
  }

  /// Returns the members of a value that is stored as an object, or nil for other values.
  static func members(of value: Any?) -> [(name: String, value: Any)]? {
    let custom = Bridge.unwrapped(value) as? any FailableCustomPersistable
    return (custom?.persistableValue as? EmbeddedObject).map { members(of: $0) }
  }

  private static func members(of object: EmbeddedObject) -> [(name: String, value: Any)] {
    let layout = ObjectLayout.of(type(of: object))
    return layout.properties.map { property in
      guard property.kind.target == nil, property.kind.collection == .none else {
        programmingError(
          "Objects of class '\(layout.className)' cannot be compared member by member: "
            + "'\(property.name)' is a link or a collection.")
      }
      return (property.name, property.wrapper.read(property.pointer(in: object), row: object.row))
    }
  }
}
