internal import CairnGeometry

/// The walk that opens what could be nearest first.
struct NearestSearch {
  private let tree: RTree
  private let origin: Origin
  private var queue = DistanceQueue()
  private var bar: DistanceBar
  /// A rectangle around all that is not beyond the bar, once there is one, and the bar that it was made for.
  private var window: Envelope?
  private var windowKey = Double.infinity

  init(_ tree: RTree, longitude: Double, latitude: Double, bar: DistanceBar) {
    self.tree = tree
    self.bar = bar
    origin = Origin(longitude: longitude, latitude: latitude)
  }

  mutating func run(_ visit: (Int, Double) -> Bool) {
    queue.push(.init(key: 0, node: 0, level: tree.levels.height - 1))
    while let next = queue.pop() {
      if next.isPoint {
        guard visit(next.index, Sphere.angle(halfChordSquared: next.key)) else { return }
      } else if next.level == 0 {
        openLeaf(next.index)
      } else {
        openNode(next.level, next.index)
      }
    }
  }

  private mutating func openNode(_ level: Int, _ index: Int) {
    updateWindow()
    let children = tree.children(level, index)
    // Siblings stand in one segment, one behind the other.
    let nodes = tree.levels.node(level - 1, children.lowerBound)
    for child in children {
      let envelope = nodes[child - children.lowerBound]
      if let window, !window.meets(envelope) { continue }
      let key = origin.leastHalfChordSquared(to: envelope)
      if key <= bar.key { queue.push(.init(key: key, node: child, level: level - 1)) }
    }
  }

  private mutating func openLeaf(_ leaf: Int) {
    updateWindow()
    let block = tree.points(leaf >> 6)
    let range = block.range(ofLeaf: leaf & 63)
    guard let window, block.isFixed, range.count == PointBlock.leafSize else {
      for index in range { offer(index, of: block, leaf) }
      return
    }
    var near = window.select(
      longitudeSteps: block.longitudeSteps + range.lowerBound,
      latitudeSteps: block.latitudeSteps + range.lowerBound)
    while near != 0 {
      offer(range.lowerBound + near.trailingZeroBitCount, of: block, leaf)
      near &= near &- 1
    }
  }

  @inline(__always)
  private mutating func offer(_ index: Int, of block: PointBlock, _ leaf: Int) {
    let point = block.point(at: index)
    guard let key = origin.halfChordSquared(point.longitude, point.latitude, upTo: bar.key)
    else { return }
    bar.offer(key)
    queue.push(.init(key: key, position: (leaf >> 6) << 12 + index))
  }

  private mutating func updateWindow() {
    guard bar.key < windowKey else { return }
    windowKey = bar.key
    window = origin.envelope(halfChordSquared: bar.key)
  }
}
