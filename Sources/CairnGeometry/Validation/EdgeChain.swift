/// The edges of a polygon's rings in a plane. Each ring is closed and has no repeated neighbours.
struct EdgeChain {
  /// The range of one ring's edges.
  struct Ring {
    /// The ring's number in the polygon: 0 is the outer one.
    let number: Int
    let edges: Range<Int>
  }

  /// The starting point of each edge.
  private(set) var points: [PlanePoint] = []
  /// The index in the polygon's ring of each starting point.
  private(set) var vertices: [Int32] = []
  /// The index in `rings` of each edge's ring.
  private(set) var ringOf: [Int32] = []
  private(set) var rings: [Ring] = []

  /// Orders the rings by their location in the plane, so that neighbours in the chain are
  /// neighbours there.
  init(_ source: [PlaneRing]) {
    let order = MortonOrder(source).order
    let count = source.reduce(0) { $0 + $1.xs.count }
    points.reserveCapacity(count)
    vertices.reserveCapacity(count)
    ringOf.reserveCapacity(count)
    for number in order { append(source[number], number: number) }
  }

  private mutating func append(_ ring: PlaneRing, number: Int) {
    let start = points.count
    for index in ring.xs.indices.dropLast() {
      let point = PlanePoint(x: ring.xs[index], y: ring.ys[index])
      if points.count > start, points[points.count - 1] == point { continue }
      points.append(point)
      vertices.append(Int32(index))
      ringOf.append(Int32(rings.count))
    }
    if points.count > start + 1, points[points.count - 1] == points[start] { removeLast() }
    rings.append(Ring(number: number, edges: start..<points.count))
  }

  private mutating func removeLast() {
    points.removeLast()
    vertices.removeLast()
    ringOf.removeLast()
  }

  var count: Int { points.count }

  /// The following edge of the same ring.
  func next(_ edge: Int) -> Int {
    let range = rings[Int(ringOf[edge])].edges
    return edge + 1 == range.upperBound ? range.lowerBound : edge + 1
  }

  /// The preceding edge of the same ring.
  func previous(_ edge: Int) -> Int {
    let range = rings[Int(ringOf[edge])].edges
    return (edge == range.lowerBound ? range.upperBound : edge) - 1
  }

  /// The end point of an edge.
  func end(_ edge: Int) -> PlanePoint { points[next(edge)] }

  /// The number of an edge's ring in the polygon.
  func number(_ edge: Int) -> Int { rings[Int(ringOf[edge])].number }
}

/// The order of rings along a curve that fills the plane.
private struct MortonOrder {
  let order: [Int]

  init(_ rings: [PlaneRing]) {
    let firsts = rings.map { PlanePoint(x: $0.xs.first ?? 0, y: $0.ys.first ?? 0) }
    guard rings.count > 3, let west = firsts.map(\.x).min(), let south = firsts.map(\.y).min(),
      let east = firsts.map(\.x).max(), let north = firsts.map(\.y).max()
    else {
      order = Array(rings.indices)
      return
    }
    let scale = 65535 / max(east - west, north - south, .leastNormalMagnitude)
    let keys = firsts.map { point in
      Self.spread((point.x - west) * scale) | Self.spread((point.y - south) * scale) << 1
    }
    order = [0] + rings.indices.dropFirst().sorted { keys[$0] < keys[$1] }
  }

  private static func spread(_ value: Double) -> UInt64 {
    var bits = UInt64(max(0, min(65535, value)))
    bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }
}

/// The way in which two edges of a chain meet.
enum EdgeMeeting {
  case apart
  /// The edges cross in the interior of both.
  case cross
  /// The edges share a stretch that begins at the point.
  case along(PlanePoint)
  /// The edges share one point, which is an end of at least one of them.
  case touch(PlanePoint)

  /// - Parameters: two different edges of the chain, given by their indexes.
  init(_ one: Int, other: Int, of chain: borrowing EdgeChain) {
    let (a, b) = (chain.points[one], chain.end(one))
    let (c, d) = (chain.points[other], chain.end(other))
    let (sideC, sideD) = (orientation(a, b: b, c: c), orientation(a, b: b, c: d))
    if sideC * sideD > 0 {
      self = .apart
    } else if sideC == 0, sideD == 0 {
      self = Self.onOneLine(a, b: b, c: c, d: d)
    } else {
      let (sideA, sideB) = (orientation(c, b: d, c: a), orientation(c, b: d, c: b))
      if sideA * sideB > 0 {
        self = .apart
      } else if sideC == 0 {
        self = .touch(c)
      } else if sideD == 0 {
        self = .touch(d)
      } else {
        self = sideA == 0 ? .touch(a) : sideB == 0 ? .touch(b) : .cross
      }
    }
  }

  private static func onOneLine(
    _ a: PlanePoint, b: PlanePoint, c: PlanePoint, d: PlanePoint
  ) -> EdgeMeeting {
    let first = a.isBefore(b) ? (a, b) : (b, a)
    let second = c.isBefore(d) ? (c, d) : (d, c)
    let start = first.0.isBefore(second.0) ? second.0 : first.0
    let end = first.1.isBefore(second.1) ? first.1 : second.1
    if start == end { return .touch(start) }
    return start.isBefore(end) ? .along(start) : .apart
  }
}

extension PlanePoint {
  /// The order from west to east, and on one meridian from south to north.
  func isBefore(_ other: PlanePoint) -> Bool {
    x < other.x || (x == other.x && y < other.y)
  }
}
