internal import CairnValues

/// Objects with one member for each column: one array of them, or one on each line.
struct JSONEncoder: RowEncoder {
  private let keys: [String]
  private let isArray: Bool
  private var isFirst = true

  init(_ columns: [OutputColumn], isArray: Bool) {
    keys = columns.map { JSONText.key($0.name) }
    self.isArray = isArray
  }

  var areRowsIndependent: Bool { true }

  func begin(_ sink: OutputSink) {
    if isArray { sink.append("[") }
  }

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    if isArray { sink.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    sink.append("{")
    for index in 0..<row.count {
      if index > 0 { sink.append(",") }
      sink.append(keys[index])
      JSONText.append(row[index], to: sink)
    }
    sink.append("}")
    if !isArray { sink.append("\n") }
  }

  func end(_ sink: OutputSink) {
    if isArray { sink.append(isFirst ? "]\n" : "\n]\n") }
  }
}

/// Writes values as JSON (RFC 8259).
package enum JSONText {
  private static let hex = Array("0123456789abcdef".utf8)

  /// Appends a value. A double that JSON cannot represent becomes null.
  package static func append(_ cell: Cell, to sink: OutputSink) {
    switch cell {
    case .null: sink.append("null")
    case .bool(let flag): sink.append(flag ? "true" : "false")
    case .int(let value): sink.append(int: value)
    case .float(let value): value.isFinite ? sink.append(float: value) : sink.append("null")
    case .double(let value): value.isFinite ? sink.append(double: value) : sink.append("null")
    case .date(let value, let form): append(string: ISODate.format(value, as: form), to: sink)
    case .text(let bytes): append(bytes, to: sink)
    case .string(let text), .other(let text): append(string: text, to: sink)
    case .json(let bytes): sink.append(bytes)
    case .point(let position):
      sink.append("{\"latitude\":")
      append(
        position.latitude, name: "longitude", second: position.longitude,
        altitude: position.altitude, to: sink)
    case .projected(let x, let y, let altitude):
      sink.append("{\"x\":")
      append(x, name: "y", second: y, altitude: altitude, to: sink)
    case .geometry(let geometry): GeoJSONText.append(geometry, to: sink)
    case .decimal(let value): append(value, to: sink)
    }
  }

  private static func append(_ value: Decimal128, to sink: OutputSink) {
    let text = value.description
    let isNumber = text.utf8.contains { (48...57).contains($0) }
    isNumber ? sink.append(text) : append(string: text, to: sink)
  }

  /// Appends the rest of a location, starting with the value of its first member.
  private static func append(
    _ first: Double, name: StaticString, second: Double, altitude: Double, to sink: OutputSink
  ) {
    sink.append(double: first)
    sink.append(",\"")
    sink.append(name)
    sink.append("\":")
    sink.append(double: second)
    if altitude != 0 {
      sink.append(",\"altitude\":")
      sink.append(double: altitude)
    }
    sink.append("}")
  }

  package static func append(string: String, to sink: OutputSink) {
    var string = string
    string.withUTF8 { append(UnsafeRawBufferPointer($0), to: sink) }
  }

  /// Appends a string, quoted and escaped.
  static func append(_ bytes: UnsafeRawBufferPointer, to sink: OutputSink) {
    sink.append(UInt8(ascii: "\""))
    var start = 0
    for index in 0..<bytes.count where needsEscape(bytes[index]) {
      sink.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
      escape(bytes[index], sink: sink)
      start = index + 1
    }
    sink.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    sink.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8, sink: OutputSink) {
    sink.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): sink.append(byte)
    case UInt8(ascii: "\n"): sink.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): sink.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): sink.append(UInt8(ascii: "t"))
    default:
      sink.append("u00")
      sink.append(hex[Int(byte >> 4)])
      sink.append(hex[Int(byte & 15)])
    }
  }

  /// Returns `"name":`, created once for every column.
  static func key(_ name: String) -> String { JSONString.quoted(name) + ":" }
}
