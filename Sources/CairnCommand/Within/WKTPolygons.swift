import CairnFormats
import CairnGeometry

/// Reads `POLYGON ((…))` and `MULTIPOLYGON (((…)))`, longitude first, with or without `SRID=4326;` in front.
struct WKTPolygons {
  private var rest: Substring.UnicodeScalarView
  private let total: Int

  /// Whether the text is meant as WKT of a polygon rather than as a file's name.
  static func isWKT(_ text: String) -> Bool {
    var rest = text.trimmingSpaces()
    if rest.prefix(4).uppercased() == "SRID", let end = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: end)...].trimmingSpaces()
    }
    return text.contains("(") && type(of: rest.prefix { $0.isLetter }.uppercased()) != nil
  }

  /// The type that a word names; `POLYGONZ` is written as well as `POLYGON Z`.
  private static func type(of word: String) -> String? {
    ["POLYGON", "MULTIPOLYGON"].first { type in
      ["", "Z", "M", "ZM"].contains { type + $0 == word }
    }
  }

  /// - Throws: a bad-data failure that says where.
  static func read(_ text: String) throws -> WrittenPolygons {
    var reader = WKTPolygons(text)
    let system = try reader.system()
    let type = type(of: reader.word())
    if ["Z", "M", "ZM"].contains(reader.peekedWord()) { _ = reader.word() }
    let polygons =
      switch type {
      case "POLYGON": [try reader.rings()]
      case "MULTIPOLYGON": try reader.list { try $0.rings() }
      default: throw reader.error("expected POLYGON or MULTIPOLYGON")
      }
    reader.skipSpaces()
    guard reader.rest.isEmpty else { throw reader.error("something follows the polygon") }
    return WrittenPolygons(
      polygons: polygons.map { WrittenPolygon(draft: PolygonDraft(rings: $0), feature: nil) },
      system: system)
  }

  /// The system of `SRID=2056;`; 4326, 0 and none are WGS 84.
  private mutating func system() throws -> CRSMember {
    guard peekedWord() == "SRID" else { return .wgs84 }
    _ = word()
    guard take("=") else { throw error("expected '=' behind SRID") }
    skipSpaces()
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard let number = Int(String(digits)) else { throw error("expected a number behind SRID=") }
    rest = rest.dropFirst(digits.count)
    guard take(";") else { throw error("expected ';' behind SRID=\(number)") }
    return number == 0 ? .wgs84 : CRSMember(name: "EPSG:\(number)")
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
