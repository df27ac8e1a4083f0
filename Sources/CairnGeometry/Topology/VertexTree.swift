/// A tree of boxes around vertices that lie near each other, from which vertices are removed.
///
/// A leaf has eight vertices, which follow each other on a curve through the plane, and a node eight
/// leaves or nodes. Each counts the vertices that are left in it.
struct VertexTree {
  /// The vertices in the order of the leaves. A removed one is negative.
  private var order: [Int32]
  /// The position of each vertex in `order`.
  private var positions: [Int32]
  /// The boxes of the leaves, of the nodes above them, and so on up to a single one.
  private var boxes: [PlanarBox] = []
  /// The number of vertices that are left in each box.
  private var counts: [Int32] = []
  /// The index in `boxes` of the first box of each level, and their number.
  private var starts: [Int] = [0]

  init(_ points: [PlanePoint]) {
    order = Self.order(points)
    positions = Array(repeating: 0, count: points.count)
    for (position, vertex) in order.enumerated() { positions[Int(vertex)] = Int32(position) }
    for first in stride(from: 0, to: order.count, by: 8) {
      var box = PlanarBox.empty
      let leaf = first..<min(order.count, first + 8)
      for position in leaf { box.insert(points[Int(order[position])]) }
      boxes.append(box)
      counts.append(Int32(leaf.count))
    }
    starts.append(boxes.count)
    while boxes.count - starts[starts.count - 2] > 1 {
      let children = starts[starts.count - 2]..<boxes.count
      for first in stride(from: children.lowerBound, to: children.upperBound, by: 8) {
        var (box, count) = (PlanarBox.empty, Int32(0))
        for child in first..<min(children.upperBound, first + 8) {
          box.insert(boxes[child])
          count += counts[child]
        }
        boxes.append(box)
        counts.append(count)
      }
      starts.append(boxes.count)
    }
  }

  /// The vertices along a Z-order curve.
  private static func order(_ points: [PlanePoint]) -> [Int32] {
    var bounds = PlanarBox.empty
    for point in points { bounds.insert(point) }
    let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
    let steps = 65535.0
    let (xScale, yScale) = (width > 0 ? steps / width : 0, height > 0 ? steps / height : 0)
    var keys = points.indices.map { index in
      let x = UInt64((points[index].x - bounds.west) * xScale)
      let y = UInt64((points[index].y - bounds.south) * yScale)
      return (spread(x) | spread(y) << 1) << 32 | UInt64(index)
    }
    keys.sort()
    return keys.map { Int32(truncatingIfNeeded: $0) }
  }

  /// The lower 16 bits with a zero before each.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }

  /// Removes a vertex.
  mutating func remove(_ vertex: Int32) {
    var node = Int(positions[Int(vertex)])
    order[node] = -1
    for level in 0..<starts.count - 1 {
      node >>= 3
      counts[starts[level] + node] -= 1
    }
  }

  /// Returns whether `visit` returns true for a vertex in a box, until it does.
  func contains(in box: PlanarBox, points: [PlanePoint], where visit: (Int32) -> Bool) -> Bool {
    var level = starts.count - 2
    let top = level
    var node = 0
    while true {
      let index = starts[level] &+ node
      if counts[index] > 0, boxes[index].meets(box) {
        if level > 0 {
          level &-= 1
          node <<= 3
          continue
        }
        for position in node << 3..<min(order.count, (node &+ 1) << 3) {
          let vertex = order[position]
          if vertex >= 0, box.contains(points[Int(vertex)]), visit(vertex) { return true }
        }
      }
      node &+= 1
      while node & 7 == 0 || starts[level] &+ node == starts[level &+ 1] {
        if level == top { return false }
        node = (node &+ 7) >> 3
        level &+= 1
      }
    }
  }
}
