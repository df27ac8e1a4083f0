import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct PlanarPolygonTests {
  /// Coarse integers, so that points fall on edges and vertices: GEOS is the oracle.
  @Test(arguments: [41, 42, 43] as [UInt64])
  func agreesWithGEOSOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(16, long: 40) {
      let rough = random.planarRing(about: (0, 0), radius: 20, count: random.int(3...12))
      var ring = rough.dropLast().compactMap {
        GeoPoint(latitude: $0.latitude.rounded(), longitude: $0.longitude.rounded())
      }
      ring.append(ring[0])
      let polygon = try #require(GeoPolygon(outerRing: ring, edges: .planar))
      guard (try? polygon.validate()) != nil else { continue }
      let image = PlaneImage(planar: polygon.polygons[0])
      let oracle = try GEOSPolygon(image.rings, in: GEOSContext())
      for x in -21...21 {
        for y in -21...21 {
          let (x, y) = (Double(x), Double(y))
          let expected = try oracle.covers(x: x, y: y)
          #expect(
            polygon.region.contains(longitude: x, latitude: y) == expected,
            "\(ring) \(x) \(y) seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: [51, 52, 53] as [UInt64])
  func agreesWithCountingCrossings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(30, long: 60) {
      let polygon = try randomPolygon(&random)
      for _ in 0..<200 {
        let (x, y) = (random.double(-60...60), random.double(-60...60))
        guard let expected = Oracle.planar(polygon, x, y) else { continue }
        #expect(
          polygon.region.contains(longitude: x, latitude: y) == expected, "\(x) \(y) seed \(seed)")
      }
    }
  }

  @Test(arguments: [61, 62] as [UInt64])
  func rectanglesAgreeWithPoints(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(30, long: 60) {
      let polygon = try randomPolygon(&random)
      let vertices = Array(polygon.polygons.joined().joined())
      checkAgreement(
        polygon.region, near: vertices, &random, rounds: 25, "\(polygon) seed \(seed)")
    }
  }

  /// Random rings, whether they overlap or not, with a hole in each.
  private func randomPolygon(_ random: inout SplitMix64) throws -> GeoPolygon {
    let polygons = (0..<random.int(1...4)).map { _ in
      let center = (x: random.double(-40...40), y: random.double(-40...40))
      let radius = random.double(0.01...20)
      let count = random.int(3...60)
      return [
        random.planarRing(about: center, radius: radius, count: count),
        random.planarRing(about: center, radius: radius * 0.29, count: 5),
      ]
    }
    return try GeoPolygon(polygons: polygons, edges: .planar)
  }
}
