import CairnStorage
import CairnValues

/// What a property holds.
public enum PropertyType: String, Hashable, Sendable {
  case int
  case bool
  case float
  case double
  case string
  case data
  case date
  case any
  case object
  /// The objects that lead here; nothing is stored for it.
  case linkingObjects
  case objectId
  case decimal128
  case UUID
  /// A location, with its R-tree.
  case geoPoint

  init(_ type: ValueType) {
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
    case .mixed: self = .any
    case .link, .embedded: self = .object
    }
  }
}

/// One property of a class.
public struct Property: Hashable, Sendable, CustomStringConvertible {
  /// The name in the program.
  public let name: String
  /// The name in the store; another one where the class maps it.
  public let columnName: String
  /// What it holds, or what a collection holds many of.
  public let type: PropertyType
  /// Whether it may be null.
  public let isOptional: Bool
  /// Whether it has an index of its values.
  public let isIndexed: Bool
  /// Whether it tells the objects apart.
  public let isPrimaryKey: Bool
  /// Whether it holds a list.
  public let isArray: Bool
  /// Whether it holds a set.
  public let isSet: Bool
  /// Whether it holds a map.
  public let isMap: Bool
  /// The class that it leads to.
  public let objectClassName: String?

  init(_ column: ColumnSchema, name: String) {
    self.name = name
    columnName = column.name
    type = PropertyType(column.type)
    isOptional = column.isOptional
    isIndexed = column.isIndexed
    isPrimaryKey = column.isPrimaryKey
    isArray = column.collection == .list
    isSet = column.collection == .set
    isMap = column.collection == .map
    objectClassName = column.target
  }

  /// An inverse property.
  init(_ inverse: InverseSchema) {
    name = inverse.name
    columnName = inverse.name
    type = .linkingObjects
    isOptional = false
    isIndexed = false
    isPrimaryKey = false
    isArray = true
    isSet = false
    isMap = false
    objectClassName = inverse.origin
  }

  /// Name, type, and what marks the property.
  public var description: String {
    var words = ["\(name): \(type.rawValue)\(isOptional ? "?" : "")"]
    if isPrimaryKey { words.append("primary key") }
    if isIndexed { words.append("indexed") }
    return words.joined(separator: ", ")
  }
}
