internal import CairnGeometry

/// The walk that opens what could be nearest first.
struct NearestSearch {
  private let tree: RTree
  private let origin: Origin
  private var queue = DistanceQueue()
  private var bar: DistanceBar

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
    let children = tree.children(level, index)
    // Siblings stand in one segment, one behind the other.
    let nodes = tree.levels.node(level - 1, children.lowerBound)
    for child in children {
      let key = origin.leastHalfChordSquared(to: nodes[child - children.lowerBound])
      if key <= bar.key { queue.push(.init(key: key, node: child, level: level - 1)) }
    }
  }

  private mutating func openLeaf(_ leaf: Int) {
    let block = tree.points(leaf >> 6)
    for index in block.range(ofLeaf: leaf & 63) {
      let point = block.point(at: index)
      guard let key = origin.halfChordSquared(point.longitude, point.latitude, upTo: bar.key)
      else { continue }
      bar.offer(key)
      queue.push(.init(key: key, position: (leaf >> 6) << 12 + index))
    }
  }
}
