internal import CairnGeometry

/// A best-first search: it opens the node that may contain the nearest point first.
struct NearestSearch {
  private let tree: RTree
  private let origin: Origin
  private var queue = DistanceQueue()
  private var threshold: TopKThreshold
  /// A rectangle around everything within the threshold, once there is one, and the threshold that
  /// it was created for.
  private var window: Envelope?
  private var windowKey = Double.infinity

  init(_ tree: RTree, longitude: Double, latitude: Double, threshold: TopKThreshold) {
    self.tree = tree
    self.threshold = threshold
    origin = Origin(longitude: longitude, latitude: latitude)
  }

  mutating func run(_ visit: (Int, Double) -> Bool) {
    queue.push(.init(key: 0, node: 0, level: tree.levels.height - 1))
    while let next = queue.pop() {
      if next.isPoint {
        guard visit(next.index, Sphere.angle(distanceKey: next.key)) else { return }
      } else if next.level == 0 {
        openLeaf(next.index)
      } else {
        openNode(next.level, at: next.index)
      }
    }
  }

  private mutating func openNode(_ level: Int, at index: Int) {
    updateWindow()
    let children = tree.children(level, at: index)
    // Siblings are neighbours in one segment.
    let nodes = tree.envelopes(level - 1, from: children.lowerBound)
    for child in children {
      let envelope = nodes[child - children.lowerBound]
      if let window, !window.intersects(envelope) { continue }
      let key = origin.lowerBoundKey(to: envelope)
      if key <= threshold.key { queue.push(.init(key: key, node: child, level: level - 1)) }
    }
  }

  private mutating func openLeaf(_ leaf: Int) {
    updateWindow()
    let block = tree.points(leaf >> 6)
    let range = block.range(ofLeaf: leaf & 63)
    guard let window, block.isFixed, range.count == PointBlock.leafSize else {
      for index in range { offer(index, of: block, leaf: leaf) }
      return
    }
    var near = window.select(
      longitudesE7: block.longitudesE7 + range.lowerBound,
      latitudesE7: block.latitudesE7 + range.lowerBound)
    while near != 0 {
      offer(range.lowerBound + near.trailingZeroBitCount, of: block, leaf: leaf)
      near &= near &- 1
    }
  }

  @inline(__always)
  private mutating func offer(_ index: Int, of block: PointBlock, leaf: Int) {
    let point = block.point(at: index)
    guard
      let key = origin.distanceKey(
        point.longitude, latitude: point.latitude, upTo: threshold.key)
    else { return }
    threshold.offer(key)
    queue.push(.init(key: key, position: (leaf >> 6) << 12 + index))
  }

  private mutating func updateWindow() {
    guard threshold.key < windowKey else { return }
    windowKey = threshold.key
    window = origin.envelope(haversine: threshold.key)
  }
}

extension RTree {
  /// Visits positions and their distances on the sphere in radians, nearest first, and at equal
  /// distance in order of the position, until `visit` returns false.
  ///
  /// - Parameter enough: the number of positions that the caller needs at most; positions beyond
  ///   these may be skipped. Pass nil if `visit` may reject some of them.
  package func nearest(
    longitude: Double, latitude: Double, enough: Int? = nil, _ visit: (Int, Double) -> Bool
  ) {
    guard count > 0 else { return }
    var search = NearestSearch(
      self, longitude: longitude, latitude: latitude,
      threshold: TopKThreshold(capacity: enough ?? .max))
    search.run(visit)
  }
}

/// A binary heap of nodes and points by distance. At equal distance nodes come first, then points
/// by position.
package struct DistanceQueue {
  /// A queued node or point.
  struct Item {
    /// The distance key. For a node it is a lower bound of everything below it.
    var key: Double
    private var word: UInt64

    /// The level of a box of a `BoxTree` whose distance was not measured yet.
    static let box = 255

    init(key: Double, node: Int, level: Int) {
      self.key = key
      word = UInt64(node) << 8 | UInt64(level)
    }

    init(key: Double, position: Int) {
      self.key = key
      word = UInt64(position) << 8 | 1 << 63
    }

    var isPoint: Bool { word >> 63 == 1 }
    var index: Int { Int((word << 1) >> 9) }
    var level: Int { Int(word & 255) }

    @inline(__always)
    static func < (left: Item, right: Item) -> Bool {
      left.key < right.key || (left.key == right.key && left.word < right.word)
    }
  }

  private var items: [Item] = []

  package init() { items.reserveCapacity(512) }

  mutating func removeAll() { items.removeAll(keepingCapacity: true) }

  mutating func push(_ item: Item) {
    var index = items.count
    items.append(item)
    items.withUnsafeMutableBufferPointer { heap in
      while index > 0 {
        let parent = (index - 1) >> 1
        guard item < heap[parent] else { break }
        heap[index] = heap[parent]
        index = parent
      }
      heap[index] = item
    }
  }

  mutating func pop() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty { sink(last) }
    return first
  }

  private mutating func sink(_ item: Item) {
    items.withUnsafeMutableBufferPointer { heap in
      var index = 0
      while true {
        var child = 2 * index + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
        guard heap[child] < item else { break }
        heap[index] = heap[child]
        index = child
      }
      heap[index] = item
    }
  }
}

/// The top-k threshold: the distance of the last of the k nearest points found, beyond which no
/// candidate matters.
package struct TopKThreshold {
  private let capacity: Int
  /// A heap with the greatest key at its root.
  private var keys: [Double] = []
  /// The threshold as a distance key; infinite while fewer than k points were found.
  package private(set) var key = Double.infinity

  /// - Parameter capacity: k; `.max` for no threshold.
  package init(capacity: Int) {
    self.capacity = capacity
    if capacity < .max { keys.reserveCapacity(capacity) }
  }

  /// Forgets all points.
  package mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    key = .infinity
  }

  /// Counts a point that is not beyond the threshold.
  package mutating func offer(_ new: Double) {
    guard capacity < .max else { return }
    if keys.count < capacity {
      keys.append(new)
      rise(from: keys.count - 1)
    } else if capacity > 0, new < keys[0] {
      keys[0] = new
      sink()
    }
    if keys.count == capacity { key = keys.first ?? 0 }
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, keys[(index - 1) / 2] < keys[index] {
      keys.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink() {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < keys.count else { return }
      if child + 1 < keys.count, keys[child + 1] > keys[child] { child += 1 }
      guard keys[child] > keys[index] else { return }
      keys.swapAt(index, child)
      index = child
    }
  }
}
