import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct UnionTests {
  private static func box(_ west: Double, _ south: Double, size: Double = 1) -> Geometry {
    let (east, north) = (west + size, south + size)
    return Geometry(rings: [
      [(west, south), (east, south), (east, north), (west, north), (west, south)]
    ])
  }

  @Test(arguments: [5221, 5222] as [UInt64])
  func isThatOfPairs(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(20, long: 200) {
      let all = (0..<random.int(2...6)).map { _ in random.stars() }
      let union = try Geometry.union(of: all)
      var pairs = all[0]
      for other in all.dropFirst() { pairs = try pairs.union(other) }
      #expect(union.isValid)
      #expect(abs(union.planarArea - pairs.planarArea) < 1e-9)
      #expect(try union.symmetricDifference(pairs).planarArea < 1e-9)
    }
  }

  @Test func mixesDimensions() throws {
    let line = try Geometry(wkt: "LINESTRING (-1 0.5, 0.5 0.5)")
    let points = try Geometry(wkt: "MULTIPOINT ((0.5 0.5), (5 5), (-0.5 0.5))")
    let union = try Geometry.union(of: [Self.box(0, 0), line, points, Geometry(lines: [])])
    #expect(
      try union.symmetricDifference(
        Geometry(
          wkt: """
            GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)), LINESTRING (-1 0.5, 0 0.5),
            POINT (5 5))
            """)
      ).isEmpty)
    #expect(try Geometry.union(of: []).isEmpty)
    #expect(try Geometry.union(of: [points]).points.count == 3)
  }

  @Test func namesTheInvalidGeometry() throws {
    let bowTie = Geometry(rings: [[(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)]])
    let all = [Self.box(0, 0), bowTie]
    for isCoverage in [false, true] {
      let error = #expect(throws: GeometryError.self) {
        _ = try isCoverage ? Geometry.coverageUnion(of: all) : Geometry.union(of: all)
      }
      #expect(error?.kind == .selfIntersection && error?.location?.latitude == 2)
      #expect(error?.message.hasPrefix("geometry 2: ") == true)
    }
  }

  // MARK: Coverages

  /// Random groups of the cells of a grid, whose union may touch itself, have holes, and islands in them.
  @Test(arguments: [5231, 5232] as [UInt64])
  func coveragesAreUnited(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(60, long: 600) {
      let share = [0.3, 0.6, 0.9][round % 3]
      var cells: [Geometry] = []
      for x in 0..<12 {
        for y in 0..<12 where random.chance(share) {
          let cell = Self.box(Double(x) / 3, Double(y) / 3, size: 1.0 / 3)
          // Corners are the same numbers for all cells.
          let rings = cell.polygonRings[0].map { ring in
            ring.map { (($0.x * 3).rounded() / 3, ($0.y * 3).rounded() / 3) }
          }
          cells.append(Geometry(rings: random.chance(0.5) ? rings : [rings[0].reversed()]))
        }
      }
      let union = try Geometry.coverageUnion(of: cells)
      #expect(union.isValid, "seed \(seed), round \(round)")
      let expected = try Geometry.union(of: cells)
      #expect(abs(union.planarArea - expected.planarArea) < 1e-9, "seed \(seed), round \(round)")
      #expect(try union.symmetricDifference(expected).planarArea < 1e-9)
      #expect(union.polygonRings.count == expected.polygonRings.count)
    }
  }

  @Test func overlapsAreNoCoverage() throws {
    let box = Self.box(0, 0)
    for others in [
      [box], [Self.box(0.5, 0)], [Self.box(0.25, 0.25, size: 0.5)], [Self.box(1, 0, size: 2)],
      [Self.box(0.5, 0.5)],
    ] {
      let error = #expect(throws: GeometryError.self, "\(others)") {
        _ = try Geometry.coverageUnion(of: [box] + others)
      }
      #expect(error?.message.contains("not a coverage") == true)
      #expect(error?.location != nil)
    }
    let line = try Geometry(wkt: "LINESTRING (0 0, 1 1)")
    let error = #expect(throws: GeometryError.self) {
      _ = try Geometry.coverageUnion(of: [box, line])
    }
    #expect(error?.message.contains("geometry 2") == true)
    #expect(try Geometry.coverageUnion(of: []).isEmpty)
    #expect(try Geometry.coverageUnion(of: [box, Geometry(polygons: [] as [GeoPolygon])]) == box)
  }

  @Test func altitudesOfCornersAreKept() throws {
    let cells = [
      try Geometry(wkt: "POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 1 4, 0 0 1))"),
      try Geometry(wkt: "POLYGON Z ((1 0 2, 2 0 5, 2 1 6, 1 1 3, 1 0 2))"),
    ]
    let union = try Geometry.coverageUnion(of: cells)
    #expect(union.points.map(\.altitude).sorted() == [1, 1, 2, 3, 4, 5, 6].sorted())
  }

  /// The countries touch, but do not share all vertices of their borders everywhere.
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func theLandOfAllCountries() throws {
    let countries = try TruthClasses.objects("Countries50").map(\.geometry).filter(\.isValid)
    let land = try Geometry.union(of: countries)
    #expect(land.isValid)
    let sum = countries.reduce(0) { $0 + $1.planarArea }
    #expect(land.planarArea <= sum && land.planarArea > sum * 0.999)
  }
}
