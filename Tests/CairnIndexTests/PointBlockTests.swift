import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIndex

@Suite(.tags(.untrusted)) struct PointBlockTests {
  private func isFixed(_ values: [Double]) -> Bool {
    PointBlock.isFixed(longitudes: values, latitudes: values, count: values.count)
  }

  @Test func onlyValuesThatReadBackExactlyAreFixed() {
    #expect(isFixed([0, 1.5, -89.1234567, 12.3456789, 45]))
    #expect(isFixed([]))
    #expect(!isFixed([-0.0]))
    #expect(!isFixed([1e-8]))
    let next = 12.3456789.nextUp
    #expect(!isFixed([next]))
    #expect(!isFixed([1, 2, 12.34567891]))
  }

  @Test func bothEncodingsReadTheSame() {
    let degrees: [Double] = (0..<100).map { Double($0 * 7_654_321 - 300_000_000) / 1e7 }
    let steps = degrees.map { Int32(($0 * 1e7).rounded()) }
    let other: [Double] = degrees.reversed()
    let otherSteps: [Int32] = steps.reversed()
    let fixed = PointBlock(longitudes: steps, latitudes: otherSteps, isFixed: true, count: 100)
    let plain = PointBlock(longitudes: degrees, latitudes: other, isFixed: false, count: 100)
    for index in 0..<100 {
      #expect(fixed.point(at: index) == plain.point(at: index))
    }
    #expect(decode(fixed) == decode(plain))
    #expect(fixed.leafEnvelopes == plain.leafEnvelopes)
    #expect(fixed.leafEnvelopes.count == 2)
  }

  @Test func gatheredPointsReadTheSame() {
    let steps: [Int32] = [15_000_000, -20_000_001, 1_800_000_000]
    let degrees = [0.1 + 0.2, -1.0 / 3]
    let fixed = PointBlock(longitudes: steps, latitudes: steps, isFixed: true, count: 3)
    let plain = PointBlock(longitudes: degrees, latitudes: degrees, isFixed: false, count: 2)
    let gathered = GatheredPoints()
    for sources in [[(fixed, 2), (fixed, 0)], [(plain, 1), (fixed, 1), (plain, 0)]] {
      let block = gathered.block(count: sources.count) { sources[$0] }
      #expect(block.count == sources.count)
      #expect(block.isFixed == sources.allSatisfy { $0.0.isFixed })
      for (place, source) in sources.enumerated() {
        #expect(block.point(at: place) == source.0.point(at: source.1))
      }
    }
  }

  /// A box selects the same points of both encodings, in full leaves and others.
  @Test(arguments: [64, 63, 5]) func bothEncodingsAreSelectedTheSame(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<200 {
      let steps = (0..<2).map { _ in (0..<count).map { _ in Int32(random.below(9)) } }
      let degrees = steps.map { $0.map { E7.degrees($0) } }
      let fixed = PointBlock(
        longitudes: steps[0], latitudes: steps[1], isFixed: true, count: count)
      let plain = PointBlock(
        longitudes: degrees[0], latitudes: degrees[1], isFixed: false, count: count)
      let sides = (0..<4).map { _ in Int32(random.below(9)) }
      let box = Envelope(lanes: SIMD4(sides[0], sides[1], -sides[2], -sides[3]))
      let expected = (0..<count).reduce(UInt64(0)) { bits, index in
        let isInside =
          steps[0][index] >= sides[0] && steps[0][index] <= sides[2]
          && steps[1][index] >= sides[1] && steps[1][index] <= sides[3]
        return bits | (isInside ? 1 << UInt64(index) : 0)
      }
      #expect(fixed.select(leaf: 0, in: box) == expected)
      #expect(plain.select(leaf: 0, in: box) == expected)
      let triangle = try Geometry(wkt: "POLYGON ((0 0, 7e-7 1e-7, 3e-7 6e-7, 0 0))")
      let region = triangle.withView {
        (
          fixed.select(leaf: 0, among: expected, coveredBy: $0),
          plain.select(leaf: 0, among: expected, coveredBy: $0)
        )
      }
      #expect(region.0 == region.1 && region.0 & ~expected == 0)
    }
  }

  /// Few points of a leaf are tested one by one, with the same result.
  @Test(arguments: [64, 40]) func somePointsAreSelectedAsAll(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<200 {
      let steps = (0..<2).map { _ in (0..<count).map { _ in Int32(random.below(20_000_000)) } }
      let degrees = steps.map { $0.map { E7.degrees($0) } }
      let center = try #require(GeoPoint(latitude: 1, longitude: 1))
      let circle = try #require(
        GeoCircle(center: center, radiusInRadians: Double(1 + random.below(30)) / 1000))
      for block in [
        PointBlock(longitudes: steps[0], latitudes: steps[1], isFixed: true, count: count),
        PointBlock(longitudes: degrees[0], latitudes: degrees[1], isFixed: false, count: count),
      ] {
        let all = block.select(leaf: 0, in: Region(circle))
        for size in [0, 1, 2, 3, 4, 20] {
          let some = (0..<size).reduce(UInt64(0)) { bits, _ in
            bits | 1 << UInt64(random.below(count))
          }
          #expect(block.select(leaf: 0, among: some, in: Region(circle)) & some == all & some)
        }
      }
    }
  }

  private func decode(_ block: PointBlock) -> [[Double]] {
    var xs = Array(repeating: 0.0, count: 64)
    var ys = xs
    let count = block.decode(leaf: 1, longitudes: &xs, latitudes: &ys)
    return [Array(xs.prefix(count)), Array(ys.prefix(count))]
  }
}

@Suite struct InvariantTests {
  @Test func sizesOfLevels() {
    #expect(TreeNodes.levelSizes(count: 0) == [])
    #expect(TreeNodes.levelSizes(count: 64) == [1])
    #expect(TreeNodes.levelSizes(count: 65) == [2, 1])
    #expect(TreeNodes.levelSizes(count: 4097) == [65, 9, 2, 1])
    #expect(TreeNodes.levelSizes(count: 10_000_000) == [156_250, 19_532, 2442, 306, 39, 5, 1])
  }

  @Test func aWrongRectangleIsReported() throws {
    let xs: [Int32] = (0..<130).map { $0 * 1000 }
    let block = PointBlock(longitudes: xs, latitudes: xs, isFixed: true, count: 130)
    var levels = TestTree.levels(of: [block])
    func tree(_ levels: [[Envelope]]) -> RTree<PointBlock> {
      RTree(
        count: 130,
        levels: levels.map { $0.withUnsafeBufferPointer { [$0.baseAddress].compactMap { $0 } } }
      ) { _ in
        block
      }
    }
    try tree(levels).checkInvariants()
    #expect(throws: IndexError.self) { try tree(Array(levels.prefix(1))).checkInvariants() }
    levels[0][1].lanes.x -= 1
    let error = #expect(throws: IndexError.self) { try tree(levels).checkInvariants() }
    #expect(error?.description.hasPrefix("node 1 of level 0") == true)
    levels[0][1].lanes.x += 1
    levels[1][0].lanes.w += 1
    #expect(throws: IndexError.self) { try tree(levels).checkInvariants() }
  }
}
