import CairnSystem
internal import CairnValues

/// The text of values in an aligned table.
package enum TableText {
  /// Returns the text for a terminal; see `printable`. A double has at most 15 digits, and a long
  /// geometry is shortened.
  package static func text(_ cell: Cell) -> String {
    if case .double(let value) = cell { return ShortNumber.text(value) }
    if case .geometry(let geometry) = cell { return geometry.shortText }
    return printable(rawText(cell))
  }

  /// Returns the text with its control characters.
  package static func rawText(_ cell: Cell) -> String {
    switch cell {
    case .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .int(let value): value.description
    case .float(let value): value.description
    case .double(let value): value.description
    case .date(let value, let form): ISODate.format(value, as: form)
    case .text(let bytes), .json(let bytes): String(decoding: bytes, as: UTF8.self)
    case .string(let text), .other(let text): text
    case .decimal(let value): value.description
    case .geometry(let geometry): String(decoding: geometry.wkt, as: UTF8.self)
    case .point(let position): "\(position.latitude), \(position.longitude)"
    case .projected(let x, let y, _): "\(x), \(y)"
    }
  }

  /// Returns the text with control characters, which could move the terminal's cursor, as escapes.
  package static func printable(_ text: String) -> String { PrintableText.escaped(text) }

  /// Returns the text truncated to that many terminal columns, with `…` if something is missing.
  static func cut(_ text: String, to width: Int) -> String {
    guard Self.width(text) > width else { return text }
    var cut = ""
    var room = width - 1
    for character in text {
      room -= Self.width(String(character))
      if room < 0 { break }
      cut.append(character)
    }
    return cut + "…"
  }

  /// Returns the number of terminal columns that the text takes: two for East Asian wide
  /// characters, none for combining marks.
  static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// The wide and fullwidth blocks of Unicode's East Asian Width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
    0x20000...0x3FFFD,
  ]
}

/// Measures text in terminal columns, for code that lays out lines itself.
package enum TextWidth {
  /// Returns the number of terminal columns that the text takes.
  package static func of(_ text: String) -> Int { TableText.width(text) }

  /// Returns the text, escaped and truncated to that many terminal columns.
  package static func cut(_ text: String, to width: Int) -> String {
    TableText.cut(TableText.printable(text), to: width)
  }
}

/// Formats numbers for people: `93.063` if the double is 93.06299999999999.
package enum ShortNumber {
  private static let digits = 15

  /// Returns the shortest text that equals the number in its first 15 digits.
  ///
  /// Every decimal of at most 15 digits is its own text, so only the rounding error of arithmetic
  /// is lost. Numbers from 10^15 on have no digits to spare and remain exact.
  package static func text(_ number: Double) -> String {
    let exact = number.description
    guard exact.utf8.count > digits, abs(number) < 1e15 else { return exact }
    return Double(rounded(number))?.description ?? exact
  }

  /// Returns the number in C's notation with 15 significant digits.
  private static func rounded(_ number: Double) -> String {
    var buffer = [CChar](repeating: 0, count: 40)
    let length = withVaList([number]) { vsnprintf(&buffer, buffer.count, "%.\(digits)g", $0) }
    return String(decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
