package import CairnIO

/// The type of an Arrow column.
///
/// Source: Schema.fbs of apache/arrow, and "The Arrow C data interface".
package enum ArrowType: Equatable, Sendable {
  case null
  case bool
  /// An integer of a size in bytes.
  case int(size: Int, isSigned: Bool)
  /// A floating-point number of a size in bytes.
  case float(size: Int)
  /// A text; large if its ends have 64 bits.
  case text(isLarge: Bool)
  case binary(isLarge: Bool)
  /// Texts whose first bytes lie with their sizes, apart from the others.
  case textView
  case binaryView
  case fixedBinary(size: Int)
  /// Days since 1970, of 32 bits.
  case days
  /// Milliseconds since 1970 at midnight, of 64 bits.
  case dayMilliseconds
  /// A time of day, counted in parts of a second, in an integer of a size in bytes.
  case time(perSecond: Int64, size: Int)
  /// An instant, counted from 1970 in parts of a second.
  case timestamp(perSecond: Int64, isLocal: Bool)
  /// A length of time, counted in parts of a second.
  case duration(perSecond: Int64)
  case interval(ArrowInterval)
  /// A decimal number in an integer of a size in bytes.
  case decimal(precision: Int, scale: Int, size: Int)
  /// A list of the only child; large if its ends have 64 bits.
  case list(isLarge: Bool)
  /// Lists whose beginnings and lengths are given, in any order.
  case listView(isLarge: Bool)
  case fixedList(count: Int)
  /// One value of each child.
  case structure
  /// A list of the pairs in the only child.
  case map
  /// The values of the second child, each up to a row in the first one.
  case runs
  /// A value of one of the children.
  case union(isDense: Bool)

  /// The most digits of a decimal that a double holds exactly.
  static let doubleDigits = 15

  /// The type of the layer's column that holds the values. Values that no type of a property holds
  /// become text; lists become JSON.
  package var columnType: LayerColumnType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float: .double
    case .binary, .binaryView, .fixedBinary: .data
    case .days, .dayMilliseconds, .timestamp: .date
    case .decimal(let precision, _, _) where precision <= Self.doubleDigits: .double
    case .null, .text, .textView, .time, .duration, .interval, .decimal, .list, .listView,
      .fixedList, .structure, .map, .runs, .union:
      .text
    }
  }

  /// Whether times do not name their zone.
  package var isLocal: Bool {
    if case .timestamp(_, isLocal: true) = self { true } else { false }
  }

  /// The size of a value in bytes, if all have the same size of one byte or more.
  var width: Int? {
    switch self {
    case .int(let size, _), .float(let size), .fixedBinary(let size), .time(_, let size),
      .decimal(_, _, let size):
      size
    case .days: 4
    case .dayMilliseconds, .timestamp, .duration: 8
    case .interval(let unit): unit.size
    case .textView, .binaryView: 16
    case .null, .bool, .text, .binary, .list, .listView, .fixedList, .structure, .map, .runs,
      .union:
      nil
    }
  }
}

/// The parts of an interval.
package enum ArrowInterval: Sendable {
  case months
  case daysAndMilliseconds
  case monthsDaysAndNanoseconds

  /// The size of an interval in bytes.
  var size: Int {
    switch self {
    case .months: 4
    case .daysAndMilliseconds: 8
    case .monthsDaysAndNanoseconds: 16
    }
  }
}
