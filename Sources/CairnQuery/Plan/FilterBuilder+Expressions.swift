import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of a condition on an expression.
  func filter(
    _ expression: BoundExpression, comparison: Comparison, node: BoundNode
  ) throws(QueryError) -> Filter {
    switch expression {
    case .path(let path): return try filter(path, comparison: comparison, node: node)
    case .length(let path):
      return try filter(path, comparison: .length(comparison.test(isMixed: false)), node: node)
    case .count(let path, nil):
      return try numberFilter(path, comparison: comparison, ofEmpty: { _ in .int(0) }) {
        builder, linkPath in
        builder.count(linkPath, comparison: comparison, node: node)
      }
    case .count(let path, let condition?):
      return try numberFilter(path, comparison: comparison, ofEmpty: { _ in .int(0) }) {
        (builder, linkPath) throws(QueryError) in
        builder.matchCount(
          linkPath, keys: try matches(linkPath, condition: condition), comparison: comparison,
          node: node)
      }
    case .aggregate(let function, let path, _):
      return try numberFilter(
        path, comparison: comparison,
        ofEmpty: { ValueTotals().value(function, type: $0.valueType) }
      ) { builder, linkPath in
        builder.aggregate(function, linkPath: linkPath, comparison: comparison, node: node)
      }
    }
  }

  /// The objects at the end of a path that meet a condition of their own.
  private func matches(
    _ linkPath: LinkPath, condition: BoundNode
  ) throws(QueryError) -> SemiJoinSet {
    let filter = try FilterBuilder(table: linkPath.endTable).filter(condition)
    return SemiJoinSet(
      linkPath.endTable, filter: filter, deletedMatch: false, planner: Planner.scan)
  }

  /// A reader for one side of a condition on two expressions.
  func reader(_ expression: BoundExpression) throws(QueryError) -> ExpressionReader {
    let linkPath = try LinkPath(expression.path, of: table)
    let quantifier = expression.path.quantifier
    switch expression {
    case .path: return .path(PathReader(linkPath), quantifier)
    case .length: return .length(PathReader(linkPath), quantifier)
    case .aggregate(let function, _, _):
      return try each(linkPath, quantifier) { .aggregate(function, PathReader($0)) }
    case .count(_, let condition):
      return try each(linkPath, quantifier) {
        (collection: LinkPath) throws(QueryError) -> ExpressionReader in
        guard let condition else { return .count(PathReader(collection)) }
        return .matches(PathReader(collection), try matches(collection, condition: condition))
      }
    }
  }

  /// A number for each collection on a path with a quantifier. Each collection has its own owner.
  private func each(
    _ whole: LinkPath, _ quantifier: PropertyPath.Quantifier,
    number: (LinkPath) throws(QueryError) -> ExpressionReader
  ) throws(QueryError) -> ExpressionReader {
    guard quantifier != .one else { return try number(whole) }
    let last = whole.indexOfLastCollection
    let objects = PathReader(
      LinkPath(
        linkSteps: Array(whole.linkSteps[..<last]), end: .object,
        endTable: last == 0 ? table : whole.linkSteps[last - 1].target))
    return .each(objects, isAll: quantifier == .all, try number(whole.behind(last)))
  }
}
