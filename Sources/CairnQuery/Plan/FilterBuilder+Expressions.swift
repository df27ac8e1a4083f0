import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of a condition on an expression.
  func filter(_ expression: Expression, comparison: Comparison, node: PredicateNode)
    throws(QueryError) -> Filter
  {
    let describe = { @Sendable in Predicate(node).description }
    switch expression {
    case .path(let path): return try filter(path, comparison: comparison, node: node)
    case .count(let path, nil) where try isLength(path):
      return try filter(path, comparison: .length(comparison.test(isMixed: false)), node: node)
    case .count(let path, nil):
      return try numberFilter(path, comparison: comparison, ofEmpty: { _ in .int(0) }) {
        builder, linkPath in
        builder.count(linkPath, comparison: comparison, describe: describe)
      }
    case .count(let path, let condition?):
      return try numberFilter(path, comparison: comparison, ofEmpty: { _ in .int(0) }) {
        (builder, linkPath) throws(QueryError) in
        builder.matchCount(
          linkPath, keys: try matches(linkPath, condition: condition), comparison: comparison,
          describe: describe)
      }
    case .aggregate(let function, let path, let below):
      return try numberFilter(
        path, below: below?.components ?? [], comparison: comparison,
        ofEmpty: { ValueTotals().value(function, type: $0.valueType) }
      ) { builder, linkPath in
        builder.aggregate(function, linkPath: linkPath, comparison: comparison, describe: describe)
      }
    }
  }

  /// Whether a path ends at a text or at data, whose `@count` is the length.
  private func isLength(_ path: PropertyPath) throws(QueryError) -> Bool {
    let linkPath = try paths.linkPath(path)
    switch linkPath.end {
    case .column, .entry: return linkPath.valueType == .string || linkPath.valueType == .data
    case .object, .elements, .keys: return false
    }
  }

  /// The objects at the end of a path that meet a condition of their own.
  private func matches(
    _ linkPath: LinkPath, condition: PredicateNode
  ) throws(QueryError) -> SemiJoinSet {
    guard linkPath.endsAtObject else {
      throw unbound
    }
    let filter = try FilterBuilder(table: linkPath.endTable).filter(condition)
    return SemiJoinSet(
      linkPath.endTable, filter: filter, deletedMatch: false, planner: Planner.scan)
  }

  /// A reader for one side of a condition on two expressions.
  private func reader(_ expression: Expression) throws(QueryError) -> ExpressionReader {
    switch expression {
    case .path(let path): return .path(PathReader(try paths.linkPath(path)), path.quantifier)
    case .aggregate(let function, let path, let below):
      let whole = PropertyPath(.any, components: path.components + (below?.components ?? []))
      return try each(path) { (first: Int) throws(QueryError) -> ExpressionReader in
        .aggregate(function, PathReader(try paths.linkPath(whole).behind(first)))
      }
    case .count(let path, nil) where try isLength(path):
      return .length(PathReader(try paths.linkPath(path)), path.quantifier)
    case .count(let path, let condition):
      return try each(path) { (first: Int) throws(QueryError) -> ExpressionReader in
        let linkPath = try paths.linkPath(path).behind(first)
        guard let condition else { return .count(PathReader(linkPath)) }
        return .matches(PathReader(linkPath), try matches(linkPath, condition: condition))
      }
    }
  }

  /// A number for each collection at the end of a path with a quantifier. Each collection has its
  /// own owner.
  private func each(
    _ path: PropertyPath, number: (Int) throws(QueryError) -> ExpressionReader
  ) throws(QueryError) -> ExpressionReader {
    guard path.quantifier != .one else { return try number(0) }
    let whole = try paths.linkPath(path)
    let last = whole.indexOfLastCollection
    let objects = PathReader(
      LinkPath(
        linkSteps: Array(whole.linkSteps[..<last]), end: .object,
        endTable: last == 0 ? table : whole.linkSteps[last - 1].target, below: []))
    return .each(objects, isAll: path.quantifier == .all, try number(last))
  }

  /// The filter of a condition on two expressions of one row.
  func pair(
    _ expression: Expression, comparison: PairComparison, other: Expression, node: PredicateNode
  ) throws(QueryError) -> Filter {
    if case .path(let path) = expression, case .path(let second) = other,
      let left = paths.directColumn(path), let right = paths.directColumn(second)
    {
      switch comparison {
      case .compare(let comparison, let options):
        return try comparePair(left, comparison: comparison, right: right, options: options)
      case .match(let match, let options):
        return try matchPair(left, match: match, right: right, options: options)
      }
    }
    let (left, right) = (try reader(expression), try reader(other))
    return PairFilter(
      left, right: right, test: comparison.test(isMixed: left.isMixed || right.isMixed),
      description: Predicate(node).description)
  }
}
