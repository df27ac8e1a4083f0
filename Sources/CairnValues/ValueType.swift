/// What a property holds. The numbers stand in the file and never change.
package enum ValueType: UInt8, Sendable, CaseIterable {
  case bool = 1
  case int = 2
  case float = 3
  case double = 4
  case string = 5
  case data = 6
  case date = 7
  case objectId = 8
  case uuid = 9
  case decimal128 = 10
  case point = 11
  case mixed = 12
  case link = 13
  case embedded = 14

  /// Whether values of the type are numbers, which compare by value whatever their type.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  /// The name that messages and the schema listing use.
  package var name: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .objectId: "object id"
    case .uuid: "uuid"
    case .decimal128: "decimal128"
    case .point: "point"
    case .mixed: "mixed"
    case .link: "object"
    case .embedded: "embedded object"
    }
  }
}
