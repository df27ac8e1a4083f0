import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct NearestPositionTests {
  /// The nearest positions are on both geometries, and as far apart as the geometries are.
  @Test(arguments: [8101, 8102, 8103] as [UInt64])
  func nearestPositions(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var apart = 0
    for _ in 0..<Soak.count(300, long: 5000) {
      let (one, other) = (Self.geometry(&random), Self.geometry(&random))
      let distance = try #require(one.distance(to: other)).radians
      let own = try #require(one.closestPoint(to: other))
      let partner = try #require(other.closestPoint(to: one))
      for (place, geometry) in [(own, one), (partner, other)] {
        let off = try #require(Geometry(place).distance(to: geometry)).radians
        #expect(off < 1e-14, "seed \(seed): \(place) is not on \(geometry.wkt)")
      }
      let between = try #require(Geometry(own).distance(to: other)).radians
      #expect(abs(between - distance) < 1e-14, "seed \(seed): \(one.wkt), \(other.wkt)")
      let line = try #require(try one.shortestLine(to: other))
      if distance > 0 {
        apart += 1
        #expect(abs(own.distance(to: partner).radians - distance) < 1e-14)
        #expect(line.points.first == own)
      } else {
        #expect(line.kind == .point)
      }
    }
    #expect(apart > 100)
  }

  private static func geometry(_ random: inout SplitMix64) -> Geometry {
    switch random.below(3) {
    case 0:
      return Geometry(
        GeoPoint(clampedLatitude: random.double(0...20), longitude: random.double(0...24)))
    case 1: return random.stars(rays: random.chance(0.2) ? 200...300 : 5...9)
    default:
      var builder = GeometryBuilder()
      builder.begin(.lineString)
      for _ in 0..<random.int(2...6) {
        builder.add(longitude: random.double(0...24), latitude: random.double(0...20))
      }
      builder.end()
      return builder.geometry()
    }
  }

  @Test func verticesKeepTheirCoordinates() throws {
    let line = try Geometry(wkt: "LINESTRING Z (0.1 0.1 5, 0.3 0.3 7)")
    let beyond = try Geometry(wkt: "POINT (0.7 0.7)")
    #expect(line.closestPoint(to: beyond) == GeoPoint(latitude: 0.3, longitude: 0.3, altitude: 7))
    let area = try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))")
    #expect(area.closestPoint(to: beyond) == GeoPoint(latitude: 0.7, longitude: 0.7))
    #expect(try Geometry(wkt: "POINT EMPTY").closestPoint(to: area) == nil)
    #expect(try area.shortestLine(to: Geometry(wkt: "POINT EMPTY")) == nil)
  }

  @Test func acrossTheAntimeridian() throws {
    let line = try Geometry(wkt: "LINESTRING (179 -10, 179 10)")
    let point = try Geometry(wkt: "POINT (-179 0)")
    let shortest = try #require(try line.shortestLine(to: point))
    #expect(shortest == (try Geometry(wkt: "MULTILINESTRING ((179 0, 180 0), (-180 0, -179 0))")))
  }
}
