import CairnStorage
import CairnValues

/// The properties that a predicate can name.
extension Schema {
  /// The property of that name; an inverse one looks like a list of links to its origin.
  func property(named name: String, of table: TableSchema) -> ColumnSchema? {
    if let column = table.column(named: name) { return column }
    guard let inverse = table.inverse(named: name) else { return nil }
    return ColumnSchema(
      id: .max, name: inverse.name, type: .link, collection: .list, target: inverse.origin,
      position: .max)
  }

  /// The names of all properties, inverse ones behind the others.
  func propertyNames(of table: TableSchema) -> [String] {
    table.properties.map(\.name) + table.inverses.map(\.name)
  }
}
