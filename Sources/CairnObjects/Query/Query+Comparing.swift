import CairnQuery
import CairnValues

extension Query where T: _Persistable {
  /// Equal to the value; `nil` is null.
  public static func == (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.equal, value)
  }

  /// Anything but the value, null included.
  public static func != (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.notEqual, value)
  }

  /// Equal to the other property.
  public static func == <U: _Persistable>(query: Query<T>, other: Query<U>) -> Query<Bool> {
    query.compared(.equal, other)
  }

  /// Not equal to the other property.
  public static func != <U: _Persistable>(query: Query<T>, other: Query<U>) -> Query<Bool> {
    query.compared(.notEqual, other)
  }
}

extension Query where T: _Persistable, T.PersistedType: _QueryOrdered {
  /// Greater than the value; never for null.
  public static func > (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greater, value)
  }

  /// Greater than the value or equal to it.
  public static func >= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.greaterOrEqual, value)
  }

  /// Less than the value; never for null.
  public static func < (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.less, value)
  }

  /// Less than the value or equal to it.
  public static func <= (query: Query<T>, value: T) -> Query<Bool> {
    query.compared(.lessOrEqual, value)
  }

  /// Greater than the other property.
  public static func > <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.greater, other)
  }

  /// Greater than the other property or equal to it.
  public static func >= <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.greaterOrEqual, other)
  }

  /// Less than the other property.
  public static func < <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.less, other)
  }

  /// Less than the other property or equal to it.
  public static func <= <U: _Persistable>(
    query: Query<T>, other: Query<U>
  ) -> Query<Bool> where U.PersistedType: _QueryOrdered {
    query.compared(.lessOrEqual, other)
  }
}

extension Query where T: _Persistable {
  /// Equal to one of the values.
  public func `in`<Values: Sequence>(_ values: Values) -> Query<Bool> where Values.Element == T {
    isIn(Array(values))
  }
}

extension Query {
  /// Equal to one of the values; those that are stored as objects are compared member by member.
  func isIn(_ values: [Any]) -> Query<Bool> {
    let members = values.compactMap { memberwise($0) ?? nested($0) }
    let others = values.filter { memberwise($0) == nil && nested($0) == nil }.map { constant($0) }
    let simple = leaf { .isIn($0, others, []) }
    if members.isEmpty { return simple }
    return members.reduce(simple) { $0 || $1 }
  }

  /// The condition that a mixed value is a list or a map; nil for other values.
  private func nested(_ value: Any?) -> Query<Bool>? {
    (Bridge.unwrapped(value) as? AnyRealmValue)?.collection(in: session).map { collection in
      leaf { .compare($0, .equal, .collection(collection), []) }
    }
  }

  /// What a value stands for in a tree.
  func constant(_ value: Any?) -> Value {
    if let constant = QueryConstant.value(of: value, in: session) { return constant }
    programmingError(
      "A value of type \(Swift.type(of: Bridge.unwrapped(value) ?? ())) cannot be compared with in a query."
    )
  }

  func compared(
    _ operation: ComparisonOperator, _ value: Any?, _ options: StringOptions = []
  ) -> Query<Bool> {
    if !operation.isOrder, let members = memberwise(value, isEqual: operation == .equal) {
      return members
    }
    if !operation.isOrder, options.isEmpty,
      let collection = (Bridge.unwrapped(value) as? AnyRealmValue)?.collection(in: session)
    {
      return leaf { .compare($0, operation, .collection(collection), []) }
    }
    let value = constant(value)
    return leaf { .compare($0, operation, .value(value), options) }
  }

  func compared<U>(
    _ operation: ComparisonOperator, _ other: Query<U>, _ options: StringOptions = []
  ) -> Query<Bool> {
    pair(with: other) { .compare($0, operation, .subject($1), options) }
  }

  /// A condition on two properties.
  func pair<U>(
    with other: Query<U>, _ node: @escaping (Subject, Subject) -> Node
  ) -> Query<Bool> {
    if case .path(let a) = subject, case .path(let b) = other.subject, a.isMany, b.isMany {
      programmingError("Comparing two collection columns is not permitted.")
    }
    return Query<Bool>(.condition(.pair(subject, other.subject, node)), in: session)
  }
}
