/// The names of folders that say which value their rows have in a column, as in `country=CH`: those of Hive,
/// which Spark, DuckDB and Arrow write and read too.
package enum HivePath {
  /// The name of null.
  package static let nullName = "__HIVE_DEFAULT_PARTITION__"

  /// The characters that Spark escapes (`ExternalCatalogUtils`), beside the control characters, and NUL, which a
  /// name of a file cannot have.
  private static let escaped = Set("\"#%'*/:=?\\{[]^".utf8)

  /// Returns the name of the folder of a value.
  ///
  /// - Parameter value: The value as text; nil for null. Readers take an empty text for null.
  package static func name(_ column: String, _ value: String?) -> String {
    let shown = value.flatMap { $0.isEmpty ? nil : escape($0) } ?? nullName
    return "\(escape(column))=\(shown)"
  }

  /// Returns the column and the value that the name of a folder states; nil for any other name. The value of
  /// null is nil.
  package static func parse(_ name: some StringProtocol) -> (name: String, value: String?)? {
    // An accent may follow the sign, and would be one character with it.
    guard let equals = name.utf8.firstIndex(of: UInt8(ascii: "=")), equals > name.startIndex else {
      return nil
    }
    let value = unescape(name.utf8[name.utf8.index(after: equals)...])
    return (unescape(name.utf8[..<equals]), value == nullName ? nil : value)
  }

  /// Replaces characters that names of files or of columns cannot have by `%` and two digits.
  static func escape(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte < 0x20 || byte == 0x7F || escaped.contains(byte) {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text with `%` and two digits replaced by the byte that they mean. Anything else stays as it is,
  /// and so does a text whose bytes would not be UTF-8.
  static func unescape(_ text: some Collection<UInt8>) -> String {
    let source = Array(text)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = number(source[index + 1]), let low = number(source[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(decoding: source, as: UTF8.self)
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    Array("0123456789ABCDEF".utf8)[Int(number)]
  }

  private static func number(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
