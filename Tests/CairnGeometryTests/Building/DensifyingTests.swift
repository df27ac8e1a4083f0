import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct DensifyingTests {

  /// New vertices lie on the shortest path, at equal distances.
  @Test(arguments: [5701, 5702] as [UInt64])
  func linesFollowTheShortestPath(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(100, long: 1000) {
      let (start, end) = (random.location(), random.location())
      let line = Geometry(try #require(GeoLineString([start, end])))
      let degrees = random.double(0.5...20)
      let dense = try line.densified(to: try #require(.degrees(degrees)))
      let whole = start.distance(to: end).radians
      let parts = (whole / degrees.inRadians).rounded(.up)
      var rest = whole
      var count = 0.0
      for case .line(let vertices) in dense.withView({ Array($0.parts) }) {
        let points = dense.withView { $0.points(vertices) }
        for (a, b) in zip(points, points.dropFirst()) {
          #expect(a.distance(to: b).radians <= degrees.inRadians * 1.000_000_1)
          #expect(abs(a.longitude - b.longitude) <= 180, "\(start) \(end) \(dense.wkt)")
          rest -= a.distance(to: b).radians
          count += 1
        }
        for point in points where abs(point.longitude) < 180 {
          let sum = start.distance(to: point).radians + point.distance(to: end).radians
          #expect(abs(sum - whole) < 1e-9, "seed \(seed)")
        }
      }
      // A crossing of the antimeridian is a vertex of both lines.
      #expect(count >= parts && count <= parts + 1)
      #expect(abs(rest) < 1e-9, "seed \(seed)")
    }
  }

  /// A location with few decimals, as most data has.
  private static func rounded(_ point: GeoPoint) -> GeoPoint {
    GeoPoint(
      clampedLatitude: (point.latitude * 1e5).rounded() / 1e5,
      longitude: (point.longitude * 1e5).rounded() / 1e5)
  }

  @Test func neighboursKeepTheirCommonEdge() throws {
    var random = SplitMix64(seed: 5711)
    for _ in 0..<50 {
      let (start, end) = (Self.rounded(random.location()), Self.rounded(random.location()))
      let distance = try #require(Distance.degrees(random.double(0.5...5)))
      let there = try Geometry(try #require(GeoLineString([start, end]))).densified(to: distance)
      let back = try Geometry(try #require(GeoLineString([end, start]))).densified(to: distance)
      #expect(
        Set(there.points) == Set(back.points),
        "\(Set(there.points).symmetricDifference(back.points)) \(start) \(end)")
    }
  }

  @Test func polygonsAcrossTheAntimeridianAreCut() throws {
    let distance = try #require(Distance.degrees(0.5))
    let ring = Geometry(rings: [[(178, 0), (-178, 0), (-178, 2), (178, 2), (178, 0)]])
    let dense = try ring.densified(to: distance)
    #expect(dense.isValid && dense.polygonRings.count == 2 && dense.planarArea < 8.01)
    let cut = Geometry(polygons: [
      [[(178, 0), (180, 0), (180, 2), (178, 2), (178, 0)]],
      [[(-180, 0), (-178, 0), (-178, 2), (-180, 2), (-180, 0)]],
    ])
    let both = try cut.densified(to: distance)
    #expect(both.isValid && both.polygonRings.count == 2 && abs(both.planarArea - 8) < 0.01)
    #expect(both.points.filter { $0.longitude == 180 }.count == 5)
    let pole = Geometry(rings: [[(0, 80), (120, 80), (-120, 80), (0, 80)]])
    let error = #expect(throws: GeometryError.self) { try pole.densified(to: distance) }
    #expect(error?.kind == .antimeridian)
    // The rim of the map stays.
    let cap = Geometry(rings: [[(-180, 80), (180, 80), (180, 90), (-180, 90), (-180, 80)]])
    let rim = try cap.densified(to: try #require(.degrees(5)))
    #expect(rim.isValid && rim.vertexCount == 7)
  }

  @Test func altitudesAndErrors() throws {
    let line = try Geometry(wkt: "LINESTRING Z (0 0 10, 0 4 30)")
    let dense = try line.densified(to: try #require(.degrees(1.001)))
    #expect(dense == (try Geometry(wkt: "LINESTRING Z (0 0 10, 0 1 15, 0 2 20, 0 3 25, 0 4 30)")))
    #expect(throws: GeometryError.self) { try line.densified(to: try #require(.meters(0))) }
    let tiny = #expect(throws: GeometryError.self) {
      try line.densified(to: try #require(.meters(1e-6)))
    }
    #expect(tiny?.message.contains("50 million") == true)
    let antipodes = try Geometry(wkt: "LINESTRING (0 0, 180 0)")
    let error = #expect(throws: GeometryError.self) {
      try antipodes.densified(to: try #require(.degrees(1)))
    }
    #expect(error?.message.contains("antipode") == true)
    let points = try Geometry(wkt: "MULTIPOINT ((1 1), (2 2))")
    #expect(try points.densified(to: try #require(.degrees(1))) == points)
  }
}
