internal import CairnValues

/// RFC 4180 with a header line and LF, separated by commas, tabs or another character. A null is an
/// empty field, an empty string is `""`.
///
/// A location takes two columns: `latitude` and `longitude`, prefixed with the property's name if
/// those names are taken. In a coordinate system other than WGS 84 they are `x` and `y`. A geometry is
/// well-known text.
struct CSVEncoder: RowEncoder {
  private let headers: [String]
  private let isPoint: [Bool]
  private let delimiter: UInt8
  private let style: CSVStyle

  /// - Parameter delimiter: The byte between two fields, unless the style names another one.
  init(_ columns: [OutputColumn], isProjected: Bool, style: CSVStyle, delimiter: UInt8) {
    self.delimiter = style.delimiter ?? delimiter
    self.style = style
    let names = isProjected ? ["x", "y"] : ["latitude", "longitude"]
    var taken = Set(columns.filter { $0.type != .point }.map(\.name))
    headers = columns.flatMap { column -> [String] in
      guard column.type == .point else { return [column.name] }
      let prefix = taken.isDisjoint(with: names) ? "" : column.name + "."
      taken.formUnion(names)
      return names.map { prefix + $0 }
    }
    isPoint = columns.map { $0.type == .point }
  }

  var areRowsIndependent: Bool { true }

  func begin(_ sink: OutputSink) {
    if style.hasByteOrderMark { sink.append("\u{FEFF}") }
    for (index, header) in headers.enumerated() {
      if index > 0 { sink.append(delimiter) }
      append(header, to: sink)
    }
    sink.append("\n")
  }

  func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    for index in 0..<row.count {
      if index > 0 { sink.append(delimiter) }
      append(row[index], isPoint: isPoint[index], sink: sink)
    }
    sink.append("\n")
  }

  func end(_ sink: OutputSink) {}

  private func append(_ cell: Cell, isPoint: Bool, sink: OutputSink) {
    switch cell {
    case .null: if isPoint { sink.append(delimiter) }
    case .bool(let flag): sink.append(flag ? "true" : "false")
    case .int(let value): sink.append(int: value)
    case .float(let value): appendNumber(sink) { $0.append(float: value) }
    case .double(let value): append(value, to: sink)
    case .date(let value, let form): sink.append(ISODate.format(value, as: form))
    case .text(let bytes), .json(let bytes): append(bytes, to: sink)
    case .string(let text), .other(let text): append(text, to: sink)
    case .decimal(let value): appendNumber(sink) { $0.append(value.description) }
    case .geometry(let geometry): geometry.wkt.withUnsafeBytes { append($0, to: sink) }
    case .point(let position):
      append(position.latitude, to: sink)
      sink.append(delimiter)
      append(position.longitude, to: sink)
    case .projected(let x, let y, _):
      append(x, to: sink)
      sink.append(delimiter)
      append(y, to: sink)
    }
  }

  private func append(_ number: Double, to sink: OutputSink) {
    appendNumber(sink) { $0.append(double: number) }
  }

  /// Appends a number, with a comma in place of its point if the style says so.
  @inline(__always)
  private func appendNumber(_ sink: OutputSink, write: (OutputSink) -> Void) {
    guard style.hasDecimalCommas else { return write(sink) }
    let start = sink.count
    write(sink)
    sink.replace(UInt8(ascii: "."), by: UInt8(ascii: ","), from: start)
  }

  private func append(_ text: String, to sink: OutputSink) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: sink) }
  }

  /// Appends a field. It is quoted when it contains a special character, and when it is empty,
  /// because an empty field without quotes means null.
  private func append(_ bytes: UnsafeRawBufferPointer, to sink: OutputSink) {
    guard bytes.isEmpty || bytes.contains(where: needsQuotes) || Self.isPadded(bytes) else {
      return sink.append(bytes)
    }
    let quote = UInt8(ascii: "\"")
    sink.append(quote)
    for byte in bytes {
      if byte == quote { sink.append(quote) }
      sink.append(byte)
    }
    sink.append(quote)
  }

  private func needsQuotes(_ byte: UInt8) -> Bool {
    byte == delimiter || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r")
  }

  /// Whether the text begins or ends with a space, which some readers trim.
  private static func isPadded(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.first == UInt8(ascii: " ") || bytes.last == UInt8(ascii: " ")
  }
}
