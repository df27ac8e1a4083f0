import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct SmallestCapTests {
  /// Points within a cap of nearly a hemisphere always fit, however uneven their distribution.
  @Test(arguments: [101, 102, 103] as [UInt64])
  func capsOfPointsThatFitAreFound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let center = random.location()
      let radius = (Double.pi / 2 - 1e-5) * (1 - random.double(0...1) * random.double(0...1))
      let crowd = random.location()
      var points = (0..<random.int(3...30)).map { _ in
        center.location(bearing: random.double(0...6.3), angle: radius * random.double(0.9...1))
      }
      let near = points[0].location(bearing: random.double(0...6.3), angle: 1e-3)
      let isNear = Vector(near).dot(Vector(center)) > 1e-5
      if isNear { points += Array(repeating: near, count: random.int(0...200)) }
      let cap = SmallestCap(points.map(Vector.init(_:)))
      #expect(cap != nil, "\(center) \(radius) \(crowd) seed \(seed)")
    }
  }

  /// The centre of the sphere is between four points spread around it.
  @Test(arguments: [104, 105] as [UInt64])
  func pointsThatDoNotFitAreRejected(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let (a, b, c) = (
        Vector(random.location()), Vector(random.location()), Vector(random.location())
      )
      let sum = a + b * random.double(0.2...2) + c * random.double(0.2...2)
      guard sum.length > 1e-3 else { continue }
      var points = [a, b, c, sum.unit * -1]
      points += (0..<random.int(0...20)).map { _ in Vector(random.location()) }
      #expect(SmallestCap(points.shuffled(using: &random)) == nil, "\(points) seed \(seed)")
    }
  }

  @Test func aGreatCircleDoesNotFit() {
    let ring = [0.0, 100, -100].map { Vector(longitude: $0, latitude: 0) }
    #expect(SmallestCap(ring) == nil)
    #expect(SmallestCap([ring[0], ring[0] * -1]) == nil)
    #expect(SmallestCap([]) == nil)
  }
}
