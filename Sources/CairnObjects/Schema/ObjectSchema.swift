import CairnStorage

/// One class: its name and its properties.
public struct ObjectSchema: Hashable, Sendable, CustomStringConvertible {
  /// The name of the class.
  public let className: String
  /// The properties in the order of the store.
  public let properties: [Property]

  init(_ schema: TableSchema) {
    className = schema.name
    properties = schema.properties.map(Property.init)
  }

  /// The property of that name.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
  }

  /// The property that tells the objects apart.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// The class, and a line for every property.
  public var description: String {
    "\(className) {\n\(properties.map { "\t\($0)" }.joined(separator: "\n"))\n}"
  }
}
