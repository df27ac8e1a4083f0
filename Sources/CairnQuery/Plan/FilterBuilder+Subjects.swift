import CairnStorage
import CairnValues

extension FilterBuilder {
  /// A condition on a subject.
  func filter(_ subject: Subject, _ leaf: Leaf, _ node: Node) throws(QueryError) -> Filter {
    let words = { @Sendable in Predicate(node).description }
    switch subject {
    case .path(let path): return try filter(path, leaf, node)
    case .count(let path, nil) where try isLength(path):
      return try filter(path, .length(leaf.test(isMixed: false)), node)
    case .count(let path, nil):
      return try numberFilter(path, leaf, ofNothing: { _ in .int(0) }) { builder, route in
        builder.count(route, leaf, words)
      }
    case .count(let path, let condition?):
      return try numberFilter(path, leaf, ofNothing: { _ in .int(0) }) {
        (builder, route) throws(QueryError) in
        builder.matchCount(route, try matches(route, condition, path), leaf, words)
      }
    case .aggregate(let function, let path, let below):
      return try numberFilter(
        path, below: below?.components ?? [], leaf,
        ofNothing: { ValueTotals().value(function, $0.valueType) }
      ) { builder, route in
        builder.aggregate(function, route, leaf, words)
      }
    }
  }

  /// Whether a path leads to texts or data, whose number is their length.
  private func isLength(_ path: PropertyPath) throws(QueryError) -> Bool {
    let route = try route(path)
    switch route.end {
    case .column, .entry: return route.valueType == .string || route.valueType == .data
    case .object, .elements, .keys: return false
    }
  }

  /// The objects at the end of a route that meet a condition of their own.
  private func matches(
    _ route: Route, _ condition: Node, _ path: PropertyPath
  ) throws(QueryError) -> KeySet {
    guard route.endsAtObject else {
      throw QueryError(.unsupportedType, "'\(path)' leads to no objects that a condition can ask")
    }
    let filter = try FilterBuilder(table: route.endTable).filter(condition)
    return KeySet(route.endTable, filter, deadMatch: false)
  }

  /// Reads what a condition on two subjects speaks of.
  private func reader(_ subject: Subject) throws(QueryError) -> SubjectReader {
    switch subject {
    case .path(let path): return .path(PathReader(try route(path)), path.quantifier)
    case .aggregate(let function, let path, let below):
      let whole = PropertyPath(.any, path.components + (below?.components ?? []))
      return try each(path) { (first: Int) throws(QueryError) -> SubjectReader in
        .aggregate(function, PathReader(try route(whole).behind(first)))
      }
    case .count(let path, nil) where try isLength(path):
      return .length(PathReader(try route(path)), path.quantifier)
    case .count(let path, let condition):
      return try each(path) { (first: Int) throws(QueryError) -> SubjectReader in
        let route = try route(path).behind(first)
        guard let condition else { return .count(PathReader(route)) }
        return .matches(PathReader(route), try matches(route, condition, path))
      }
    }
  }

  /// A number for every collection that a path with a quantifier leads to, each in an object of its own.
  private func each(
    _ path: PropertyPath, _ number: (Int) throws(QueryError) -> SubjectReader
  ) throws(QueryError) -> SubjectReader {
    guard path.quantifier != .one else { return try number(0) }
    let whole = try route(path)
    let last = whole.placeOfLastCollection
    let objects = PathReader(
      Route(
        hops: Array(whole.hops[..<last]), end: .object,
        endTable: last == 0 ? table : whole.hops[last - 1].target, below: []))
    return .each(objects, isAll: path.quantifier == .all, try number(last))
  }

  /// A condition on two subjects of one row.
  func pair(
    _ subject: Subject, _ leaf: PairLeaf, _ other: Subject, _ node: Node
  ) throws(QueryError) -> Filter {
    if case .path(let path) = subject, case .path(let second) = other,
      let left = try directColumn(path), let right = try directColumn(second)
    {
      switch leaf {
      case .compare(let comparison, let options):
        return try comparePair(left, comparison, right, options)
      case .match(let match, let options): return try matchPair(left, match, right, options)
      }
    }
    let (left, right) = (try reader(subject), try reader(other))
    return PairFilter(
      left, right, pairTest(leaf, isMixed: left.isMixed || right.isMixed),
      words: Predicate(node).description)
  }

  private func pairTest(
    _ leaf: PairLeaf, isMixed: Bool
  ) -> @Sendable (Value, Value) -> Bool {
    switch leaf {
    case .compare(let comparison, let options):
      if options.isEmpty { return { comparison.holdsInRow($0, $1, isMixed: isMixed) } }
      return { FilterBuilder.foldedComparison($0, comparison, $1, options) }
    case .match(let match, let options):
      return { FilterBuilder.matches($0, match, $1, options) }
    }
  }
}
