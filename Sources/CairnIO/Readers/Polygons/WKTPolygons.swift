internal import CairnGeometry

/// Reads the WKT of polygons with ``WKTScan``.
struct WKTPolygons {
  private var scan: WKTScan

  private init(_ scan: WKTScan) { self.scan = scan }

  /// Whether the text is the WKT of a polygon rather than a path.
  static func isWKT(_ text: String) -> Bool {
    var rest = text.drop(while: \.isWhitespace)
    if rest.prefix(4).uppercased() == "SRID", let end = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: end)...].drop(while: \.isWhitespace)
    }
    return text.contains("(") && type(of: rest.prefix { $0.isLetter }.uppercased()) != nil
  }

  /// Returns the type that a word names; `POLYGONZ` is accepted as well as `POLYGON Z`.
  private static func type(of word: String) -> String? {
    ["POLYGON", "MULTIPOLYGON"].first { type in
      ["", "Z", "M", "ZM"].contains { type + $0 == word }
    }
  }

  /// - Throws: An error with the position of the character.
  static func read(_ text: String) throws(PolygonTextError) -> ParsedPolygons {
    // Each character that is white space becomes a space, so that the scan sees only ASCII spaces
    // and positions remain the same.
    var spaced = ""
    for scalar in text.unicodeScalars {
      spaced.unicodeScalars.append(scalar.properties.isWhitespace ? " " : scalar)
    }
    var bytes = Array(spaced.utf8)
    let count = bytes.count
    bytes += Array(repeating: 0, count: InputBlock.padding)
    return try bytes.withUnsafeBufferPointer { (buffer) throws(PolygonTextError) in
      var reader = WKTPolygons(WKTScan(UnsafeBufferPointer(rebasing: buffer[..<count])))
      return try reader.read()
    }
  }

  private mutating func read() throws(PolygonTextError) -> ParsedPolygons {
    let system = try system()
    let type = Self.type(of: word())
    if ["Z", "M", "ZM"].contains(peekedWord) { _ = word() }
    var polygons: [[PlaneRing]] = []
    switch type {
    case "POLYGON": polygons = [try rings()]
    case "MULTIPOLYGON":
      try list { (reader) throws(PolygonTextError) in polygons.append(try reader.rings()) }
    default: throw error("expected POLYGON or MULTIPOLYGON")
    }
    guard scan.isAtEnd else {
      scan.skipSpace()
      throw error("unexpected text after the polygon")
    }
    return ParsedPolygons(
      polygons: polygons.map { ParsedPolygon(builder: PolygonBuilder(rings: $0), feature: nil) },
      system: system)
  }

  /// Reads the coordinate system in `SRID=2056;`. 4326, 0 and a missing SRID mean WGS 84.
  private mutating func system() throws(PolygonTextError) -> CRSMember {
    guard peekedWord == "SRID" else { return .wgs84 }
    _ = word()
    guard take("=") else { throw error("expected '=' after SRID") }
    scan.skipSpace()
    guard let number = scan.takeDigits() else { throw error("expected a number after SRID=") }
    guard take(";") else { throw error("expected ';' after SRID=\(number)") }
    return number == 0 ? .wgs84 : CRSMember(name: "EPSG:\(number)")
  }

  private func error(_ message: String) -> PolygonTextError {
    PolygonTextError(message: message, position: .character(scan.characterCount + 1))
  }

  private var peekedWord: String {
    var ahead = scan
    ahead.skipSpace()
    return ahead.takeWord()
  }

  private mutating func word() -> String {
    scan.skipSpace()
    return scan.takeWord()
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    scan.skipSpace()
    return scan.take(scalar)
  }

  private mutating func list(
    _ item: (inout WKTPolygons) throws(PolygonTextError) -> Void
  ) throws(PolygonTextError) {
    guard take("(") else { throw error("expected '('") }
    repeat { try item(&self) } while take(",")
    guard take(")") else { throw error("expected ',' or ')'") }
  }

  private mutating func rings() throws(PolygonTextError) -> [PlaneRing] {
    var rings: [PlaneRing] = []
    try list { (reader) throws(PolygonTextError) in
      var ring = PlaneRing()
      try reader.list { (reader) throws(PolygonTextError) in try reader.readPoint(into: &ring) }
      rings.append(ring)
    }
    return rings
  }

  private mutating func readPoint(into ring: inout PlaneRing) throws(PolygonTextError) {
    var count = 0
    var (x, y) = (0.0, 0.0)
    while let number = try number() {
      if count == 0 { x = number } else if count == 1 { y = number }
      count += 1
    }
    guard (2...4).contains(count) else { throw error("expected a longitude and a latitude") }
    ring.append(x, y: y)
  }

  private mutating func number() throws(PolygonTextError) -> Double? {
    scan.skipSpace()
    let start = scan
    let token = scan.takeToken()
    guard let base = token.baseAddress, !token.isEmpty else { return nil }
    if let number = NumberSpelling.anyDouble(base, count: token.count) { return number }
    scan = start
    throw error("'\(String(decoding: token, as: UTF8.self))' is not a number")
  }
}
