/// The distinct vertices of many lines and rings, numbered in the order of their first use.
struct VertexTable {
  /// The location of each vertex.
  private(set) var points: [PlanePoint] = []
  /// A hash table of the vertices, or `free`.
  private var slots: [Int32] = Array(repeating: free, count: leastSize)
  /// The vertex that was used last, and the step to it from the one before.
  private var last: Int32 = 0
  private var step: Int32 = 1

  private static let free: Int32 = -1
  private static let leastSize = 64

  /// The number of the vertex at a location, a new one at its first use.
  @inline(__always)
  mutating func number(of point: PlanePoint) -> Int32 {
    // Along a border that another ring has passed, numbers go up or down one by one.
    let expected = last &+ step
    if expected >= 0, expected < points.count, points[Int(expected)] == point {
      last = expected
      return expected
    }
    let number = search(point)
    step = number < last ? -1 : 1
    last = number
    return number
  }

  private mutating func search(_ point: PlanePoint) -> Int32 {
    if points.count * 2 >= slots.count { grow() }
    var slot = Self.hash(point) & (slots.count - 1)
    while slots[slot] != Self.free {
      if points[Int(slots[slot])] == point { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(points.count)
    return append(point)
  }

  /// Adds a vertex without a search for another one at its location. A table has either such vertices
  /// or those of `number(of:)`.
  @inline(__always)
  mutating func append(_ point: PlanePoint) -> Int32 {
    points.append(point)
    return Int32(points.count - 1)
  }

  /// Removes all vertices, and keeps memory for about as many.
  mutating func removeAll() {
    let isLarge = slots.count > Self.leastSize && points.count * 8 < slots.count
    clear(size: isLarge ? slots.count / 2 : slots.count)
    points.removeAll(keepingCapacity: true)
  }

  private mutating func clear(size: Int) {
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(Self.free, count: size))
  }

  private mutating func grow() {
    clear(size: slots.count * 2)
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
