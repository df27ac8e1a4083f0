import CairnGeometry
import CairnStorage
import CairnValues

/// Turns the predicate tree into filters over the columns of one table.
struct FilterBuilder {
  let table: Table

  /// The column of that name; collections are none that a query can read.
  func column(_ name: String) throws(QueryError) -> Column {
    guard let schema = table.schema.column(named: name) else {
      throw QueryError(
        .unknownProperty, "class '\(table.schema.name)' has no property '\(name)'")
    }
    guard schema.collection == .none else {
      throw QueryError(
        .unsupportedType,
        "property '\(name)' of class '\(table.schema.name)' is a collection, which a query cannot look into"
      )
    }
    return table.column(schema.position)
  }

  /// The condition as one filter.
  func filter(_ node: Node) throws(QueryError) -> Filter {
    switch node {
    case .constant(let value): return ConstantFilter(value)
    case .and(let parts): return AllFilter(try filters(parts))
    case .or(let parts): return AnyFilter(try filters(parts))
    case .not(let part): return NotFilter(try filter(part))
    case .compare(let subject, let comparison, .value(let value), let options):
      return try filter(subject, .compare(comparison, value, options), node)
    case .compare(let subject, let comparison, .collection(let constant), _):
      return try filter(subject, constant, isEqual: comparison == .equal, node)
    case .match(_, _, .collection, _):
      throw QueryError(.typeMismatch, "a text is not compared with a list or a map")
    case .compare(let subject, let comparison, .subject(let other), let options):
      return try pair(subject, .compare(comparison, options), other, node)
    case .between(let subject, let low, let high):
      return try filter(subject, .between(low, high), node)
    case .isIn(let subject, let values, let options):
      return try filter(subject, .isIn(values, options), node)
    case .match(let subject, let match, .value(let value), let options):
      return try filter(subject, .match(match, value, options), node)
    case .match(let subject, let match, .subject(let other), let options):
      return try pair(subject, .match(match, options), other, node)
    case .within(let path, let shape): return try within(path, shape, node)
    }
  }

  /// A condition on a list or a map in a mixed value.
  private func filter(
    _ subject: Subject, _ constant: CollectionConstant, isEqual: Bool, _ node: Node
  ) throws(QueryError) -> Filter {
    guard case .path(let path) = subject else {
      throw QueryError(.typeMismatch, "a number is not compared with a list or a map")
    }
    let route = try route(path)
    guard route.isMixed else {
      throw QueryError(
        .typeMismatch, "'\(path)' is not mixed, and is not compared with a list or a map")
    }
    return ElementFilter(
      PathReader(route), path.quantifier, constant, isEqual: isEqual,
      words: Predicate(node).description)
  }

  private func filters(_ nodes: [Node]) throws(QueryError) -> [Filter] {
    var filters: [Filter] = []
    for node in nodes { filters.append(try filter(node)) }
    return filters
  }

  /// The conditions that all must hold, apart.
  func conjuncts(_ node: Node) throws(QueryError) -> [Filter] {
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

  /// What a condition asks of a property of the table's own rows.
  func filter(_ leaf: Leaf, _ column: Column) throws(QueryError) -> Filter {
    switch leaf {
    case .constant(let value): return ConstantFilter(value)
    case .compare(let comparison, let value, let options):
      return try compare(column, comparison, value, options)
    case .between(let low, let high):
      return AllFilter([
        try compare(column, .greaterOrEqual, low, []), try compare(column, .lessOrEqual, high, []),
      ])
    case .isIn(let values, let options): return try isIn(column, values, options)
    case .match(let match, let value, let options):
      return try self.match(column, match, value, options)
    case .within(let region): return try within(column, region)
    case .length(let test):
      return BytesFilter(
        column, .length(test, isText: column.schema.type == .string), inverted: false,
        nullsMatch: test.holds(.null), words: "\(column.schema.name).@count")
    }
  }

  func within(_ column: Column, _ region: Region) throws(QueryError) -> Filter {
    guard column.schema.hasSpatialIndex else {
      throw mismatch(column, "has no location to lie within a shape")
    }
    return WithinFilter(
      column, region, table.spatialIndex(column.schema.position), table)
  }

  func mismatch(_ column: Column, _ what: String) -> QueryError {
    QueryError(
      .typeMismatch,
      "property '\(column.schema.name)' of type \(column.schema.type.name) \(what)")
  }
}
