internal import CArrow
internal import CairnIO
import CairnSystem

/// The type of an Arrow column, parsed from its format.
indirect enum ArrowType: Equatable {
  case null
  case bool
  /// An integer of a size in bytes.
  case int(size: Int, isSigned: Bool)
  /// A floating-point number of a size in bytes.
  case float(size: Int)
  /// A text; large if its ends have 64 bits.
  case text(isLarge: Bool)
  case binary(isLarge: Bool)
  case fixedBinary(size: Int)
  /// Days since 1970, of 32 bits.
  case days
  /// Milliseconds since 1970 at midnight, of 64 bits.
  case dayMilliseconds
  /// A time of day, counted in parts of a second, in an integer of a size in bytes.
  case time(perSecond: Int64, size: Int)
  /// An instant, counted from 1970 in parts of a second.
  case timestamp(perSecond: Int64, isLocal: Bool)
  /// A decimal number in an integer of a size in bytes.
  case decimal(precision: Int, scale: Int, size: Int)
  /// A list of the only child; large if its ends have 64 bits.
  case list(isLarge: Bool)
  case fixedList(count: Int)
  /// One value of each child.
  case structure
  /// A list of the pairs in the only child.
  case map

  /// Parses a format, such as `tsm:UTC`. Returns nil if the format is not supported.
  init?(_ format: String) {
    let parts = format.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (letters, rest) = (parts.first ?? "", parts.count > 1 ? String(parts[1]) : "")
    switch letters {
    case "n": self = .null
    case "b": self = .bool
    case "c", "s", "i", "l": self = .int(size: Self.sizes[letters] ?? 8, isSigned: true)
    case "C", "S", "I", "L":
      self = .int(size: Self.sizes[letters.lowercased()[...]] ?? 8, isSigned: false)
    case "f": self = .float(size: 4)
    case "g": self = .float(size: 8)
    case "u": self = .text(isLarge: false)
    case "U": self = .text(isLarge: true)
    case "z": self = .binary(isLarge: false)
    case "Z": self = .binary(isLarge: true)
    case "w":
      guard let size = Int(rest), size > 0 else { return nil }
      self = .fixedBinary(size: size)
    case "tdD": self = .days
    case "tdm": self = .dayMilliseconds
    case "tts": self = .time(perSecond: 1, size: 4)
    case "ttm": self = .time(perSecond: 1000, size: 4)
    case "ttu": self = .time(perSecond: 1_000_000, size: 8)
    case "ttn": self = .time(perSecond: 1_000_000_000, size: 8)
    case "tss": self = .timestamp(perSecond: 1, isLocal: rest.isEmpty)
    case "tsm": self = .timestamp(perSecond: 1000, isLocal: rest.isEmpty)
    case "tsu": self = .timestamp(perSecond: 1_000_000, isLocal: rest.isEmpty)
    case "tsn": self = .timestamp(perSecond: 1_000_000_000, isLocal: rest.isEmpty)
    case "d":
      let numbers = rest.split(separator: ",").map { Int($0) ?? -1 }
      guard numbers.count >= 2, numbers[0] > 0, numbers[1] >= 0,
        numbers.count < 3 || numbers[2] == 128
      else { return nil }
      self = .decimal(precision: numbers[0], scale: numbers[1], size: 16)
    case "+l": self = .list(isLarge: false)
    case "+L": self = .list(isLarge: true)
    case "+w":
      guard let count = Int(rest), count >= 0 else { return nil }
      self = .fixedList(count: count)
    case "+s": self = .structure
    case "+m": self = .map
    default: return nil
    }
  }

  private static let sizes: [Substring: Int] = ["c": 1, "s": 2, "i": 4, "l": 8]

  /// The type of the layer's column that holds the values. Values that no type of a property holds
  /// become text; lists become JSON.
  var columnType: LayerColumnType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .float: .double
    case .binary, .fixedBinary: .data
    case .days, .dayMilliseconds, .timestamp: .date
    case .decimal(let precision, _, _) where precision <= 15: .double
    case .null, .text, .time, .decimal, .list, .fixedList, .structure, .map: .text
    }
  }

  /// Whether times do not name their zone.
  var isLocal: Bool {
    if case .timestamp(_, isLocal: true) = self { true } else { false }
  }
}

/// A column of the layer as Arrow describes it.
struct ArrowField {
  let name: String
  let type: ArrowType
  /// The type of the integers that number the values of a dictionary; nil without one.
  let dictionaryIndex: ArrowType?
  let children: [ArrowField]
  /// Whether the values are geometries in WKB.
  let isGeometry: Bool

  /// The deepest nesting of lists that is read.
  private static let deepest = 32

  /// - Throws: An error if a column has a type that is not supported.
  init(_ schema: cairn_arrow_schema, depth: Int = 0) throws(LayerFailure) {
    name = schema.name.map { String(cString: $0) } ?? ""
    let format = schema.format.map { String(cString: $0) } ?? ""
    guard let own = ArrowType(format), depth < Self.deepest else {
      throw LayerFailure("the column `\(name)` has a type that Cairn does not read (\(format))")
    }
    if let dictionary = schema.dictionary {
      let values = try ArrowField(dictionary.pointee, depth: depth + 1)
      guard case .int = own, values.dictionaryIndex == nil else {
        throw LayerFailure("the column `\(name)` has a dictionary that Cairn does not read")
      }
      (type, dictionaryIndex, children, isGeometry) = (values.type, own, values.children, false)
      return
    }
    type = own
    dictionaryIndex = nil
    var children: [ArrowField] = []
    for index in 0..<Int(schema.n_children) {
      guard let child = schema.children?[index] else { continue }
      children.append(try ArrowField(child.pointee, depth: depth + 1))
    }
    self.children = children
    let isList = [.list(isLarge: false), .list(isLarge: true), .map].contains(own)
    guard !isList || children.count == 1 else {
      throw LayerFailure("the column `\(name)` is not described as Arrow requires")
    }
    let isBinary = own == .binary(isLarge: false) || own == .binary(isLarge: true)
    isGeometry = isBinary && Self.extensionName(schema.metadata)?.hasSuffix(".wkb") == true
  }

  /// Returns the name of the type that a program gives to the column, from its metadata: a number
  /// of pairs, and the length and bytes of the name and the value of each.
  private static func extensionName(_ metadata: UnsafePointer<CChar>?) -> String? {
    guard var cursor = metadata.map({ UnsafeRawPointer($0) }) else { return nil }
    func takeNumber() -> Int {
      defer { cursor += 4 }
      return Int(cursor.loadUnaligned(as: Int32.self))
    }
    func takeText() -> String {
      let count = takeNumber()
      defer { cursor += max(0, count) }
      return String(
        decoding: UnsafeRawBufferPointer(start: cursor, count: max(0, count)), as: UTF8.self)
    }
    for _ in 0..<max(0, takeNumber()) {
      let (name, value) = (takeText(), takeText())
      if name == "ARROW:extension:name" { return value }
    }
    return nil
  }
}

extension ArrowField {
  /// Whether the values are days, or times without a zone.
  var isDated: Bool { dictionaryIndex == nil && (type == .days || type.isLocal) }
}

/// The reason why a layer cannot be read.
struct LayerFailure: Error {
  /// The kind of a failure.
  enum Kind: UInt8 {
    /// The file that is read is damaged, or the format that is written cannot hold the rows.
    case data = 0
    /// libgdal is missing, or too old.
    case library
    /// The file cannot be written.
    case output
  }

  let kind: Kind
  let message: String

  init(_ message: String, kind: Kind = .data) {
    self.message = message
    self.kind = kind
  }
}
