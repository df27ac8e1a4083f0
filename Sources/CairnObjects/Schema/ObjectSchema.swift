import CairnStorage
import CairnValues

/// The classes of a store, or those that the configuration of a realm lists in `objectTypes`.
public struct Schema: Hashable, Sendable, CustomStringConvertible {
  /// The classes, sorted by name.
  public let objectSchema: [ObjectSchema]

  /// - Parameter names: The classes to include; nil for all.
  init(_ session: Session, names: Set<String>? = nil) {
    objectSchema = session.schema.tables.filter { names?.contains($0.name) ?? true }.map {
      ObjectSchema($0, layout: session.layout(named: $0.name))
    }
  }

  /// The class of that name, or nil.
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  /// The classes with their properties.
  public var description: String {
    let classes = objectSchema.map {
      "\t" + $0.description.split(separator: "\n").joined(separator: "\n\t")
    }
    return "Schema {\n\(classes.joined(separator: "\n"))\n}"
  }
}

/// A class: its name and its properties.
public struct ObjectSchema: Sendable {
  /// The name of the class.
  public let className: String
  /// The stored properties, in the order of the store.
  public let properties: [Property]
  /// The program's class, or `DynamicObject` if the program has none or has not used it.
  public let objectClass: AnyClass
  /// Whether the objects are embedded in other objects.
  public let isEmbedded: Bool
  /// The inverse properties, which store nothing.
  let inverses: [Property]

  /// Creates the schema of a class in the store.
  ///
  /// - Parameter layout: The program's class, which may have other names for the properties.
  init(_ schema: TableSchema, layout: ObjectLayout?) {
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

  /// The property of that name, including inverse properties; nil if the class has none.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName } ?? inverses.first { $0.name == propertyName }
  }

  /// The primary key.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }
}

extension ObjectSchema: Hashable {
  /// Returns whether both classes have the same name and the same properties.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.className == b.className && a.isEmbedded == b.isEmbedded && a.properties == b.properties
      && a.inverses == b.inverses
  }

  /// Hashes the name and the properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(properties)
  }
}

extension ObjectSchema: CustomStringConvertible {
  /// The name of the class and a line for each property.
  public var description: String {
    "\(className) {\n\(properties.map { "\t\($0)" }.joined(separator: "\n"))\n}"
  }
}

/// The type of a property's values.
public enum PropertyType: String, Hashable, Sendable {
  /// An integer of any width.
  case int
  /// A boolean.
  case bool
  /// A 32-bit floating-point number.
  case float
  /// A 64-bit floating-point number.
  case double
  /// A string.
  case string
  /// Binary data.
  case data
  /// A point in time.
  case date
  /// A value of any type: an ``AnyRealmValue``.
  case any
  /// A link to an object, or an embedded object.
  case object
  /// The objects that link here; the property stores nothing.
  case linkingObjects
  /// An `ObjectId`.
  case objectId
  /// A decimal number of 34 digits.
  case decimal128
  /// A UUID.
  case UUID
  /// A location, which has an R-tree.
  case geoPoint
  /// A geometry of any kind, which has an R-tree.
  case geometry
  /// A line, which has an R-tree.
  case lineString
  /// One or several areas, which have an R-tree.
  case polygon

  package init(_ type: ValueType) {
    switch type {
    case .bool: self = .bool
    case .int: self = .int
    case .float: self = .float
    case .double: self = .double
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .objectId: self = .objectId
    case .uuid: self = .UUID
    case .decimal128: self = .decimal128
    case .point: self = .geoPoint
    case .geometry, .box: self = .geometry
    case .lineString: self = .lineString
    case .polygon: self = .polygon
    case .mixed: self = .any
    case .link, .embedded: self = .object
    }
  }
}

/// A property of a class.
public struct Property: Hashable, Sendable, CustomStringConvertible {
  /// The name in the program.
  public let name: String
  /// The name in the store, which differs from `name` if the class maps it.
  public let columnName: String
  /// The type of the value, or of the elements of a collection.
  public let type: PropertyType
  /// Whether the value may be null.
  public let isOptional: Bool
  /// Whether the values are indexed.
  public let isIndexed: Bool
  /// Whether the property has a full-text index.
  public let isFullTextIndexed: Bool
  /// Whether the property is the primary key.
  public let isPrimaryKey: Bool
  /// Whether the property is a list.
  public let isArray: Bool
  /// Whether the property is a set.
  public let isSet: Bool
  /// Whether the property is a map.
  public let isMap: Bool
  /// The class to which the property links.
  public let objectClassName: String?

  init(_ column: ColumnSchema, name: String) {
    self.name = name
    columnName = column.name
    type = PropertyType(column.type)
    isOptional = column.isOptional
    isIndexed = column.isIndexed || column.isPrimaryKey
    isFullTextIndexed = column.isFullText
    isPrimaryKey = column.isPrimaryKey
    isArray = column.collection == .list
    isSet = column.collection == .set
    isMap = column.collection == .map
    objectClassName = column.target
  }

  /// Creates an inverse property.
  init(_ inverse: InverseSchema) {
    name = inverse.name
    columnName = inverse.name
    type = .linkingObjects
    isOptional = false
    isIndexed = false
    isFullTextIndexed = false
    isPrimaryKey = false
    isArray = true
    isSet = false
    isMap = false
    objectClassName = inverse.origin
  }

  /// The name, the type and the attributes of the property.
  public var description: String {
    var words = ["\(name): \(type.rawValue)\(isOptional ? "?" : "")"]
    if isPrimaryKey { words.append("primary key") }
    if isIndexed, !isPrimaryKey { words.append("indexed") }
    if isFullTextIndexed { words.append("full-text index") }
    return words.joined(separator: ", ")
  }
}

extension Migration {
  /// The classes before the migration.
  public var oldSchema: Schema { Schema(oldSession) }

  /// The classes after the migration.
  public var newSchema: Schema { Schema(session) }
}

extension TableSchema {
  /// Creates the schema of a class of the program, outside of any store.
  init(_ draft: TableDraft, id: UInt32) {
    self.init(
      id: id, name: draft.name, columns: draft.columns, isEmbedded: draft.isEmbedded,
      inverses: draft.inverses, aliases: draft.aliases)
  }
}
