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
  ///
  /// Inside another such condition it counts the elements of the next collection on the way: of each dog the toys.
  ///
  ///     people.where { (($0.dogs.toys.price > 3).count > 0 && $0.dogs.age > 5).count == 1 }
  public var count: Query<Int> {
    let condition = condition
    let paths = condition.subjects.map(\.path)
    if paths.contains(where: \.passesMapKey) {
      programmingError("Subqueries do not support map subscripts.")
    }
    // Which collection it is shows when it is known whether an outer subquery has taken the first.
    guard let first = paths.first, !first.forks.isEmpty else {
      programmingError("Subqueries must contain a keypath starting with a collection.")
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
  /// How many steps lie before the first fork behind others.
  func fork(behind dropped: Int) -> Int? { forks.first { $0 > dropped } }

  /// Whether the first steps of both, up to a fork, are the same.
  func begins(with other: QueryPath, to count: Int, behind dropped: Int) -> Bool {
    fork(behind: dropped) == count && steps.prefix(count) == other.steps.prefix(count)
  }
}
