import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct LineMeasureTests {
  @Test(arguments: [5801, 5802] as [UInt64])
  func locationsDivideTheLength(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(50, long: 500) {
      let points = (0..<random.int(2...5)).map { _ in random.location() }
      let line = Geometry(try #require(GeoLineString(points)))
      let length = try line.length
      let fraction = random.double(0...1)
      let location = try #require(try line.location(atFraction: fraction))
      // The location is on one of the edges, at the distance from the start.
      var before = 0.0
      var isFound = false
      for (a, b) in zip(points, points.dropFirst()) {
        let step = try a.ellipsoidalDistance(to: b)
        let (there, on) = (
          try a.ellipsoidalDistance(to: location), try location.ellipsoidalDistance(to: b)
        )
        if abs(there + on - step) < 1e-3, abs(before + there - fraction * length) < 1e-3 {
          isFound = true
        }
        before += step
      }
      #expect(isFound, "seed \(seed)")
      #expect(try line.location(atFraction: 0) == points[0])
    }
  }

  @Test func endsAltitudesAndSeveralLines() throws {
    let line = try Geometry(wkt: "LINESTRING Z (0 0 100, 0 1 200)")
    let end = try #require(try line.location(atFraction: 1))
    #expect(abs(end.latitude - 1) < 1e-12 && abs(end.altitude - 200) < 1e-6)
    let middle = try #require(try line.location(atFraction: 0.5))
    #expect(abs(middle.latitude - 0.5) < 1e-6 && abs(middle.altitude - 150) < 1e-6)
    let cut = try Geometry(wkt: "MULTILINESTRING ((179 0, 180 0), (-180 0, -177 0))")
    let quarter = try #require(try cut.location(atFraction: 0.5))
    #expect(abs(quarter.longitude + 179) < 1e-9)
    #expect(try Geometry(wkt: "POINT (1 1)").location(atFraction: 0.5) == nil)
    let still = try Geometry(wkt: "LINESTRING (1 2, 1 2)")
    #expect(try still.location(atFraction: 0.5) == GeoPoint(latitude: 2, longitude: 1))
    for fraction in [-0.1, 1.1, .nan] {
      #expect(throws: GeometryError.self) { try line.location(atFraction: fraction) }
    }
  }

  @Test func azimuths() throws {
    let origin = GeoPoint.origin
    for (latitude, longitude, expected) in [
      (1.0, 0.0, 0.0), (0, 1, 90), (-1, 0, 180), (0, -1, 270), (0, 0, 0),
    ] {
      let point = try #require(GeoPoint(latitude: latitude, longitude: longitude))
      #expect(abs(try origin.azimuth(to: point) - expected) < 1e-9)
    }
    // From New York to London, by GeographicLib's GeodSolve.
    let newYork = try #require(GeoPoint(latitude: 40.6, longitude: -73.8))
    let london = try #require(GeoPoint(latitude: 51.6, longitude: -0.5))
    #expect(abs(try newYork.azimuth(to: london) - 51.198_882_846) < 1e-6)
    var random = SplitMix64(seed: 5811)
    for _ in 0..<1000 {
      let azimuth = try random.location().azimuth(to: random.location())
      #expect(azimuth >= 0 && azimuth < 360)
    }
  }

  /// The values of geohash.org, and of PostGIS.
  @Test func geohashes() throws {
    for (latitude, longitude, length, expected) in [
      (57.64911, 10.40744, 11, "u4pruydqqvj"), (42.6, -5.6, 5, "ezs42"),
      (48, -126, 12, "c0w3hf1s70w3"), (0, 0, 3, "s00"), (-90, -180, 4, "0000"),
      (90, 180, 4, "zzzz"), (42.6, -5.6, 0, "e"), (42.6, -5.6, 99, "ezs42e44yx96"),
    ] {
      let point = try #require(GeoPoint(latitude: latitude, longitude: longitude))
      #expect(point.geohash(length: length) == expected)
    }
  }
}
