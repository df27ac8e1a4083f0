import CairnGeometry
import CairnIndex
import CairnStorage

/// The rectangles of the nodes over a chunk of the driver: its leaves, nodes of eight leaves, and one
/// of all. They are copied, so that a visit counts no references.
final class ChunkNodes {
  /// The level of the node over all rows.
  static let top = 2

  private let envelopes: UnsafeMutablePointer<Envelope>
  private var count = 0

  init() {
    envelopes = .allocate(capacity: 73)
    envelopes.initialize(repeating: .empty, count: 73)
  }

  deinit { envelopes.deallocate() }

  /// Reads the nodes over the chunk that begins at a position.
  func read(_ nodes: TreeNodes, from position: Int) {
    assert(
      position >= 0 && position < nodes.count && position & 63 == 0,
      "the chunk does not begin with a leaf")
    count = min(ChunkShape.rows, nodes.count - position)
    for leaf in 0..<self.nodes(0) {
      envelopes[leaf] = nodes.envelope(0, at: (position >> 6) + leaf)
    }
    for level in 1...Self.top {
      for node in 0..<self.nodes(level) {
        envelopes[index(level, at: node)] = children(level, at: node).reduce(Envelope.empty) {
          $0.union(envelope(level - 1, at: $1))
        }
      }
    }
  }

  @inline(__always)
  func envelope(_ level: Int, at node: Int) -> Envelope { envelopes[index(level, at: node)] }

  /// The rows below a node.
  @inline(__always)
  func rows(_ level: Int, at node: Int) -> Range<Int> {
    node << (6 + 3 * level)..<min(count, (node + 1) << (6 + 3 * level))
  }

  @inline(__always)
  func children(_ level: Int, at node: Int) -> Range<Int> {
    node << 3..<min(nodes(level - 1), (node + 1) << 3)
  }

  /// The number of nodes of a level.
  private func nodes(_ level: Int) -> Int {
    let span = 6 + 3 * level
    return (count + (1 << span) - 1) >> span
  }

  @inline(__always)
  private func index(_ level: Int, at node: Int) -> Int {
    assert(level >= 0 && level <= Self.top, "the level does not exist")
    assert(node >= 0 && node < nodes(level), "the node does not exist")
    return node + (level == 0 ? 0 : level == 1 ? 64 : 72)
  }
}

/// The small geometries that one thread compares, each read once while it visits a chunk.
final class JoinReadings {
  private let rows = PlanarReadings(capacity: ChunkShape.rows)
  private let candidate = PlanarReadings(capacity: 1)
  private var lastCandidate = -1

  /// Begins with another chunk.
  func begin() { rows.removeAll() }

  /// The reading of a row of the chunk.
  @inline(__always)
  func row(_ row: Int, of chunk: Chunk) -> PlanarReading {
    rows.reading(row, of: chunk.geometry(at: row))
  }

  /// The reading of a candidate.
  func candidate(_ number: Int, of view: GeometryView) -> PlanarReading {
    if number != lastCandidate { candidate.removeAll() }
    lastCandidate = number
    return candidate.reading(0, of: view)
  }
}

/// The rows of a chunk of the driver, in leaves of 64.
struct LeafReader {
  private enum Content {
    case points(PointBlock)
    case geometries(Chunk, boxes: UnsafePointer<Envelope>)
  }

  private let content: Content
  private let readings: JoinReadings

  init(_ driver: JoinSide, chunk: Int, readings: JoinReadings) {
    let rows = driver.column.chunk(chunk)
    content =
      driver.boxes.map { .geometries(rows, boxes: $0.chunk(chunk).boxes.start) }
      ?? .points(rows.points)
    self.readings = readings
  }

  /// The rows among the first `count` of a leaf that are partners of a candidate.
  func select(
    _ leaf: Int, count: Int, test: JoinTest, candidate: Int, box: Envelope
  ) -> UInt64 {
    assert(leaf >= 0 && leaf < ChunkShape.words, "the leaf does not exist")
    assert(count >= 0 && count <= 64, "a leaf has 64 rows")
    switch content {
    case .points(let points):
      let rows = test.select(points, leaf: leaf, candidate: candidate)
      return count < 64 ? rows & (1 << UInt64(count) &- 1) : rows
    case .geometries(let rows, let boxes):
      let near = Self.near(boxes + (leaf << 6), count: count, box: box)
      if near == 0 { return 0 }
      guard test.isPrepared(candidate) else {
        return test.select(
          rows, leaf: leaf, among: near, candidate: candidate, readings: readings)
      }
      var hits: UInt64 = 0
      let open = near.keepingEach { index in
        let answer = test.classify(boxes[leaf << 6 | index], candidate: candidate)
        if answer == .contained { hits |= 1 << UInt64(index) }
        return answer == .intersecting
      }
      if open == 0 { return hits }
      return hits
        | test.select(rows, leaf: leaf, among: open, candidate: candidate, readings: readings)
    }
  }

  /// The boxes that meet another one.
  @inline(__always)
  private static func near(
    _ boxes: UnsafePointer<Envelope>, count: Int, box: Envelope
  ) -> UInt64 {
    let bounds = box.outerBounds
    var near: UInt64 = 0
    for index in 0..<count {
      let isApart = any(boxes[index].lanes .> bounds)
      near |= (isApart ? 0 : 1) &<< UInt64(truncatingIfNeeded: index)
    }
    return near
  }
}
