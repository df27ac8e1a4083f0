import CairnGeometry
import CairnTestSupport
import Foundation
import Testing

@testable import CairnIndex

@Suite struct SearchTests {
  static let sizes = [0, 1, 2, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 33_000]

  @Test(arguments: Workload.allCases)
  func agreesWithAScan(workload: Workload) throws {
    let seed: UInt64 = 7
    var random = SplitMix64(seed: seed)
    for size in Self.sizes {
      let made = TestTree(workload.points(size, &random), isFixed: Bool.random(using: &random))
      try made.tree.checkInvariants()
      for _ in 0..<Soak.count(5, long: 25) {
        let shape = try randomShape(near: made.points, &random)
        check(made, shape.region, &random, "\(shape) \(workload) of \(size), seed \(seed)")
      }
    }
  }

  @Test func agreesWithAScanOnManyPoints() throws {
    let seed: UInt64 = 8
    var random = SplitMix64(seed: seed)
    let made = TestTree(Workload.clustered.points(100_000, &random), isFixed: true)
    try made.tree.checkInvariants()
    for _ in 0..<Soak.count(8, long: 20) {
      let shape = try randomShape(near: made.points, &random)
      check(made, shape.region, &random, "\(shape) seed \(seed)")
    }
  }

  @Test(arguments: Workload.allCases)
  func theExtentIsExact(workload: Workload) {
    let seed: UInt64 = 12
    var random = SplitMix64(seed: seed)
    for size in Self.sizes {
      let made = TestTree(workload.points(size, &random), isFixed: Bool.random(using: &random))
      let points = (0..<size).map { made.tree.point(at: $0) }
      let found = made.tree.extent()
      #expect(found?.west == points.map(\.longitude).min(), "\(workload) of \(size), seed \(seed)")
      #expect(found?.east == points.map(\.longitude).max(), "\(workload) of \(size), seed \(seed)")
      #expect(found?.south == points.map(\.latitude).min(), "\(workload) of \(size), seed \(seed)")
      #expect(found?.north == points.map(\.latitude).max(), "\(workload) of \(size), seed \(seed)")
    }
  }

  @Test func theWholeWorldIsOneRange() {
    var random = SplitMix64(seed: 9)
    let made = TestTree(Workload.uniform.points(5000, &random), isFixed: true)
    var matches: [Range<Int>] = []
    guard let corner = GeoPoint(latitude: -90, longitude: -180),
      let other = GeoPoint(latitude: 90, longitude: 180)
    else { return }
    made.tree.forEachMatch(of: Region(GeoBox(bottomLeft: corner, topRight: other))) { match in
      if case .range(let range) = match { matches.append(range) }
    }
    #expect(matches == [0..<5000])
  }

  @Test func stopsOnRequest() {
    var random = SplitMix64(seed: 10)
    let made = TestTree(Workload.clustered.points(20_000, &random), isFixed: true)
    guard let center = GeoPoint(latitude: 0, longitude: 0),
      let circle = GeoCircle(center: center, radiusInRadians: 1)
    else { return }
    var visits = 0
    made.tree.search(
      Region(circle),
      until: { _ in
        visits += 1
        return visits < 3
      })
    #expect(visits == 3)
  }

  private func check(
    _ made: TestTree, _ region: Region, _ random: inout SplitMix64, _ note: String
  ) {
    let expected = made.points.indices.filter {
      region.contains(longitude: made.points[$0].longitude, latitude: made.points[$0].latitude)
    }
    #expect(positions(made.tree, region, nil) == expected, "\(note)")
    #expect(made.tree.count(region) == (expected.count, 0), "\(note)")
    let blocks = (made.points.count + 4095) / 4096
    guard blocks > 0 else { return }
    let first = Int.random(in: 0..<blocks, using: &random)
    let last = Int.random(in: first..<blocks, using: &random)
    let part = first * 4096..<min(made.points.count, (last + 1) * 4096)
    #expect(
      positions(made.tree, region, part) == expected.filter(part.contains), "\(part) \(note)")
    let estimate = made.tree.estimate(region)
    #expect(estimate >= 0 && estimate <= made.points.count + 64 * blocks, "\(note)")
    if !expected.isEmpty { #expect(estimate > 0, "\(note)") }
  }

  private func positions(_ tree: RTree<PointBlock>, _ region: Region, _ part: Range<Int>?) -> [Int]
  {
    var found: [Int] = []
    tree.forEachMatch(of: region, in: part) { match in
      switch match {
      case .range(let range): found += range
      case .leaf(let leaf, let matches):
        #expect(matches.sure != 0 && matches.candidates == 0)
        found += (0..<64).filter { matches.sure >> UInt64($0) & 1 == 1 }.map { leaf * 64 + $0 }
      }
    }
    return found
  }
}

/// A shape of any kind and size, mostly around one of the points.
func randomShape(near points: [GeoPoint], _ random: inout SplitMix64) throws -> Shape {
  func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
  let center =
    points.isEmpty || Int.random(in: 0...4, using: &random) == 0
    ? try #require(GeoPoint(latitude: pick(-90...90), longitude: pick(-180...180)))
    : points[Int.random(in: 0..<points.count, using: &random)]
  let size = 60 * pick(0...1) * pick(0...1) * pick(0...1)
  switch Int.random(in: 0...3, using: &random) {
  case 0:
    let corner = try #require(
      GeoPoint(
        latitude: max(-90, min(90, center.latitude + size)),
        longitude: wrap(center.longitude + size)))
    return .box(GeoBox(bottomLeft: center, topRight: corner))
  case 1:
    return .circle(try #require(GeoCircle(center: center, radiusInRadians: size / 40)))
  case let kind:
    let ring = (0..<12).map { index -> (Double, Double) in
      let (angle, reach) = (Double(index) / 2, size * pick(0.3...1))
      let (dy, dx) = (reach * sin(angle), reach * cos(angle))
      let x = center.longitude + dx
      return (
        max(-89, min(89, center.latitude + dy)), kind == 2 ? max(-180, min(180, x)) : wrap(x)
      )
    }
    return .polygon(
      try #require(
        GeoPolygon(outerRing: ring + [ring[0]], edges: kind == 2 ? .planar : .geodesic)))
  }
}

private func wrap(_ degrees: Double) -> Double {
  degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
}
