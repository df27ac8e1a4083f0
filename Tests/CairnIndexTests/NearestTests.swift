import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIndex

@Suite struct NearestTests {
  @Test(arguments: Workload.allCases)
  func agreesWithASort(workload: Workload) {
    let seed: UInt64 = 17
    var random = SplitMix64(seed: seed)
    for size in [0, 1, 64, 65, 513, 4097, 20_000] {
      let made = TestTree(workload.points(size, &random), isFixed: Bool.random(using: &random))
      for round in 0..<Soak.count(8, long: 12) {
        let x = round == 0 ? 180 : Double.random(in: -180...180, using: &random)
        let y = round == 1 ? 90 : round == 2 ? -90 : Double.random(in: -90...90, using: &random)
        let wanted = round == 3 ? size : round == 4 ? 1 : 100
        check(made, x, y, wanted, "\(workload) of \(size), seed \(seed)")
      }
    }
  }

  private func check(
    _ made: TestTree, _ x: Double, _ y: Double, _ wanted: Int, _ note: String
  ) {
    let origin = Origin(longitude: x, latitude: y)
    let keys = made.points.map { origin.angle($0.longitude, latitude: $0.latitude) }
    let expected = Ordering.least(keys, wanted)
    for enough in [nil, wanted] {
      check(made, x, y, wanted, enough, expected: expected, note)
    }
  }

  private func check(
    _ made: TestTree, _ x: Double, _ y: Double, _ wanted: Int, _ enough: Int?, expected: [Int],
    _ note: String
  ) {
    var found: [Int] = []
    var distances: [Double] = []
    var search = NearestSearch(enough: enough)
    var measure = PointDistances(from: Origin(longitude: x, latitude: y))
    search.run(made.tree, &measure) { position, distance in
      found.append(position)
      distances.append(distance)
      return found.count < wanted
    }
    #expect(found == expected, "from \(x) \(y), \(note)")
    #expect(distances == distances.sorted(), "from \(x) \(y), \(note)")
    guard let center = GeoPoint(latitude: y, longitude: x) else { return }
    for (position, distance) in zip(found, distances) {
      let exact = center.distance(to: made.points[position]).radians
      if !(abs(distance - exact) < 1e-12) {
        Issue.record("\(distance) instead of \(exact), \(note)")
      }
    }
  }

  @Test func theLowerBoundIsCorrect() {
    let seed: UInt64 = 18
    var random = SplitMix64(seed: seed)
    func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    for _ in 0..<3000 {
      let size = 60 * pick(0...1) * pick(0...1)
      let (west, south) = (pick(-180...180), pick(-90...90))
      let envelope = Envelope(
        west: west, south: south, east: min(180, west + size), north: min(90, south + size))
      let origin = Origin(longitude: pick(-180...180), latitude: pick(-90...90))
      let least = origin.lowerBoundKey(to: envelope)
      for _ in 0..<20 {
        let x = pick(envelope.west...envelope.east)
        let y = pick(envelope.south...envelope.north)
        guard let key = origin.distanceKey(x, latitude: y, upTo: .infinity) else {
          Issue.record("no key")
          continue
        }
        #expect(least <= key, "\(envelope) \(x) \(y) seed \(seed)")
      }
    }
  }
}
