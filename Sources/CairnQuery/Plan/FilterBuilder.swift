import CairnStorage
import CairnValues

/// Turns a bound predicate tree into filters over the columns of one table.
///
/// Binding has checked the condition, so that only the preparation of a shape can fail.
struct FilterBuilder {
  let table: Table

  /// The condition as one filter.
  func filter(_ node: BoundNode) throws(QueryError) -> Filter {
    switch node {
    case .constant(let value): return ConstantFilter(value)
    case .and(let parts): return AllFilter(try filters(parts))
    case .or(let parts): return AnyFilter(try filters(parts))
    case .not(let part): return NotFilter(try filter(part))
    case .values(let expression, let condition):
      return try filter(expression, comparison: .values(condition), node: node)
    case .pair(let left, let condition, let right):
      return try pair(left, condition: condition, right: right, node: node)
    case .collection(let path, let constant, let isEqual):
      return ElementFilter(
        PathReader(try LinkPath(path, of: table)), quantifier: path.quantifier, constant: constant,
        isEqual: isEqual, description: node.description)
    case .spatial(let path, let condition, let shape):
      return try spatial(path, test: SpatialTest(condition, shape: shape), node: node)
    case .spatialPair(let path, let condition, let other, let edges):
      return try spatialPair(
        path, other: other, test: SpatialPairTest(condition, edges: edges), node: node)
    }
  }

  private func filters(_ nodes: [BoundNode]) throws(QueryError) -> [Filter] {
    var filters: [Filter] = []
    for node in nodes { filters.append(try filter(node)) }
    return filters
  }

  /// The conjuncts of the condition, as separate filters.
  func conjuncts(_ node: BoundNode) throws(QueryError) -> [Filter] {
    switch node {
    case .constant(true): return []
    case .and(let parts):
      var filters: [Filter] = []
      for part in parts { filters += try conjuncts(part) }
      return filters
    default:
      let filter = try filter(node)
      filter.node = node
      return [filter]
    }
  }

  /// The filter of a comparison on a property of the table's own rows.
  func filter(_ comparison: Comparison, column: Column) throws(QueryError) -> Filter {
    switch comparison {
    case .constant(let value): return ConstantFilter(value)
    case .values(let condition): return filter(condition, column: column)
    case .spatial(let test): return try spatial(column, test: test)
    case .length(let test):
      return BytesFilter(
        column, test: .length(test, isText: column.schema.type == .string), inverted: false,
        nullsMatch: test.holds(.null), description: "\(column.schema.name).@count")
    }
  }

  private func filter(_ condition: ValueCondition, column: Column) -> Filter {
    switch condition {
    case .compare(let comparison, let value, let options):
      compare(column, comparison: comparison, value: value, options: options)
    case .between(let low, let high):
      AllFilter([
        compare(column, comparison: .greaterOrEqual, value: low, options: []),
        compare(column, comparison: .lessOrEqual, value: high, options: []),
      ])
    case .isIn(let values, let options): isIn(column, values: values, options: options)
    case .match(let match, let value, let options):
      self.match(column, match: match, value: value, options: options)
    }
  }
}
