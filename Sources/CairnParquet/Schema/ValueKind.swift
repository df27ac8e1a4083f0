internal import CairnIO

/// The values of a column, as far as their decoding depends on them.
enum ValueKind: Sendable, Equatable {
  case bool
  /// Integers; unsigned ones are widened.
  case int(isSigned: Bool)
  case float
  case double
  /// Numbers of 16 bits.
  case half
  /// Days since 1970.
  case days
  case timestamp(TimeUnit, isLocal: Bool)
  /// Nanoseconds of a day, and the number of the day, in 12 bytes.
  case oldTimestamp
  /// A time of day.
  case time(TimeUnit)
  /// A decimal number in an integer.
  case decimalInteger(precision: Int, scale: Int)
  /// A decimal number in bytes, the most significant of them first.
  case decimalBytes(precision: Int, scale: Int)
  case text
  case uuid
  /// Months, days and milliseconds, in 4 bytes each.
  case interval
  case data
  /// Geometries in WKB.
  case geometry
  /// Values that are all null.
  case null
  /// Values of a type that is not read.
  case unsupported(String)

  /// The most digits of a decimal that a double holds exactly.
  private static let doubleDigits = 15

  init(_ type: PhysicalType, logical: LogicalType?, length: Int) {
    switch (type, logical) {
    case (_, .unknown): self = .null
    case (.boolean, _): self = .bool
    case (.int32, .date): self = .days
    case (.int32, .time(let unit)), (.int64, .time(let unit)): self = .time(unit)
    case (.int64, .timestamp(let unit, let isLocal)): self = .timestamp(unit, isLocal: isLocal)
    case (.int32, .decimal(let precision, let scale)), (.int64, .decimal(let precision, let scale)):
      self = .decimalInteger(precision: precision, scale: scale)
    case (.int32, .integer(_, let isSigned)), (.int64, .integer(_, let isSigned)):
      self = .int(isSigned: isSigned)
    case (.int32, _), (.int64, _): self = .int(isSigned: true)
    case (.int96, _): self = .oldTimestamp
    case (.float, _): self = .float
    case (.double, _): self = .double
    case (.fixedByteArray, .float16): self = length == 2 ? .half : .data
    case (.fixedByteArray, .uuid): self = length == 16 ? .uuid : .data
    case (.fixedByteArray, .interval): self = length == 12 ? .interval : .data
    case (.byteArray, .decimal(let precision, let scale)),
      (.fixedByteArray, .decimal(let precision, let scale)):
      self = .decimalBytes(precision: precision, scale: scale)
    case (_, .string), (_, .json): self = .text
    case (_, .geometry), (_, .geography): self = .geometry
    case (_, .variant): self = .unsupported("VARIANT")
    default: self = .data
    }
  }

  /// The type of the layer's column that holds the values. Values that no type of a property holds
  /// become text.
  var columnType: LayerColumnType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float, .double, .half: .double
    case .days, .timestamp, .oldTimestamp: .date
    case .decimalInteger(let precision, _), .decimalBytes(let precision, _):
      precision <= Self.doubleDigits ? .double : .text
    case .time, .text, .uuid, .interval, .null, .unsupported: .text
    case .data: .data
    case .geometry: .geometry
    }
  }

  /// Whether values are decoded to 8 bytes; otherwise they are bytes.
  var isNumeric: Bool {
    switch self {
    case .bool, .int, .float, .double, .half, .days, .timestamp, .oldTimestamp, .time,
      .decimalInteger:
      true
    case .decimalBytes: columnType == .double
    case .text, .uuid, .interval, .data, .geometry, .null, .unsupported: false
    }
  }

  /// Whether times do not name their zone.
  var isLocal: Bool {
    switch self {
    case .timestamp(_, isLocal: true), .oldTimestamp: true
    default: false
    }
  }
}
