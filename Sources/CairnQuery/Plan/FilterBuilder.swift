import CairnStorage
import CairnValues

/// Turns a bound predicate tree into filters over the columns of one table.
struct FilterBuilder {
  let paths: PathBinder
  var table: Table { paths.table }

  init(table: Table) { paths = PathBinder(table: table) }

  /// The error for a condition that binding would have rejected, with its position. A query binds
  /// its predicate first, so it never reports this error.
  var unbound: QueryError {
    QueryError(
      .typeMismatch, message: "the predicate is not bound to class '\(table.schema.name)'")
  }

  /// The condition as one filter.
  func filter(_ node: PredicateNode) throws(QueryError) -> Filter {
    switch node {
    case .constant(let value): return ConstantFilter(value)
    case .and(let parts): return AllFilter(try filters(parts))
    case .or(let parts): return AnyFilter(try filters(parts))
    case .not(let part): return NotFilter(try filter(part))
    case .compare(let expression, let comparison, .value(let value), let options):
      return try filter(expression, comparison: .compare(comparison, value, options), node: node)
    case .compare(let expression, let comparison, .collection(let constant), _):
      return try filter(expression, constant: constant, isEqual: comparison == .equal, node: node)
    case .match(_, _, .collection, _):
      throw unbound
    case .compare(let expression, let comparison, .expression(let other), let options):
      return try pair(
        expression, comparison: .compare(comparison, options), other: other, node: node)
    case .between(let expression, let low, let high):
      return try filter(expression, comparison: .between(low, high), node: node)
    case .isIn(let expression, let values, let options):
      return try filter(expression, comparison: .isIn(values, options), node: node)
    case .match(let expression, let match, .value(let value), let options):
      return try filter(expression, comparison: .match(match, value, options), node: node)
    case .match(let expression, let match, .expression(let other), let options):
      return try pair(expression, comparison: .match(match, options), other: other, node: node)
    case .relation(let path, let relation, .shape(let shape)):
      return try spatial(path, test: SpatialTest(relation, shape: shape), node: node)
    case .distance(let path, let comparison, .shape(let shape), let distance):
      return try spatial(
        path, test: SpatialTest(comparison, distance: distance, from: shape), node: node)
    case .relation(let path, let relation, .property(let other, let edges)):
      return try spatialPair(
        path, other: other, test: SpatialPairTest(relation, edges: edges), node: node)
    case .distance(let path, let comparison, .property(let other, _), let distance):
      return try spatialPair(
        path, other: other, test: SpatialPairTest(comparison, distance: distance), node: node)
    }
  }

  /// The filter of a condition on a list or a map in a mixed value.
  private func filter(
    _ expression: Expression, constant: CollectionConstant, isEqual: Bool, node: PredicateNode
  ) throws(QueryError) -> Filter {
    guard case .path(let path) = expression else {
      throw unbound
    }
    let linkPath = try paths.linkPath(path)
    guard linkPath.isMixed else {
      throw unbound
    }
    return ElementFilter(
      PathReader(linkPath), quantifier: path.quantifier, constant: constant, isEqual: isEqual,
      description: Predicate(node).description)
  }

  private func filters(_ nodes: [PredicateNode]) throws(QueryError) -> [Filter] {
    var filters: [Filter] = []
    for node in nodes { filters.append(try filter(node)) }
    return filters
  }

  /// The conjuncts of the condition, as separate filters.
  func conjuncts(_ node: PredicateNode) throws(QueryError) -> [Filter] {
    switch node {
    case .constant(true): return []
    case .and(let parts):
      var filters: [Filter] = []
      for part in parts { filters += try conjuncts(part) }
      return filters
    default:
      let filter = try filter(node)
      filter.written = node
      return [filter]
    }
  }

  /// The filter of a comparison on a property of the table's own rows.
  func filter(_ comparison: Comparison, column: Column) throws(QueryError) -> Filter {
    switch comparison {
    case .constant(let value): return ConstantFilter(value)
    case .compare(let comparison, let value, let options):
      return try compare(column, comparison: comparison, value: value, options: options)
    case .between(let low, let high):
      return AllFilter([
        try compare(column, comparison: .greaterOrEqual, value: low, options: []),
        try compare(column, comparison: .lessOrEqual, value: high, options: []),
      ])
    case .isIn(let values, let options): return try isIn(column, values: values, options: options)
    case .match(let match, let value, let options):
      return try self.match(column, match: match, value: value, options: options)
    case .spatial(let test): return try spatial(column, test: test)
    case .length(let test):
      return BytesFilter(
        column, test: .length(test, isText: column.schema.type == .string), inverted: false,
        nullsMatch: test.holds(.null), description: "\(column.schema.name).@count")
    }
  }
}
