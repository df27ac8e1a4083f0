import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Boundaries as they are drawn.
@Suite struct OutlineTests {
  private func angle(_ location: Outline.Vertex, _ point: GeoPoint) -> Double {
    Sphere.angle(
      location.latitude, longitude: location.longitude, otherLatitude: point.latitude,
      otherLongitude: point.longitude)
  }

  @Test func circlesKeepTheirDistance() throws {
    let seed = Soak.seed(123)
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let centre = try #require(
        GeoPoint(
          latitude: Double.random(in: -90...90, using: &random),
          longitude: Double.random(in: -180...180, using: &random)))
      let radius = Double.random(in: 0.0001...3, using: &random)
      let circle = try #require(GeoCircle(center: centre, radiusInRadians: radius))
      let ring = try #require(Outline(.circle(circle)).rings.first)
      for location in ring { #expect(abs(angle(location, centre) - radius) < 1e-7, "seed \(seed)") }
      for (location, next) in zip(ring, ring.dropFirst()) {
        #expect(abs(next.longitude - location.longitude) <= 180, "seed \(seed)")
      }
      let turn = abs((ring.last?.longitude ?? 0) - (ring.first?.longitude ?? 0))
      let poles = [90.0, -90].count {
        Sphere.angle($0, longitude: 0, otherLatitude: centre.latitude, otherLongitude: 0) < radius
      }
      #expect(turn < 1e-6 || abs(turn - 360) < 1e-6, "seed \(seed)")
      #expect((turn > 1) == (poles == 1), "seed \(seed): around one pole the ring does not close")
    }
  }

  @Test func boxesAcrossTheAntimeridianContinue() throws {
    let box = try #require(GeoBox(bottomLeft: (-20, 170), topRight: (10, -160)))
    let ring = try #require(Outline(.box(box)).rings.first)
    #expect(ring.map(\.longitude) == [170, 200, 200, 170, 170])
    #expect(ring.map(\.latitude) == [-20, -20, 10, 10, -20])
  }

  @Test func geodesicEdgesAreCurved() throws {
    let corners = [(40.0, -100.0), (40.0, 0.0), (10.0, -50.0), (40.0, -100.0)]
    let bent = try #require(GeoPolygon(outerRing: corners))
    let straight = try #require(GeoPolygon(outerRing: corners, edges: .planar))
    #expect(Outline(.polygon(straight)).rings[0].count == 4)
    let ring = Outline(.polygon(bent)).rings[0]
    #expect(ring.count > 100 && ring.first == ring.last)
    let north = try #require(ring.max { $0.latitude < $1.latitude })
    #expect(abs(north.longitude + 50) < 1 && north.latitude > 50)
    for (location, next) in zip(ring, ring.dropFirst()) {
      let step = Sphere.angle(
        location.latitude, longitude: location.longitude, otherLatitude: next.latitude,
        otherLongitude: next.longitude)
      #expect(step < 1.01 * .pi / 180)
    }
  }
}
