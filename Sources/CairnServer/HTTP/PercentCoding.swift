/// The percent-encoding of URLs (RFC 3986).
enum PercentCoding {
  /// Returns the text with every byte encoded that is not a letter, a digit or one of `-._~`.
  static func encoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the decoded text; nil if an escape is incomplete, or if the result is not UTF-8 or has
  /// a NUL.
  ///
  /// - Parameter plusIsSpace: Whether a plus sign is a space, as in queries.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

/// The parameters of a query, decoded, in order.
struct QueryItems {
  /// The names and values.
  let items: [(name: String, value: String)]

  /// Parses the part of a URL behind the question mark.
  ///
  /// - Throws: A problem if an escape is wrong, or a name comes twice.
  init(_ query: String) throws(Problem) {
    var items: [(name: String, value: String)] = []
    var names: Set<String> = []
    for part in query.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decoded(sides[0], plusIsSpace: true),
        let value = PercentCoding.decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
      else { throw .badRequest("the query has a percent sign without two digits, or is not UTF-8") }
      guard names.insert(name).inserted else {
        throw .badRequest("the parameter '\(name)' is given twice")
      }
      items.append((name, value))
    }
    self.items = items
  }

  /// The value of a parameter; nil if it is missing.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The query with some parameters replaced or, with nil, removed.
  func replacing(_ changes: [(name: String, value: String?)]) -> String {
    let kept = items.filter { item in !changes.contains { $0.name == item.name } }
    let added = changes.compactMap { change in change.value.map { (change.name, $0) } }
    let all = kept.map { ($0.name, $0.value) } + added
    guard !all.isEmpty else { return "" }
    return "?"
      + all.map { "\(PercentCoding.encoded($0.0))=\(PercentCoding.encoded($0.1))" }
      .joined(separator: "&")
  }
}
