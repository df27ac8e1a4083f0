internal import CairnGeometry

/// A walk down the tree, from the root, in order of the positions.
struct Walk<Visitor: SearchVisitor> {
  private let tree: RTree
  private let region: Region
  private let reach: SIMD4<Int32>
  private let core: Envelope
  private let isRectangle: Bool
  private let positions: Range<Int>
  private var block: PointBlock?
  private var blockIndex = -1
  var visitor: Visitor

  init(_ tree: RTree, _ region: Region, _ positions: Range<Int>, _ visitor: Visitor) {
    self.tree = tree
    self.region = region
    self.positions = positions.clamped(to: 0..<tree.count)
    self.visitor = visitor
    reach = region.reach
    core = region.core
    isRectangle = region.isRectangle
  }

  mutating func run() {
    let top = tree.levels.height - 1
    guard top >= 0, !positions.isEmpty else { return }
    _ = walk(top, 0..<1)
  }

  /// Goes through neighbouring nodes of a level; false to stop altogether.
  private mutating func walk(_ level: Int, _ nodes: Range<Int>) -> Bool {
    let span = tree.span(level)
    let envelopes = tree.levels.node(level, nodes.lowerBound)
    var held = 0..<0
    for index in nodes {
      let envelope = envelopes[index - nodes.lowerBound]
      if any(envelope.lanes .> reach) { continue }
      let start = max(positions.lowerBound, index << span)
      let end = min(positions.upperBound, (index + 1) << span)
      guard start < end else { continue }
      switch classify(envelope) {
      case .missed: continue
      case .held:
        if held.upperBound == start, !held.isEmpty {
          held = held.lowerBound..<end
          continue
        }
        guard held.isEmpty || visitor.take(held) else { return false }
        held = start..<end
      case .cut:
        guard held.isEmpty || visitor.take(held) else { return false }
        held = 0..<0
        guard level == 0 ? test(index) : walk(level - 1, tree.children(level, index)) else {
          return false
        }
      }
    }
    return held.isEmpty || visitor.take(held)
  }

  @inline(__always)
  private func classify(_ envelope: Envelope) -> Containment {
    if core.holds(envelope) { return .held }
    return isRectangle ? .cut : region.classify(envelope)
  }

  /// Tests the points of a leaf.
  private mutating func test(_ leaf: Int) -> Bool {
    let index = leaf >> 6
    if index != blockIndex {
      block = tree.points(index)
      blockIndex = index
    }
    guard let block else { return true }
    let bits = block.select(leaf: leaf & 63, in: region)
    return bits == 0 || visitor.take(leaf: leaf, bits)
  }
}

extension RTree {
  /// The children of a node on the level below.
  @inline(__always)
  func children(_ level: Int, _ index: Int) -> Range<Int> {
    let first = index * RTree.fanOut
    return first..<min(first + RTree.fanOut, nodeCount(level - 1))
  }
}
