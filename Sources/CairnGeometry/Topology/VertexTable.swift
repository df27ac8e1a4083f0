/// The distinct vertices of many geometries, numbered in the order of their first use.
struct VertexTable {
  /// The location of each vertex.
  private(set) var points: [PlanePoint] = []
  /// A hash table of the vertices, or `free`.
  private var slots: [Int32] = Array(repeating: free, count: 64)

  private static let free: Int32 = -1

  /// The number of the vertex at a location, a new one at its first use.
  mutating func number(of point: PlanePoint) -> Int32 {
    if points.count * 2 >= slots.count { grow() }
    var slot = Self.hash(point) & (slots.count - 1)
    while slots[slot] != Self.free {
      if points[Int(slots[slot])] == point { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = Int32(points.count)
    slots[slot] = number
    points.append(point)
    return number
  }

  private mutating func grow() {
    slots = Array(repeating: Self.free, count: slots.count * 2)
    for (number, point) in points.enumerated() {
      var slot = Self.hash(point) & (slots.count - 1)
      while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }

  private static func hash(_ point: PlanePoint) -> Int {
    // 0 and -0 are equal.
    let (x, y) = ((point.x + 0).bitPattern, (point.y + 0).bitPattern)
    let product = (x ^ (y << 32 | y >> 32)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
