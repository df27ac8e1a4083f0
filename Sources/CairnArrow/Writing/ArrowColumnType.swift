internal import CairnIO
internal import CairnValues

/// The types of columns that are written.
enum ArrowColumnType {
  case bool
  case int
  case float
  case double
  /// Microseconds since 1970 in UTC.
  case timestamp
  case text
  case data
  /// WKB.
  case geometry

  init(_ type: ValueType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .float: .float
      case .double: .double
      case .date: .timestamp
      case .data: .data
      default: type == .point || type.isGeometry ? .geometry : .text
      }
  }

  /// The type in a layer.
  var layerType: LayerColumnType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float, .double: .double
    case .timestamp: .date
    case .text: .text
    case .data: .data
    case .geometry: .geometry
    }
  }

  /// The number of the type in the schema.
  var number: UInt8 {
    switch self {
    case .int: 2
    case .float, .double: 3
    case .data, .geometry: 4
    case .text: 5
    case .bool: 6
    case .timestamp: 10
    }
  }

  /// Whether the values lie behind their offsets.
  var hasOffsets: Bool {
    switch self {
    case .text, .data, .geometry: true
    case .bool, .int, .float, .double, .timestamp: false
    }
  }
}
