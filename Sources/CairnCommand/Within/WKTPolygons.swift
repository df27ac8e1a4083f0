import CairnGeometry

/// Reads `POLYGON ((…))` and `MULTIPOLYGON (((…)))`, longitude first.
struct WKTPolygons {
  private var rest: Substring.UnicodeScalarView
  private let total: Int

  /// Whether the text is meant as WKT of a polygon rather than as a file's name.
  static func isWKT(_ text: String) -> Bool {
    let word = text.trimmingSpaces().prefix { $0.isLetter }.uppercased()
    return text.contains("(") && (word == "POLYGON" || word == "MULTIPOLYGON")
  }

  /// - Throws: a bad-data failure that says where.
  static func read(_ text: String) throws -> [WrittenPolygon] {
    var reader = WKTPolygons(text)
    let word = reader.word()
    if ["Z", "M", "ZM"].contains(reader.peekedWord()) { _ = reader.word() }
    let polygons =
      switch word {
      case "POLYGON": [try reader.rings()]
      case "MULTIPOLYGON": try reader.list { try $0.rings() }
      default: throw reader.error("expected POLYGON or MULTIPOLYGON")
      }
    reader.skipSpaces()
    guard reader.rest.isEmpty else { throw reader.error("something follows the polygon") }
    return polygons.map { WrittenPolygon(draft: PolygonDraft(rings: $0), feature: nil) }
  }

  private init(_ text: String) {
    rest = Substring(text).unicodeScalars
    total = rest.count
  }

  private func error(_ message: String) -> Failure {
    Failure(.badData, "--within: \(message) at character \(total - rest.count + 1) of the WKT")
  }

  private mutating func skipSpaces() {
    rest = rest.drop { $0.properties.isWhitespace }
  }

  private mutating func peekedWord() -> String {
    skipSpaces()
    return String(rest.prefix { $0.properties.isAlphabetic }).uppercased()
  }

  private mutating func word() -> String {
    let word = peekedWord()
    rest = rest.drop { $0.properties.isAlphabetic }
    return word
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func list<Item>(_ item: (inout WKTPolygons) throws -> Item) throws -> [Item] {
    guard take("(") else { throw error("expected '('") }
    var items: [Item] = []
    repeat { items.append(try item(&self)) } while take(",")
    guard take(")") else { throw error("expected ',' or ')'") }
    return items
  }

  private mutating func rings() throws -> [PlaneRing] {
    try list { reader in
      var ring = PlaneRing()
      _ = try reader.list { try $0.readPoint(into: &ring) }
      return ring
    }
  }

  private mutating func readPoint(into ring: inout PlaneRing) throws {
    var numbers: [Double] = []
    while let number = try number() { numbers.append(number) }
    guard (2...4).contains(numbers.count) else {
      throw error("expected a longitude and a latitude")
    }
    ring.append(numbers[0], numbers[1])
  }

  private mutating func number() throws -> Double? {
    skipSpaces()
    let text = String(
      rest.prefix { !$0.properties.isWhitespace && $0 != "," && $0 != ")" && $0 != "(" })
    guard !text.isEmpty else { return nil }
    guard let number = NumberText.parse(text) else { throw error("'\(text)' is no number") }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return number
  }
}
