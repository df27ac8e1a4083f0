import CairnTestSupport
import Testing

@testable import CairnGeometry

/// The sweep compared with testing every pair.
@Suite struct SweepLineTests {
  @Test(arguments: [301, 302, 303, 304] as [UInt64])
  func findsEdgesThatMeet(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var clean = 0
    for round in 0..<Soak.count(300, long: 600) {
      let isCoarse = round % 3 == 0
      let rings = (0..<random.int(1...3)).map { _ in
        let center = (x: random.double(-30...30), y: random.double(-30...30))
        let ring = random.planarRing(
          about: center, radius: random.double(1...40), count: random.int(3...25))
        return Self.ring(ring, isCoarse: isCoarse, jolt: random.int(0...9) == 0)
      }
      let chain = EdgeChain(rings)
      guard chain.rings.allSatisfy({ $0.edges.count > 2 }) else { continue }
      var sweep = SweepLine(chain)
      let met = Self.meetings(chain)
      switch sweep.run() {
      case .clean:
        clean += 1
        #expect(met.isEmpty, "\(met) \(rings) seed \(seed)")
      case .meeting(let one, let other):
        #expect(met.contains([one, other]), "\(one) \(other) \(rings) seed \(seed)")
      case .unclear:
        #expect(!met.isEmpty, "\(rings) seed \(seed)")
      }
    }
    #expect(clean > Soak.count(40, long: 100))
  }

  private static func ring(_ points: [GeoPoint], isCoarse: Bool, jolt: Bool) -> PlaneRing {
    func value(_ degrees: Double) -> Double { isCoarse ? (degrees / 2).rounded() : degrees }
    var points = points
    if jolt, points.count > 5 { points.swapAt(1, 3) }
    return PlaneRing(xs: points.map { value($0.longitude) }, ys: points.map { value($0.latitude) })
  }

  /// All pairs that meet where they must not.
  private static func meetings(_ chain: EdgeChain) -> Set<[Int]> {
    var found: Set<[Int]> = []
    for one in 0..<chain.count {
      for other in one + 1..<max(one + 1, chain.count) {
        let areNeighbours = chain.next(one) == other || chain.next(other) == one
        switch EdgeMeeting(one, other: other, of: chain) {
        case .apart: continue
        case .touch where areNeighbours: continue
        default: found.insert([one, other])
        }
      }
    }
    return found
  }

  /// A star of long, thin rays: far too many rectangles meet, so the sweep decides.
  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func aStarOfManyRays(edges: GeoPolygon.Edges) throws {
    var random = SplitMix64(seed: 5)
    let count = Soak.count(8000, long: 20_000)
    var ring = (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let size = (edges == .planar ? 20 : 0.5) * random.double(0.7...1)
      return (size * sine(angle), size * cosine(angle))
    }
    ring.append(ring[0])
    let star = try #require(GeoPolygon(outerRing: ring, edges: edges))
    #expect(throws: Never.self) { try star.validate() }
    ring.swapAt(count * 7 / 20, count * 7 / 20 + 6)
    let crossed = try #require(GeoPolygon(outerRing: ring, edges: edges))
    let error = try #require(throws: GeometryError.self) { try crossed.validate() }
    #expect(error.kind == .selfIntersection)
  }
}
