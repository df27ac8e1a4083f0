internal import CairnValues

/// Values as they stand in an aligned table.
enum TableText {
  /// For a terminal: see `printable`. A double has at most 15 digits.
  static func text(_ cell: Cell) -> String {
    if case .double(let value) = cell { return ShortNumber.text(value) }
    return printable(rawText(cell))
  }

  /// With control characters and all.
  static func rawText(_ cell: Cell) -> String {
    switch cell {
    case .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .int(let value): value.description
    case .float(let value): value.description
    case .double(let value): value.description
    case .date(let value): ISODate.format(value)
    case .text(let bytes), .json(let bytes): String(decoding: bytes, as: UTF8.self)
    case .string(let text), .other(let text): text
    case .decimal(let value): value.description
    case .point(let position): "\(position.latitude), \(position.longitude)"
    case .projected(let x, let y, _): "\(x), \(y)"
    }
  }

  /// The text with control characters, which could move the terminal's cursor, written as escapes.
  static func printable(_ text: String) -> String { PrintableText.escaped(text) }

  /// The text as far as so many columns hold it, with `…` where something is missing.
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

  /// Columns of a terminal that the text takes: East Asian wide characters two, combining marks
  /// none.
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

/// Texts in the columns of a terminal, for whoever lays out lines by hand.
package enum TextWidth {
  /// Columns that the text takes.
  package static func of(_ text: String) -> Int { TableText.width(text) }

  /// The text, escaped, as far as so many columns hold it.
  package static func cut(_ text: String, to width: Int) -> String {
    TableText.cut(TableText.printable(text), to: width)
  }
}
