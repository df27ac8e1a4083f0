import CairnStorage

/// One class: its name and its properties.
public struct ObjectSchema: Sendable {
  /// The name of the class.
  public let className: String
  /// The properties that are stored, in the order of the store.
  public let properties: [Property]
  /// The program's class; `DynamicObject` where it has none, or has not used it.
  public let objectClass: AnyClass
  /// Whether the objects live inside others.
  public let isEmbedded: Bool
  /// The inverse properties, which nothing is stored for.
  let inverses: [Property]

  /// - Parameter layout: the program's class, which may have other names for the properties.
  init(_ schema: TableSchema, _ layout: ObjectLayout?) {
    className = schema.name
    isEmbedded = schema.isEmbedded
    objectClass = layout?.type ?? DynamicObject.self
    var names: [String: String] = [:]
    for property in layout?.properties ?? [] where !property.kind.isInverse {
      names[property.columnName] = property.name
    }
    properties = schema.properties.map { Property($0, name: names[$0.name] ?? $0.name) }
    inverses = schema.inverses.map { Property($0) }
  }

  /// The property of that name, an inverse one included; nil when the class has none.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName } ?? inverses.first { $0.name == propertyName }
  }

  /// The property that tells the objects apart.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }
}

extension ObjectSchema: Hashable {
  /// Whether both describe classes of one name with the same properties.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.className == b.className && a.isEmbedded == b.isEmbedded && a.properties == b.properties
      && a.inverses == b.inverses
  }

  /// The same for equal classes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(properties)
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The class, and a line for every property.
  public var description: String {
    "\(className) {\n\(properties.map { "\t\($0)" }.joined(separator: "\n"))\n}"
  }
}
