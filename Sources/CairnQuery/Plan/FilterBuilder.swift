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

  func column(_ path: PropertyPath) throws(QueryError) -> Column {
    guard let name = path.name else {
      throw QueryError(.unsupportedType, "'\(path)' cannot be asked of this store yet")
    }
    return try column(name)
  }

  private func column(_ subject: Subject) throws(QueryError) -> Column {
    guard case .path(let path) = subject else {
      throw QueryError(.unsupportedType, "aggregates cannot be asked of this store yet")
    }
    return try column(path)
  }

  /// The condition as one filter.
  func filter(_ node: Node) throws(QueryError) -> Filter {
    switch node {
    case .constant(let value): return ConstantFilter(value)
    case .and(let parts): return AllFilter(try filters(parts))
    case .or(let parts): return AnyFilter(try filters(parts))
    case .not(let part): return NotFilter(try filter(part))
    case .compare(let subject, let comparison, .value(let value), let options):
      return try compare(try column(subject), comparison, value, options)
    case .compare(let subject, let comparison, .subject(let other), let options):
      return try comparePair(try column(subject), comparison, try column(other), options)
    case .between(let subject, let low, let high):
      let column = try column(subject)
      return AllFilter([
        try compare(column, .greaterOrEqual, low, []), try compare(column, .lessOrEqual, high, []),
      ])
    case .isIn(let subject, let values, let options):
      return try isIn(try column(subject), values, options)
    case .match(let subject, let match, .value(let value), let options):
      return try self.match(try column(subject), match, value, options)
    case .match(let subject, let match, .subject(let other), let options):
      return try matchPair(try column(subject), match, try column(other), options)
    case .within(let path, let shape): return try within(try column(path), shape)
    }
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
    default: return [try filter(node)]
    }
  }

  private func within(_ column: Column, _ shape: Shape) throws(QueryError) -> Filter {
    guard column.schema.hasSpatialIndex else {
      throw mismatch(column, "has no location to lie within a shape")
    }
    return WithinFilter(
      column, region(shape), table.spatialIndex(column.schema.position), table)
  }

  /// The shape made ready; a polygon keeps that.
  private func region(_ shape: Shape) -> Region {
    switch shape {
    case .circle(let circle): Region(circle)
    case .box(let box): Region(box)
    case .polygon(let polygon): polygon.region
    }
  }

  func mismatch(_ column: Column, _ what: String) -> QueryError {
    QueryError(
      .typeMismatch,
      "property '\(column.schema.name)' of type \(column.schema.type.name) \(what)")
  }
}
