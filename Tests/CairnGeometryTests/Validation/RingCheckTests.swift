import CairnTestSupport
import Testing

@testable import CairnGeometry

/// The rules for rings, compared with GEOS's validation of the same rings.
@Suite struct RingCheckTests {
  /// Small integers, so that rings often touch, share edges and repeat vertices.
  @Test(arguments: [201, 202, 203, 204] as [UInt64])
  func agreesWithGEOSOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var valid = 0
    for _ in 0..<1500 {
      let width = random.int(4...14)
      var rings = [random.gridRing(0...width, random.int(3...9))]
      for _ in 0..<random.int(0...3) { rings.append(random.gridRing(1...width - 1, 3)) }
      guard try agrees(rings, seed) else { continue }
      valid += 1
    }
    #expect(valid > 30)
  }

  @Test(arguments: [211, 212] as [UInt64])
  func agreesWithGEOSOnRingsOfRays(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var valid = 0
    for _ in 0..<300 {
      var rings = [random.planarRing(about: (0, 0), radius: 40, count: random.int(3...80))]
      for _ in 0..<random.int(0...4) {
        let center = (x: random.double(-20...20), y: random.double(-20...20))
        rings.append(
          random.planarRing(
            about: center, radius: random.double(0.1...12), count: random.int(3...20))
        )
      }
      if try agrees(rings, seed) { valid += 1 }
    }
    #expect(valid > 50)
  }

  /// A square full of small holes in no particular order: each is inside, and no two meet.
  @Test func manyHoles() throws {
    var random = SplitMix64(seed: 7)
    let outer = [(0.0, 0.0), (0, 81), (81, 81), (81, 0), (0, 0)]
    var holes = (0..<6400).map { number in
      let (x, y) = (Double(number % 80) + 0.5, Double(number / 80) + 0.5)
      return [(y, x), (y + 0.7, x), (y, x + 0.7), (y, x)]
    }
    holes.shuffle(using: &random)
    let polygon = try #require(GeoPolygon(outerRing: outer, holes: holes, edges: .planar))
    #expect(throws: Never.self) { try polygon.validate() }
    let (y, x) = holes[33][0]
    holes[77] = [(y + 0.1, x + 0.1), (y + 0.3, x + 0.1), (y + 0.1, x + 0.3), (y + 0.1, x + 0.1)]
    let nested = try #require(GeoPolygon(outerRing: outer, holes: holes, edges: .planar))
    let error = try #require(throws: GeometryError.self) { try nested.validate() }
    #expect(error.kind == .nesting && error.ring == 78)
    #expect(error.message.hasPrefix("hole 78 lies inside hole 34 at longitude "))
  }

  /// Whether both find the rings valid; they must agree.
  private func agrees(_ rings: [[GeoPoint]], _ seed: UInt64) throws -> Bool {
    let image = PlaneImage(planar: rings)
    let check = RingCheck(image)
    let fault = check.fault()
    let reason = try GEOSOracle.fault(image.rings)
    // Holes may touch one another at any number of points; the rules only restrict the outer ring.
    let isSevered = reason?.hasPrefix("Interior is disconnected") ?? false
    if fault == nil {
      #expect(reason == nil || isSevered, "\(reason ?? "") \(rings) seed \(seed)")
    } else {
      #expect(reason != nil, "\(fault?.summary ?? "") \(rings) seed \(seed)")
    }
    return fault == nil
  }
}

extension SplitMix64 {
  /// A closed ring through grid points in any order.
  fileprivate mutating func gridRing(_ range: ClosedRange<Int>, _ count: Int) -> [GeoPoint] {
    var ring = (0..<count).map { _ in
      GeoPoint(latitude: Double(int(range)), longitude: Double(int(range))) ?? .origin
    }
    ring.append(ring[0])
    return ring
  }
}

@Suite struct OrientationTests {
  @Test func exactWhereRoundingFails() {
    let a = PlanePoint(x: 0.5, y: 0.5)
    let b = PlanePoint(x: 12, y: 12)
    let c = PlanePoint(x: 24, y: 24)
    #expect(orientation(a, b: b, c: c) == 0)
    for (turn, expected) in [(Double.ulpOfOne, -1), (-Double.ulpOfOne / 2, 1)] {
      let moved = PlanePoint(x: 0.5 + turn * 0.5, y: 0.5)
      #expect(orientation(b, b: c, c: moved) == expected)
      #expect(orientation(moved, b: b, c: c) == expected)
      #expect(orientation(c, b: b, c: moved) == -expected)
    }
  }
}
