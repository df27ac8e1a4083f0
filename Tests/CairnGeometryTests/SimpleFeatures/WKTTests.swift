import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct WKTTests {
  /// Texts that are written as they are read.
  static let canonical = [
    "POINT (8.5 47.25)", "POINT EMPTY", "POINT Z (8.5 47.25 -12.5)", "POINT (-0 1e-10)",
    "POINT (0.30000000000000004 -1.5e-300)", "LINESTRING (1 2, -180 90, 180 -90)",
    "LINESTRING Z (1 2 3, 4 5 NaN)", "POLYGON ((0 0, 10 0, 10 10, 0 0), (1 1, 2 1, 2 2, 1 1))",
    "MULTIPOINT ((1 2), EMPTY, (0.0000001 -0.1234567))",
    "MULTILINESTRING ((1 2, 3 4), EMPTY, (5 6, 7 8))",
    "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), EMPTY, ((5 5, 6 5, 6 6, 5 5)))",
    "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION (LINESTRING EMPTY), MULTIPOINT EMPTY)",
    "GEOMETRYCOLLECTION EMPTY",
    "GEOMETRYCOLLECTION Z (POINT Z (1 2 3), POINT Z EMPTY, MULTIPOINT Z ((1 2 NaN)))",
  ]

  @Test(arguments: canonical) func canonicalTextsStay(text: String) throws {
    #expect(try Geometry(wkt: text).wkt == text)
  }

  @Test(arguments: [
    ("point(8 47)", "POINT (8 47)"), (" \n Point\tZ( 8 47 5 ) ", "POINT Z (8 47 5)"),
    ("POINTZ (8 47 5)", "POINT Z (8 47 5)"), ("POINT (8 47 5)", "POINT Z (8 47 5)"),
    ("POINT M (8 47 5)", "POINT (8 47)"), ("POINTM(8 47 5)", "POINT (8 47)"),
    ("pointzm (8 47 5 6)", "POINT Z (8 47 5)"), ("POINT (8 47 5 6)", "POINT Z (8 47 5)"),
    ("Point ZM EMPTY", "POINT EMPTY"), ("LineString Z Empty", "LINESTRING EMPTY"),
    ("SRID=4326;POINT(8 47)", "POINT (8 47)"), ("srid = 4326 ; POINT(8 47)", "POINT (8 47)"),
    ("MULTIPOINT (1 2, 3 4)", "MULTIPOINT ((1 2), (3 4))"),
    ("MULTIPOINT((1 2),3 4,empty)", "MULTIPOINT ((1 2), (3 4), EMPTY)"),
    ("POINT(+8. .5)", "POINT (8 0.5)"), ("POINT(007.250 -1E1)", "POINT (7.25 -10)"),
    ("POINT(8 47.000000000000000000000)", "POINT (8 47)"),
    ("POINT Z (8 47 nan)", "POINT (8 47)"),
    (
      "GEOMETRYCOLLECTION(POINT Z(1 2 3),POINT M(1 2 3))",
      "GEOMETRYCOLLECTION Z (POINT Z (1 2 3), POINT Z (1 2 NaN))"
    ),
    ("POINT (+1 -.5)", "POINT (1 -0.5)"), ("LINESTRING (.5 5., 1e1 2)", "LINESTRING (0.5 5, 10 2)"),
    ("LINEARRING (0 0, 4 0, 0 4, 0 0)", "LINESTRING (0 0, 4 0, 0 4, 0 0)"),
    ("TRIANGLE ((0 0, 4 0, 0 4, 0 0))", "POLYGON ((0 0, 4 0, 0 4, 0 0))"),
    (
      "TIN (((0 0, 4 0, 0 4, 0 0)), ((4 0, 4 4, 0 4, 4 0)))",
      "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 0 4, 0 0)), POLYGON ((4 0, 4 4, 0 4, 4 0)))"
    ),
    (
      "POLYHEDRALSURFACE Z (((0 0 1, 4 0 1, 0 4 1, 0 0 1)))",
      "GEOMETRYCOLLECTION Z (POLYGON Z ((0 0 1, 4 0 1, 0 4 1, 0 0 1)))"
    ),
    ("TIN EMPTY", "GEOMETRYCOLLECTION EMPTY"), ("CIRCULARSTRING EMPTY", "LINESTRING EMPTY"),
    ("CURVEPOLYGON ((0 0, 4 0, 0 4, 0 0))", "POLYGON ((0 0, 4 0, 0 4, 0 0))"),
    (
      "MULTICURVE ((0 0, 1 1), COMPOUNDCURVE ((2 2, 3 3), LINESTRING (3 3, 4 3)))",
      "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 3))"
    ),
    (
      "MULTISURFACE (((0 0, 4 0, 0 4, 0 0)), CURVEPOLYGON ((9 0, 9 4, 5 0, 9 0)))",
      "MULTIPOLYGON (((0 0, 4 0, 0 4, 0 0)), ((9 0, 9 4, 5 0, 9 0)))"
    ),
    // Three positions on a line are no arc.
    ("CIRCULARSTRING M (0 0 7, 1 1 8, 2 2 9)", "LINESTRING (0 0, 1 1, 2 2)"),
  ])
  func otherSpellings(text: String, expected: String) throws {
    #expect(try Geometry(wkt: text).wkt == expected)
  }

  @Test func everyReaderTakesTheseTexts() throws {
    for (text, wkt) in GeometryTexts.accepted {
      #expect(try Geometry(wkt: text).wkt == wkt, "\(text)")
    }
    for (text, message) in GeometryTexts.malformed {
      #expect { try Geometry(wkt: text) } throws: { error in
        #expect((error as? GeometryError)?.message == message, "\(text)")
        return true
      }
    }
  }

  /// The head of a text has the same point as the whole text, and the same kind.
  @Test func headsAgree() throws {
    for text in GeometryTexts.accepted.map(\.text) + Self.canonical {
      let geometry = try Geometry(wkt: text)
      var copy = text
      let (head, kind) = copy.withUTF8 { bytes in
        (Result { try GeometryHead(wkt: bytes) }, GeometryHead.kind(ofWKT: bytes))
      }
      let binary = geometry.wkb.withUnsafeBytes { bytes in Result { try GeometryHead(wkb: bytes) } }
      #expect(kind == geometry.kind, "\(text)")
      switch try head.get().content {
      case .empty: #expect(geometry.isEmpty, "\(text)")
      case .other(let kind): #expect(kind == geometry.kind && kind != .point, "\(text)")
      case .point:
        let made = try Geometry(wkb: geometry.wkb).withView { view in
          GeometryHead.Content.point(
            longitude: view.longitude(0), latitude: view.latitude(0), altitude: view.altitude(0))
        }
        #expect(try head.get().content == made, "\(text)")
        #expect(try binary.get().content == made, "\(text)")
      }
    }
  }

  @Test(arguments: [
    ("", "expected a kind of geometry, such as POINT at character offset 0, found the end"),
    (
      "PINT (1 2)", "expected a kind of geometry, such as POINT at character offset 0, found 'PINT'"
    ),
    ("POINT", "expected '(' at character offset 5, found the end"),
    ("POINT (1)", "expected a number at character offset 8, found ')'"),
    ("POINT (1 2", "expected ')' at character offset 10, found the end"),
    ("POINT (1 2) x", "expected the end of the text at character offset 12, found 'x'"),
    ("POINT (1 2 3 4 5)", "expected ')' at character offset 15, found '5'"),
    ("POINT Z (1 2)", "expected a position of 3 numbers at character offset 9, found 2"),
    ("POINTZM (1 2 3)", "expected a position of 4 numbers at character offset 9, found 3"),
    ("POINT NONE", "expected '(' or EMPTY at character offset 6, found 'NONE'"),
    ("LINESTRING (1 2 / 3 4)", "expected a number, ',' or ')' at character offset 16, found '/'"),
    ("LINESTRING (1 é, 3 4)", "expected a number at character offset 14, found 'é'"),
    ("POINT (8 \u{1B}47)", "expected a number at character offset 9, found '\u{1B}'"),
    ("SRID=4326 POINT (1 2)", "expected ';' after SRID=4326 at character offset 10, found 'POINT'"),
    (
      "LINESTRING (0 0, 1 1 1)",
      "expected a position of 2 numbers at character offset 17, found 3"
    ),
    (
      "CIRCULARSTRING (0 0, 1 1)",
      "expected 3, 5, 7, … positions of arcs at character offset 15, found 2"
    ),
    (
      "COMPOUNDCURVE ((0 0, 1 1), POINT (1 2))",
      "expected '(', LINESTRING, CIRCULARSTRING or COMPOUNDCURVE at character offset 27, found 'POINT'"
    ),
    (
      "COMPOUNDCURVE (COMPOUNDCURVE ((0 0, 1 1)))",
      "expected '(', LINESTRING or CIRCULARSTRING at character offset 15, found 'COMPOUNDCURVE'"
    ),
    (
      "SRID=3857;POINT (1 2)",
      "the geometry is in EPSG:3857, expected longitude and latitude in EPSG:4326; transform it"
        + " first, in PostGIS with ST_Transform(geometry, 4326)"
    ),
    (
      "POINT (8 147)",
      "the point has a latitude of 147.0, expected a number of -90 to 90; latitude and longitude"
        + " may be swapped"
    ),
    (
      "MULTIPOINT (1 2, 1e999 3)",
      "point 2 has a longitude of inf, expected a number of -180 to 180"
    ),
    ("POINT Z (1 2 Inf)", "the point has an altitude of inf, expected a finite number"),
    ("MULTILINESTRING ((1 2, 3 4), (1 2))", "line 2 has 1 point; a line needs at least 2"),
    ("POLYGON (EMPTY, (0 0, 1 1, 2 0, 0 0))", "the outer ring has no points"),
  ])
  func errorsSayWhatAndWhere(text: String, message: String) {
    #expect { try Geometry(wkt: text) } throws: { error in
      #expect((error as? GeometryError)?.message == message)
      return true
    }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "GEOMETRYCOLLECTION (", count: levels - 1) + "POINT (1 2)"
        + String(repeating: ")", count: levels - 1)
    }
    #expect(try Geometry(wkt: nested(100)).withView { $0.nestingDepth } == 100)
    #expect(throws: GeometryError.self) { try Geometry(wkt: nested(101)) }
    #expect(throws: GeometryError.self) { try Geometry(wkt: nested(100_000)) }
  }

  @Test(arguments: 0..<4) func textsRoundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 300)
    for _ in 0..<250 {
      let geometry = Geometry.random(&random)
      let text = geometry.wkt
      #expect(try Geometry(wkt: text) == geometry, "seed \(seed): \(text)")
      #expect(try Geometry(wkt: text.lowercased()) == geometry, "seed \(seed): \(text)")
    }
  }

  @Test func damagedTextsDoNotTrap() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<1500 {
      var text = Array(random.pick(Self.canonical).utf8)
      for _ in 0..<1 + random.below(3) {
        let index = random.below(text.count)
        switch random.below(3) {
        case 0: text.remove(at: index)
        case 1: text[index] = random.pick(Array("(),ZM 0.9e-x\u{0}".utf8))
        default: text.insert(random.pick(Array("(),ZM 0.9e-x".utf8)), at: index)
        }
        if text.isEmpty { break }
      }
      if let geometry = try? Geometry(wkt: String(decoding: text, as: UTF8.self)) {
        #expect((try? Geometry(wkt: geometry.wkt)) == geometry)
      }
    }
  }

  @Test func descriptionsAreShort() throws {
    #expect("\(try Geometry(wkt: "POINT (1 2)"))" == "POINT (1 2)")
    let points = (0..<500).compactMap { GeoPoint(latitude: 1, longitude: Double($0) / 10) }
    let description = "\(Geometry(points: points))"
    #expect(description.hasPrefix("MULTIPOINT ((0 1), (0.1 1), "))
    #expect(description.hasSuffix("… (500 vertices)") && description.count < 200)
  }
}

@Suite(.tags(.untrusted)) struct CoordinateTextTests {
  private static func parse(_ text: String) -> (value: Double?, length: Int) {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer {
      var index = 0
      return (CoordinateText.parse($0, at: &index), index)
    }
  }

  @Test(arguments: 0..<3) func numbersAreTheNearest(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 700)
    for _ in 0..<2500 {
      let value =
        random.chance(0.5)
        ? Double(bitPattern: random.next()) : Double.random(in: -180...180, using: &random)
      guard value.isFinite else { continue }
      var text: [UInt8] = []
      CoordinateText.append(value, to: &text)
      let written = String(decoding: text, as: UTF8.self)
      #expect(Self.parse(written).value?.bitPattern == value.bitPattern, "\(written)")
      #expect(written.count <= value.description.count)
      // Digits at random, more than a double distinguishes.
      var digits = (0..<1 + random.below(25)).map { _ in String(random.below(10)) }
      digits.insert(".", at: random.below(digits.count + 1))
      var long = (random.chance(0.3) ? "-" : "") + digits.joined()
      if random.chance(0.3) { long += "e\(random.below(80) - 40)" }
      let expected =
        Double(long) ?? Double(long.replacing(/^(-?)\./) { "\($0.output.1)0." })
        ?? Double(long + "0")
      let parsed = Self.parse(long)
      #expect(parsed.value?.bitPattern == expected?.bitPattern, "\(long)")
      #expect(parsed.length == long.utf8.count)
    }
  }

  @Test func whatIsNoNumberIsLeft() {
    for text in ["", "-", ".", "+.", "e5", "-x", "abc", ",1"] {
      #expect(Self.parse(text).value == nil && Self.parse(text).length == 0, "\(text)")
    }
    #expect(Self.parse("5e").length == 1 && Self.parse("5e+x").length == 1)
    #expect(Self.parse("1.5,2").length == 3)
    #expect(Self.parse("1e400").value == .infinity)
    #expect(Self.parse("1e-400").value == 0)
    #expect(Self.parse("-Infinity").value == -.infinity)
  }
}
