/// The edges of a polygon's rings in a plane, each ring closed and without repeated neighbours, one after another.
struct EdgeChain {
  /// One ring's stretch of the edges.
  struct Ring {
    /// Its number in the polygon: 0 is the outer one.
    let number: Int
    let edges: Range<Int>
  }

  /// Where each edge begins.
  private(set) var points: [PlanePoint] = []
  /// The vertex in the polygon's ring that stands there.
  private(set) var vertices: [Int32] = []
  /// Which of `rings` an edge belongs to.
  private(set) var ringOf: [Int32] = []
  private(set) var rings: [Ring] = []

  /// The rings in the order in which they lie in the plane, so that neighbours of the chain are neighbours there.
  init(_ source: [PlaneRing]) {
    let order = MortonOrder(source).order
    let count = source.reduce(0) { $0 + $1.xs.count }
    points.reserveCapacity(count)
    vertices.reserveCapacity(count)
    ringOf.reserveCapacity(count)
    for number in order { append(source[number], number) }
  }

  private mutating func append(_ ring: PlaneRing, _ number: Int) {
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

  /// The edge behind one, in its ring.
  func next(_ edge: Int) -> Int {
    let range = rings[Int(ringOf[edge])].edges
    return edge + 1 == range.upperBound ? range.lowerBound : edge + 1
  }

  /// The edge before one, in its ring.
  func previous(_ edge: Int) -> Int {
    let range = rings[Int(ringOf[edge])].edges
    return (edge == range.lowerBound ? range.upperBound : edge) - 1
  }

  /// Where an edge ends.
  func end(_ edge: Int) -> PlanePoint { points[next(edge)] }

  /// The number of an edge's ring in the polygon.
  func number(_ edge: Int) -> Int { rings[Int(ringOf[edge])].number }
}

/// Rings sorted along a curve that fills the plane.
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
