import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct BufferStyleTests {
  private let distance = 0.1

  private func buffer(_ wkt: String, _ style: BufferStyle) throws -> Geometry {
    let buffer = try Geometry(wkt: wkt).buffer(try #require(.degrees(distance)), style: style)
    #expect(buffer.isValid)
    return buffer
  }

  /// The areas are those of the plane, near the equator where it is true.
  @Test func areasOfCaps() throws {
    let line = "LINESTRING (0 0, 1 0)"
    let circle = 64.0 / 2 * sine(2 * .pi / 64) * distance * distance
    for (cap, expected) in [
      (BufferStyle.Cap.flat, 0.2), (.square, 0.24), (.round, 0.2 + circle),
    ] {
      let area = try buffer(line, BufferStyle(cap: cap)).planarArea
      #expect(abs(area / expected - 1) < 1e-3, "\(cap)")
    }
    let point = "POINT (0 0)"
    #expect(try buffer(point, BufferStyle(cap: .flat)).isEmpty)
    #expect(abs(try buffer(point, BufferStyle(cap: .square)).planarArea - 0.04) < 1e-5)
    #expect(abs(try buffer(point, .round).planarArea / circle - 1) < 1e-3)
    let coarse = try buffer(point, BufferStyle(quadSegments: 1))
    #expect(abs(coarse.planarArea - 0.02) < 1e-5)
    // A line without a length is a point.
    #expect(
      abs(try buffer("LINESTRING (0 0, 0 0)", BufferStyle(cap: .square)).planarArea - 0.04) < 1e-5)
  }

  @Test func areasOfJoins() throws {
    let corner = "LINESTRING (0 0, 1 0, 1 1)"
    let square = distance * distance
    let straight = 2 * 2 * distance - square
    let quarter = 16.0 / 2 * sine(2 * .pi / 64) * square
    for (join, outside) in [
      (BufferStyle.Join.round, quarter), (.mitre, square), (.bevel, square / 2),
    ] {
      let area = try buffer(corner, BufferStyle(cap: .flat, join: join)).planarArea
      #expect(abs(area / (straight + outside) - 1) < 1e-3, "\(join)")
    }
    let box = "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))"
    for (join, outside) in [
      (BufferStyle.Join.round, quarter), (.mitre, square), (.bevel, square / 2),
    ] {
      for cap in BufferStyle.Cap.allCases {
        let area = try buffer(box, BufferStyle(cap: cap, join: join)).planarArea
        #expect(abs(area / (1 + 4 * distance + 4 * outside) - 1) < 1e-3, "\(join)")
      }
    }
  }

  @Test func aClosedLineHasNoEnds() throws {
    for cap in BufferStyle.Cap.allCases {
      let area = try buffer(
        "LINESTRING (0 0, 1 0, 1 1, 0 1, 0 0)", BufferStyle(cap: cap, join: .mitre)
      ).planarArea
      #expect(abs(area / (8 * distance) - 1) < 1e-3, "\(cap)")
    }
  }

  @Test func aSharpCornerIsCutOff() throws {
    let sharp = "LINESTRING (0 0, 1 0, 0 0.05)"
    let limited = try buffer(sharp, BufferStyle(cap: .flat, join: .mitre, mitreLimit: 2))
    let long = try buffer(sharp, BufferStyle(cap: .flat, join: .mitre, mitreLimit: 100))
    #expect(try #require(limited.bounds).topRight.longitude < 1.3)
    #expect(try #require(long.bounds).topRight.longitude > 4)
  }

  /// A long line has many stretches, whose pieces leave no gap.
  @Test func longLinesAreCoveredWithoutGaps() throws {
    let line = try Geometry(wkt: "LINESTRING (-20 40, 0 45, 3 46, 3.1 46.2, 30 50)")
    let length = try line.length
    for join in BufferStyle.Join.allCases {
      let style = BufferStyle(cap: .flat, join: join)
      let buffer = try line.buffer(try #require(.kilometers(20)), style: style)
      #expect(buffer.kind == .polygon && buffer.polygonRings[0].count == 1, "\(join)")
      #expect(abs(try buffer.area / (length * 40_000) - 1) < 0.01, "\(join)")
    }
  }

  @Test func stylesAcrossTheAntimeridianAndAroundAPole() throws {
    let fiji = """
      MULTIPOLYGON (((178 -18, 180 -18, 180 -16, 178 -16, 178 -18)),
      ((-180 -18, -179 -18, -179 -16, -180 -16, -180 -18)))
      """
    for join in BufferStyle.Join.allCases {
      let buffer = try buffer(fiji, BufferStyle(cap: .square, join: join))
      #expect(buffer.kind == .multiPolygon && buffer.polygonRings.count == 2)
      // The edges at the cut have no corners.
      let cut = buffer.points.filter { abs($0.longitude) == 180 }.map(\.latitude)
      let (south, north) = (try #require(cut.min()), try #require(cut.max()))
      #expect(abs(south + 18.1) < 1e-3 && abs(north + 15.9) < 1e-3, "\(join)")
      #expect(buffer.planarContains(-178.95, -17) == true)
      #expect(buffer.planarContains(0, -17) == false)
      #expect(buffer.planarContains(-178.8, -18.05) == false)
    }
    let cap = "POLYGON ((-180 89, 180 89, 180 90, -180 90, -180 89))"
    let buffer = try buffer(cap, BufferStyle(join: .mitre))
    #expect(buffer.planarContains(12, 88.95) == true && buffer.planarContains(12, 88.8) == false)
    #expect(buffer.planarContains(179.9, 89.95) == true)
  }

  @Test func numbersAreChecked() throws {
    let point = try Geometry(wkt: "POINT (0 0)")
    let distance = try #require(Distance.meters(5))
    for style in [
      BufferStyle(quadSegments: 0), BufferStyle(quadSegments: 1000), BufferStyle(mitreLimit: 0.5),
      BufferStyle(mitreLimit: .nan),
    ] {
      #expect(throws: GeometryError.self) { try point.buffer(distance, style: style) }
    }
  }
}

@Suite struct InsetTests {
  @Test func aBoxShrinks() throws {
    let box = Geometry(rings: [[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]])
    let inset = try box.inset(try #require(.degrees(0.1)))
    #expect(inset.isValid && abs(inset.planarArea - 0.64) < 1e-3)
    #expect(try box.inset(try #require(.degrees(0.6))).isEmpty)
    #expect(try box.inset(try #require(.meters(0))).planarArea == 1)
    #expect(try Geometry(wkt: "LINESTRING (0 0, 1 1)").inset(try #require(.meters(1))).isEmpty)
    #expect(try Geometry(polygons: [] as [GeoPolygon]).inset(try #require(.meters(1))).isEmpty)
  }

  /// Points of the inset are in the polygon and far from its outline, and the others are not.
  @Test(arguments: [5331, 5332] as [UInt64])
  func pointsAgree(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(10, long: 60) {
      let shape = random.stars()
      let radians = random.double(0.002...0.02)
      let inset = try shape.inset(try #require(.radians(radians)))
      #expect(inset.isValid, "seed \(seed)")
      let dense = try shape.boundary().densified(to: try #require(.degrees(0.05)))
      for _ in 0..<60 {
        let (x, y) = (random.double(0...20), random.double(2...18))
        guard let isIn = shape.planarContains(x, y), let isInside = inset.planarContains(x, y),
          let point = GeoPoint(latitude: y, longitude: x),
          // The outline is one of planar edges, which are short here.
          let distance = Geometry(point).distance(to: dense),
          abs(distance.radians / radians - 1) > 0.02
        else { continue }
        #expect(isInside == (isIn && distance.radians > radians), "\(point) seed \(seed)")
      }
    }
  }

  @Test func cutsAtTheAntimeridianAndPolesAreNoOutline() throws {
    let both = Geometry(polygons: [
      [[(178, 0), (180, 0), (180, 2), (178, 2), (178, 0)]],
      [[(-180, 0.5), (-178, 0.5), (-178, 2), (-180, 2), (-180, 0.5)]],
    ])
    let inset = try both.inset(try #require(.degrees(0.1)))
    #expect(inset.isValid)
    #expect(inset.planarContains(179.99, 1) == true && inset.planarContains(-179.99, 1) == true)
    // Below latitude 0.5, the edge along the antimeridian is an outline.
    #expect(inset.planarContains(179.95, 0.3) == false)
    #expect(inset.planarContains(179.85, 0.3) == true)
    let cap = Geometry(rings: [[(-180, 80), (180, 80), (180, 90), (-180, 90), (-180, 80)]])
    let polar = try cap.inset(try #require(.degrees(1)))
    #expect(polar.planarContains(0, 89.9) == true && polar.planarContains(180 - 1e-3, 85) == true)
    #expect(polar.planarContains(0, 80.5) == false)
  }
}
