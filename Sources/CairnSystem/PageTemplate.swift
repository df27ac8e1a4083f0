/// A text with placeholders such as `{{title}}`, for the pages whose files are embedded in a module.
///
/// The raw values of `Placeholder` are the names of the placeholders. Other text stays as it is.
package struct PageTemplate<Placeholder: RawRepresentable<String> & Sendable>: Sendable {
  /// A part of the text.
  package enum Part: Sendable {
    /// Bytes of the text itself.
    case text(ArraySlice<UInt8>)
    /// The position of a value.
    case placeholder(Placeholder)
  }

  /// The parts in order.
  package let parts: [Part]

  /// Splits a text at its placeholders. O(n).
  package init(_ text: [UInt8]) {
    var parts: [Part] = []
    var start = 0
    var index = 0
    while index < text.count {
      guard let (placeholder, end) = Self.placeholder(at: index, in: text) else {
        index += 1
        continue
      }
      if start < index { parts.append(.text(text[start..<index])) }
      parts.append(.placeholder(placeholder))
      (start, index) = (end, end)
    }
    if start < text.count { parts.append(.text(text[start...])) }
    self.parts = parts
  }

  /// Returns the text with a value for each placeholder.
  package func text(_ value: (Placeholder) -> String) -> String {
    var result = ""
    for part in parts {
      switch part {
      case .text(let bytes): result += String(decoding: bytes, as: UTF8.self)
      case .placeholder(let placeholder): result += value(placeholder)
      }
    }
    return result
  }

  /// Returns the placeholder that begins at an index, and the index after it.
  private static func placeholder(at index: Int, in text: [UInt8]) -> (Placeholder, end: Int)? {
    guard text[index...].starts(with: "{{".utf8) else { return nil }
    let name = text[(index + 2)...].prefix { $0 != UInt8(ascii: "}") }
    guard text[name.endIndex...].starts(with: "}}".utf8),
      let placeholder = Placeholder(rawValue: String(decoding: name, as: UTF8.self))
    else { return nil }
    return (placeholder, name.endIndex + 2)
  }
}
