import CairnQuery
import CairnValues

extension Query where T == Bool {
  /// Both conditions.
  public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.condition(.all(a.condition, b.condition)), in: a.session)
  }

  /// One of the conditions, or both.
  public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
    Query(.condition(.any(a.condition, b.condition)), in: a.session)
  }

  /// Not the condition; of a property, that it is false.
  public static prefix func ! (query: Query<Bool>) -> Query<Bool> {
    switch query.form {
    case .condition(let condition): Query(.condition(.not(condition)), in: query.session)
    case .subject: query.compared(.equal, false)
    }
  }

  /// How many elements of a collection meet the condition, all of whose properties are those of its elements.
  ///
  ///     people.where { ($0.dogs.age > 5 && $0.dogs.color == "tan").count >= 2 }
  public var count: Query<Int> {
    let condition = condition
    let paths = condition.subjects.map(\.path)
    guard let first = paths.first, let fork = first.forks.first,
      paths.allSatisfy({ !$0.forks.isEmpty })
    else {
      programmingError("Subqueries must contain a keypath starting with a collection.")
    }
    if paths.contains(where: \.passesMapKey) {
      programmingError("Subqueries do not support map subscripts.")
    }
    for path in paths where !path.begins(with: first, steps: fork) {
      programmingError(
        "A subquery asks about one collection; this one asks about "
          + "'\(PropertyPath(first.steps))' and '\(PropertyPath(path.steps))'.")
    }
    return Query<Int>(.subject(.matches(first, condition)), in: session)
  }

  /// The condition; of a property, that it is true.
  var condition: QueryCondition {
    switch form {
    case .condition(let condition): condition
    case .subject(let subject): .leaf(subject) { .compare($0, .equal, .value(.bool(true)), []) }
    }
  }

  /// The condition as a predicate.
  var predicate: Predicate { Predicate(condition.lowered()) }
}

extension QueryPath {
  /// Whether the first steps of both, up to a fork, are the same.
  func begins(with other: QueryPath, steps count: Int) -> Bool {
    forks.first == count && steps.prefix(count) == other.steps.prefix(count)
  }
}
