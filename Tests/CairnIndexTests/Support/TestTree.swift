import CairnGeometry
import CairnTestSupport

@testable import CairnIndex

/// A tree in memory over some points, in Hilbert order.
final class TestTree {
  let points: [GeoPoint]
  let tree: RTree<PointBlock>
  private var memory: [UnsafeMutableRawPointer] = []

  init(_ points: [GeoPoint], isFixed: Bool) {
    let sorted = Ordering.positions(of: points.map(Self.key)).map { points[$0] }
    self.points = sorted
    var memory: [UnsafeMutableRawPointer] = []
    let blocks = stride(from: 0, to: points.count, by: 4096).map { start in
      Self.block(
        sorted[start..<min(start + 4096, points.count)], isFixed: isFixed, &memory)
    }
    let levels = Self.levels(of: blocks).map { Self.segments($0, &memory) }
    tree = RTree(count: points.count, levels: levels) { blocks[$0] }
    self.memory = memory
  }

  deinit { for piece in memory { piece.deallocate() } }

  private static func key(_ point: GeoPoint) -> UInt64 {
    Hilbert.key(longitude: point.longitude, latitude: point.latitude)
  }

  static func levels(of blocks: [PointBlock]) -> [[Envelope]] {
    let leaves = blocks.flatMap(\.leafEnvelopes)
    guard !leaves.isEmpty else { return [] }
    var levels = [leaves]
    while let last = levels.last, last.count > 1 {
      levels.append(last.withUnsafeBufferPointer { TreeNodes.parents(of: $0) })
    }
    return levels
  }

  private static func block(
    _ points: ArraySlice<GeoPoint>, isFixed: Bool, _ memory: inout [UnsafeMutableRawPointer]
  ) -> PointBlock {
    let (xs, ys) = (points.map(\.longitude), points.map(\.latitude))
    if isFixed {
      return PointBlock(
        longitudes: keep(xs.map(step), &memory), latitudes: keep(ys.map(step), &memory),
        isFixed: true, count: xs.count)
    }
    return PointBlock(
      longitudes: keep(xs, &memory), latitudes: keep(ys, &memory), isFixed: false,
      count: xs.count)
  }

  private static func step(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

  private static func keep<T>(
    _ values: [T], _ memory: inout [UnsafeMutableRawPointer]
  ) -> UnsafePointer<T> {
    let copy = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
    copy.initialize(from: values, count: values.count)
    memory.append(UnsafeMutableRawPointer(copy))
    return UnsafePointer(copy)
  }

  private static func segments(
    _ level: [Envelope], _ memory: inout [UnsafeMutableRawPointer]
  ) -> [UnsafePointer<Envelope>] {
    stride(from: 0, to: level.count, by: TreeNodes.segmentSize).map { start in
      keep(Array(level[start..<min(start + TreeNodes.segmentSize, level.count)]), &memory)
    }
  }
}

extension RTree<PointBlock> {
  /// The coordinates of the point at a position, in degrees.
  func point(at position: Int) -> (longitude: Double, latitude: Double) {
    let (block, index) = entry(at: position)
    return block.point(at: index)
  }
}

/// The kinds of point sets that the tests build trees of.
enum Workload: String, CaseIterable, Sendable {
  case uniform, clustered, duplicates, edges, antimeridian

  func points(_ count: Int, _ random: inout SplitMix64) -> [GeoPoint] {
    (0..<count).map { _ in point(&random) }
  }

  private func point(_ random: inout SplitMix64) -> GeoPoint {
    func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    switch self {
    case .uniform: return place(pick(-180...180), pick(-90...90))
    case .clustered:
      let city = Double(Int.random(in: 0...20, using: &random))
      let spread = pick(-1...1) * pick(-1...1)
      return place(city * 17 - 170 + spread, city * 8 - 80 + pick(-1...1) * pick(-1...1))
    case .duplicates:
      return place(pick(-3...3).rounded() * 10, pick(-3...3).rounded() * 10)
    case .edges:
      return place(
        [-180, 180, 0, pick(-180...180)].randomElement(using: &random) ?? 0,
        [-90, 90, 0, pick(-90...90)].randomElement(using: &random) ?? 0)
    case .antimeridian:
      let x = 180 - pick(0...1) * pick(0...1)
      return place(Bool.random(using: &random) ? x : -x, pick(-90...90))
    }
  }

  private func place(_ x: Double, _ y: Double) -> GeoPoint {
    func rounded(_ degrees: Double, _ limit: Double) -> Double {
      max(-limit, min(limit, (degrees * 1e7).rounded() / 1e7))
    }
    guard let point = GeoPoint(latitude: rounded(y, 90), longitude: rounded(x, 180)) else {
      preconditionFailure("not a location")
    }
    return point
  }
}
