import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Triangles and quadrilaterals whose edges span continents, around poles and over the
/// antimeridian.
@Suite struct LongEdgeTests {
  @Test(arguments: [401, 402, 403, 404] as [UInt64])
  func agreeWithTheGnomonicView(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(70, long: 200) {
      guard let polygon = try longPolygon(&random) else { continue }
      let oracle = Oracle.Geodesic(polygon)
      for _ in 0..<80 {
        let point = random.location()
        guard let expected = oracle.contains(point) else { continue }
        #expect(
          polygon.region.contains(longitude: point.longitude, latitude: point.latitude)
            == expected, "\(polygon.polygons) \(point) seed \(seed)")
      }
    }
  }

  @Test(arguments: [411, 412, 413, 414] as [UInt64])
  func rectanglesAgreeWithPoints(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(25, long: 120) {
      guard let polygon = try longPolygon(&random) else { continue }
      let onEdges = zip(polygon.outerRing, polygon.outerRing.dropFirst()).compactMap { one, other in
        (Vector(one) + Vector(other) * random.double(0.2...3)).unit.location
      }
      checkAgreement(
        polygon.region, near: polygon.outerRing + onEdges, &random, rounds: 30,
        "\(polygon.polygons) seed \(seed)")
    }
  }

  /// Just beside an edge, on either side, the answer is the sign of the orientation.
  @Test(arguments: [421, 422] as [UInt64])
  func exactBesideAnEdge(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let corners = (0..<3).map { _ in random.location() }
      let (a, b, c) = (Vector(corners[0]), Vector(corners[1]), Vector(corners[2]))
      guard abs(a.cross(b).dot(c)) > 0.01 else { continue }
      let polygon = try #require(GeoPolygon(outerRing: corners + [corners[0]]))
      let normal = a.normal(to: b)
      let inward = normal.dot(c) > 0 ? normal : normal * -1
      for offset in [1e-9, 1e-11, 1e-13, -1e-9, -1e-11, -1e-13] {
        let spot = (a * random.double(0.2...1) + b * random.double(0.2...1)).unit
        guard let location = (spot + inward * offset).unit.location, abs(location.latitude) < 89.9
        else {
          continue
        }
        let height = inward.dot(Vector(location))
        guard abs(height) > 1e-14 else { continue }
        #expect(
          polygon.region.contains(longitude: location.longitude, latitude: location.latitude)
            == (height > 0), "\(corners) \(location) \(offset) seed \(seed)")
      }
    }
  }

  /// A polygon that only just fits into a hemisphere, or nil if the ring is not valid.
  private func longPolygon(_ random: inout SplitMix64) throws -> GeoPolygon? {
    let center = random.location()
    let count = random.int(3...5)
    let phase = random.double(0...6)
    var ring = (0..<count).map { index in
      let bearing = phase + 2 * .pi * (Double(index) + random.double(0...0.9)) / Double(count)
      return center.location(bearing: bearing, angle: random.double(0.02...1.56))
    }
    ring.append(ring[0])
    let polygon = try GeoPolygon(polygons: [[ring]], edges: .geodesic)
    return (try? polygon.validate()) == nil ? nil : polygon
  }
}
