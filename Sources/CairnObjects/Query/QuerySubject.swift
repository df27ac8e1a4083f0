import CairnQuery

/// What one side of a condition speaks of.
indirect enum QuerySubject {
  case path(QueryPath)
  /// A number made of the last collection on the way.
  case aggregate(AggregateFunction, QueryPath)
  /// How many elements the collection at the end of the way has.
  case count(QueryPath)
  /// How long the text or the data at the end of the way is.
  case length(QueryPath)
  /// How many elements of the first collection on the way meet a condition, whose paths begin with that way.
  case matches(QueryPath, QueryCondition)

  /// The way that is gone in any case.
  var path: QueryPath {
    switch self {
    case .path(let path), .aggregate(_, let path), .count(let path), .length(let path),
      .matches(let path, _):
      path
    }
  }

  /// The subject as it stands in a tree, without the steps that a subquery has taken already.
  func lowered(dropping dropped: Int) -> Subject {
    switch self {
    case .path(let path): return .path(path.lowered(dropping: dropped))
    case .count(let path): return .count(path.counted(dropping: dropped), where: nil)
    case .length(let path): return .count(path.lowered(dropping: dropped), where: nil)
    case .aggregate(let function, let path):
      guard let (collection, below) = path.split(dropping: dropped) else {
        programmingError(
          "'@\(function.rawValue)' needs a collection; '\(PropertyPath(path.steps))' passes none.")
      }
      return .aggregate(function, collection, of: below)
    case .matches(_, let condition):
      let (steps, fork) = condition.collection(behind: dropped)
      return .count(
        PropertyPath(Array(steps[dropped..<fork])), where: condition.lowered(dropping: fork))
    }
  }
}

/// Conditions as they were put together, while it is open whether they stand in a subquery.
indirect enum QueryCondition {
  case constant(Bool)
  case all(QueryCondition, QueryCondition)
  case any(QueryCondition, QueryCondition)
  case not(QueryCondition)
  case leaf(QuerySubject, (Subject) -> Node)
  case pair(QuerySubject, QuerySubject, (Subject, Subject) -> Node)

  /// The condition as a tree, without the steps that a subquery has taken already.
  func lowered(dropping dropped: Int = 0) -> Node {
    switch self {
    case .constant(let value): .constant(value)
    case .all(let a, let b): .all([a.lowered(dropping: dropped), b.lowered(dropping: dropped)])
    case .any(let a, let b): .any([a.lowered(dropping: dropped), b.lowered(dropping: dropped)])
    case .not(let part): .not(part.lowered(dropping: dropped))
    case .leaf(let subject, let node): node(subject.lowered(dropping: dropped))
    case .pair(let a, let b, let node):
      node(a.lowered(dropping: dropped), b.lowered(dropping: dropped))
    }
  }

  /// The collection whose elements a subquery counts, the first on the way behind the steps that an outer subquery has
  /// taken: its steps, and how many there are. A condition on several collections, or on none, is a programming error.
  func collection(behind dropped: Int) -> (steps: [PropertyPath.Component], fork: Int) {
    let paths = subjects.map(\.path)
    guard let first = paths.first, let fork = first.fork(behind: dropped),
      paths.allSatisfy({ $0.fork(behind: dropped) != nil })
    else {
      programmingError("Subqueries must contain a keypath starting with a collection.")
    }
    for path in paths where !path.begins(with: first, to: fork, behind: dropped) {
      programmingError(
        "A subquery asks about one collection; this one asks about "
          + "'\(PropertyPath(first.steps))' and '\(PropertyPath(path.steps))'.")
    }
    return (first.steps, fork)
  }

  /// What the conditions speak of.
  var subjects: [QuerySubject] {
    switch self {
    case .constant: []
    case .all(let a, let b), .any(let a, let b): a.subjects + b.subjects
    case .not(let part): part.subjects
    case .leaf(let subject, _): [subject]
    case .pair(let a, let b, _): [a, b]
    }
  }
}
