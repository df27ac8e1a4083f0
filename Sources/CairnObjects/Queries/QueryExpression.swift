import CairnQuery

/// An operand of a condition.
indirect enum QueryExpression {
  case path(QueryPath)
  /// An aggregate of the last collection on the path.
  case aggregate(AggregateFunction, QueryPath)
  /// The number of elements of the collection at the end of the path.
  case count(QueryPath)
  /// The length of the string or data at the end of the path.
  case length(QueryPath)
  /// The number of elements of the first collection on the path that meet a condition. The paths in
  /// the condition begin with that path.
  case matches(QueryPath, QueryCondition)

  /// The path that evaluation always follows.
  var path: QueryPath {
    switch self {
    case .path(let path), .aggregate(_, let path), .count(let path), .length(let path),
      .matches(let path, _):
      path
    }
  }

  /// Returns the operand for the predicate tree, without the steps that an outer subquery has
  /// consumed.
  func lowered(dropping dropped: Int) -> Expression {
    switch self {
    case .path(let path): return .path(path.lowered(dropping: dropped))
    case .count(let path): return .count(path.counted(dropping: dropped), where: nil)
    case .length(let path): return .count(path.lowered(dropping: dropped), where: nil)
    case .aggregate(let function, let path):
      guard let (collection, below) = path.split(dropping: dropped) else {
        programmingError(
          "'@\(function.rawValue)' requires a collection; the path '\(PropertyPath(path.steps))' "
            + "contains none.")
      }
      return .aggregate(function, collection, of: below)
    case .matches(_, let condition):
      // A count of the collection that an outer subquery counts begins again at its elements, as in
      // Realm: the friends of friends.
      let dropped = condition.isWithin(dropped) ? 0 : dropped
      let (steps, toManyStep) = condition.collection(after: dropped)
      return .count(
        PropertyPath(Array(steps[dropped..<toManyStep])),
        where: condition.lowered(dropping: toManyStep))
    }
  }
}

/// A condition under construction, which may still become part of a subquery.
indirect enum QueryCondition {
  case constant(Bool)
  case all(QueryCondition, QueryCondition)
  case any(QueryCondition, QueryCondition)
  case not(QueryCondition)
  case comparison(QueryExpression, (Expression) -> PredicateNode)
  case pair(QueryExpression, QueryExpression, (Expression, Expression) -> PredicateNode)

  /// Returns the condition as a predicate tree, without the steps that an outer subquery has
  /// consumed.
  func lowered(dropping dropped: Int = 0) -> PredicateNode {
    switch self {
    case .constant(let value): .constant(value)
    case .all(let a, let b): .all([a.lowered(dropping: dropped), b.lowered(dropping: dropped)])
    case .any(let a, let b): .any([a.lowered(dropping: dropped), b.lowered(dropping: dropped)])
    case .not(let part): .not(part.lowered(dropping: dropped))
    case .comparison(let subject, let node): node(subject.lowered(dropping: dropped))
    case .pair(let a, let b, let node):
      node(a.lowered(dropping: dropped), b.lowered(dropping: dropped))
    }
  }

  /// Returns the collection whose elements a subquery counts: the first one on the path after the
  /// steps that an outer subquery has consumed. Returns its steps and their number. A condition on
  /// several collections, or on none, is a programming error.
  func collection(after dropped: Int) -> (steps: [PropertyPath.Component], toManyStep: Int) {
    let paths = subjects.map(\.path)
    guard let first = paths.first, let toManyStep = first.toManyStep(after: dropped),
      paths.allSatisfy({ $0.toManyStep(after: dropped) != nil })
    else {
      programmingError("Subqueries must contain a keypath starting with a collection.")
    }
    for path in paths where !path.begins(with: first, to: toManyStep, after: dropped) {
      programmingError(
        "A subquery tests one collection; this one tests "
          + "'\(PropertyPath(first.steps))' and '\(PropertyPath(path.steps))'.")
    }
    return (first.steps, toManyStep)
  }

  /// Whether no path of the condition passes a collection after that number of steps.
  fileprivate func isWithin(_ dropped: Int) -> Bool {
    subjects.allSatisfy { $0.path.toManyStep(after: dropped) == nil }
  }

  /// The operands of the condition.
  var subjects: [QueryExpression] {
    switch self {
    case .constant: []
    case .all(let a, let b), .any(let a, let b): a.subjects + b.subjects
    case .not(let part): part.subjects
    case .comparison(let subject, _): [subject]
    case .pair(let a, let b, _): [a, b]
    }
  }
}

/// The path from an object to the queried property.
struct QueryPath {
  /// The steps of the path.
  private(set) var steps: [PropertyPath.Component] = []
  /// The numbers of steps up to each to-many step, in ascending order.
  private(set) var toManySteps: [Int] = []
  /// Whether the last step looks up a key in a map.
  private(set) var endsInMapKey = false
  /// Whether any step looks up a key in a map.
  private(set) var passesMapKey = false

  /// Appends a step. After a to-many step the path leads to several values.
  mutating func append(_ step: PropertyPath.Component, isToMany: Bool = false) {
    steps.append(step)
    endsInMapKey = false
    if isToMany { toManySteps.append(steps.count) }
  }

  /// Appends the lookup of a key in the map at the end, which leads to a single value again.
  mutating func appendMapKey(_ key: String) {
    if toManySteps.last == steps.count { toManySteps.removeLast() }
    append(.key(key))
    endsInMapKey = true
    passesMapKey = true
  }

  /// Whether the path leads to several values.
  var isMany: Bool { !toManySteps.isEmpty }

  /// Whether the last step is itself a collection.
  var endsInCollection: Bool { !steps.isEmpty && toManySteps.last == steps.count }

  /// Returns the path for the predicate tree, without the steps that an outer subquery has
  /// consumed.
  func lowered(dropping dropped: Int) -> PropertyPath {
    // A subquery applies to the values of a map in any case.
    let rest = dropped > 0 ? steps.dropFirst(dropped).drop { $0 == .allValues } : steps[...]
    guard !rest.isEmpty else {
      programmingError(
        dropped == 0
          ? "A condition must refer to a property of the objects, not to the objects themselves."
          : "Subqueries test properties of objects; '\(PropertyPath(steps))' holds values.")
    }
    let isMany = toManySteps.contains { $0 > dropped }
    return PropertyPath(isMany ? .any : .one, components: Array(rest))
  }

  /// Returns the path to the last collection and the path from there, or nil if the path has no
  /// collection.
  func split(dropping dropped: Int) -> (collection: PropertyPath, below: PropertyPath?)? {
    let toManySteps = toManySteps.filter { $0 > dropped }
    guard let toManyStep = toManySteps.last else { return nil }
    // An aggregate applies to the values of a map in any case.
    let below = steps[toManyStep...].drop { $0 == .allValues }
    let collection = PropertyPath(
      toManySteps.count > 1 ? .any : .one, components: Array(steps[dropped..<toManyStep]))
    return (collection, below.isEmpty ? nil : PropertyPath(Array(below)))
  }

  /// Returns the path to the collection at the end, which may lead through other collections.
  func counted(dropping dropped: Int) -> PropertyPath {
    let isMany = toManySteps.contains { $0 > dropped && $0 < steps.count }
    return PropertyPath(isMany ? .any : .one, components: Array(steps[dropped...]))
  }
}
