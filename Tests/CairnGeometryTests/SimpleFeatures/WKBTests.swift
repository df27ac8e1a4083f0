import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Writes well-known binary from well-known text in all its forms.
private struct BinaryForm {
  var isBig = false
  var isExtended = false
  var hasZ = false
  var hasM = false
  var system: UInt32?

  private func word(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  private func number(_ value: Double) -> [UInt8] {
    let bits = value.bitPattern
    return withUnsafeBytes(of: isBig ? bits.bigEndian : bits.littleEndian) { Array($0) }
  }

  private func header(_ kind: Geometry.Kind, isOutermost: Bool) -> [UInt8] {
    var code = UInt32(kind.rawValue)
    if isExtended {
      code |= (hasZ ? 0x8000_0000 : 0) | (hasM ? 0x4000_0000 : 0)
    } else {
      code += (hasZ ? 1000 : 0) + (hasM ? 2000 : 0)
    }
    guard let system, isOutermost else { return [isBig ? 0 : 1] + word(code) }
    return [isBig ? 0 : 1] + word(code | 0x2000_0000) + word(system)
  }

  private func positions(_ points: [GeoPoint]) -> [UInt8] {
    points.flatMap {
      number($0.longitude) + number($0.latitude) + (hasZ ? number($0.altitude) : [])
        + (hasM ? number(77) : [])
    }
  }

  func bytes(_ geometry: Geometry, isOutermost: Bool = true) -> [UInt8] {
    let head = header(geometry.kind, isOutermost: isOutermost)
    switch geometry.kind {
    case .point:
      let nothing = (0..<2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0)).flatMap { _ in number(.nan) }
      return head + (geometry.isEmpty ? nothing : positions(geometry.points))
    case .lineString:
      return head + word(UInt32(geometry.vertexCount)) + positions(geometry.points)
    case .polygon:
      let rings = geometry.polygon()?.polygons[0] ?? []
      return head + word(UInt32(rings.count))
        + rings.flatMap { word(UInt32($0.count)) + positions($0) }
    default:
      let members = geometry.members
      return head + word(UInt32(members.count)) + members.flatMap { bytes($0, isOutermost: false) }
    }
  }
}

@Suite(.tags(.untrusted)) struct WKBTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }

  /// Texts of PostGIS: ST_AsBinary, and ST_AsEWKB where an SRID is given.
  @Test(arguments: [
    ("0101000000000000000000F03F0000000000000040", "POINT (1 2)"),
    ("00000000013FF00000000000004000000000000000", "POINT (1 2)"),
    ("0101000020E6100000000000000000F03F0000000000000040", "POINT (1 2)"),
    ("01E9030000000000000000F03F00000000000000400000000000000840", "POINT Z (1 2 3)"),
    ("0101000080000000000000F03F00000000000000400000000000000840", "POINT Z (1 2 3)"),
    ("0101000040000000000000F03F00000000000000400000000000000840", "POINT (1 2)"),
    ("0101000000000000000000F87F000000000000F87F", "POINT EMPTY"),
    ("010200000000000000", "LINESTRING EMPTY"), ("010700000000000000", "GEOMETRYCOLLECTION EMPTY"),
    ("0104000000010000000101000000000000000000F03F0000000000000040", "MULTIPOINT ((1 2))"),
  ])
  func goldenBytes(hex: String, text: String) throws {
    #expect(try Geometry(wkb: Self.bytes(hex)).wkt == text)
  }

  @Test func writtenBytesAreISO() throws {
    #expect(
      try Geometry(wkt: "POINT Z (1 2 3)").wkb
        == Self.bytes("01E9030000000000000000F03F00000000000000400000000000000840"))
    #expect(
      try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 0))").wkb
        == Self.bytes(
          "01030000000100000004000000000000000000000000000000000000000000000000"
            + "00F03F0000000000000000000000000000F03F000000000000F03F00000000000000000000000000000000"
        ))
  }

  @Test(arguments: 0..<4) func bytesRoundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 400)
    for _ in 0..<200 {
      let geometry = Geometry.random(&random)
      #expect(try Geometry(wkb: geometry.wkb) == geometry, "seed \(seed): \(geometry)")
      #expect(try Geometry(wkb: geometry.wkb.lazy.map { $0 }) == geometry)
      guard !geometry.hasAltitudes else { continue }
      let form = BinaryForm(
        isBig: random.chance(0.5), isExtended: random.chance(0.5), hasM: random.chance(0.5),
        system: random.chance(0.5) ? 4326 : nil)
      #expect(try Geometry(wkb: form.bytes(geometry)) == geometry, "seed \(seed): \(form)")
    }
    let high = try Geometry(
      wkt: "GEOMETRYCOLLECTION Z (POINT Z (1 2 3), LINESTRING Z (1 2 3, 4 5 6))")
    for (isBig, isExtended, hasM) in [
      (true, true, true), (true, false, false), (false, false, true),
    ] {
      let form = BinaryForm(isBig: isBig, isExtended: isExtended, hasZ: true, hasM: hasM)
      #expect(try Geometry(wkb: form.bytes(high)) == high)
    }
  }

  @Test(arguments: [
    ("", "expected a byte order of 0 or 1 at byte offset 0 of the WKB, found the end"),
    ("02", "expected a byte order of 0 or 1 at byte offset 0 of the WKB, found 2"),
    ("0101", "expected 4 more bytes at byte offset 1 of the WKB, found 1"),
    (
      "010D000000",
      "expected the number of a kind of geometry, 1 to 12 or 15 to 17 at byte offset 1 of the WKB, found 13"
    ),
    ("0101000000000000000000F03F", "expected 16 more bytes at byte offset 5 of the WKB, found 8"),
    (
      "0102000000FFFFFFFF",
      "expected a count of at most 0, because the bytes end at byte offset 5 of the WKB, found 4294967295"
    ),
    (
      "010200000000000000FF",
      "expected the end of the geometry at byte offset 9 of the WKB, found 255"
    ),
    (
      "010400000001000000010200000000000000",
      "expected a Point at byte offset 10 of the WKB, found 2"
    ),
    (
      "0101000020110F0000000000000000F03F0000000000000040",
      "the geometry is in EPSG:3857, expected longitude and latitude in EPSG:4326; transform it"
        + " first, in PostGIS with ST_Transform(geometry, 4326)"
    ),
    (
      "0101000000000000000000F03F000000000000F87F",
      "the point has a latitude of nan, expected a number of -90 to 90"
    ),
  ])
  func errorsSayWhatAndWhere(hex: String, message: String) {
    #expect { try Geometry(wkb: Self.bytes(hex)) } throws: { error in
      #expect((error as? GeometryError)?.message == message)
      return true
    }
  }

  @Test func nestingIsLimited() throws {
    var geometry = try Geometry(wkt: "POINT (1 2)")
    for _ in 1..<100 { geometry = try Geometry(members: [geometry]) }
    #expect(try Geometry(wkb: geometry.wkb) == geometry)
    let deep = [UInt8](
      Array(repeating: [1, 7, 0, 0, 0, 1, 0, 0, 0] as [UInt8], count: 50_000).joined())
    #expect(throws: GeometryError.self) { try Geometry(wkb: deep) }
  }

  @Test func damagedBytesDoNotTrap() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<1500 {
      var bytes = Geometry.random(&random).wkb
      for _ in 0..<1 + random.below(3) {
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      }
      if random.chance(0.3) { bytes.removeLast(random.below(bytes.count)) }
      if let geometry = try? Geometry(wkb: bytes) {
        #expect((try? Geometry(wkb: geometry.wkb)) == geometry)
      }
    }
  }
}
