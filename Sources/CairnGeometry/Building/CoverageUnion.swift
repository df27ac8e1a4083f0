/// The union of polygons that share whole edges and do not overlap: the edges that only one of them
/// has, joined to rings.
struct CoverageUnion {
  private var points = PointTable()
  private var edges = EdgeTable()
  /// The altitude of each point; NaN where it has none.
  private var altitudes: [Double] = []

  init() {}

  /// Adds the polygons of a valid geometry.
  mutating func add(_ view: GeometryView) throws(GeometryError) {
    for case .polygon(let rings) in view.parts {
      var isHole = false
      for ring in rings {
        try add(ring, of: view, isHole: isHole)
        isHole = true
      }
    }
  }

  private mutating func add(
    _ ring: Range<Int>, of view: GeometryView, isHole: Bool
  ) throws(GeometryError) {
    var numbers: [Int] = []
    numbers.reserveCapacity(ring.count)
    for vertex in ring {
      let number = points.number(of: view.longitude(vertex), view.latitude(vertex))
      if number == altitudes.count { altitudes.append(view.altitude(vertex) ?? .nan) }
      if number != numbers.last { numbers.append(number) }
    }
    // The polygon lies on the left of its edges.
    if (view.ring(ring).signedArea > 0) == isHole { numbers.reverse() }
    for index in 1..<max(1, numbers.count) {
      guard edges.add(from: numbers[index - 1], to: numbers[index]) else {
        throw GeometryError(
          .overlap,
          message:
            "the polygons are not a coverage: two lie on the same side of an edge at longitude "
            + "\(points.xs[numbers[index]]), latitude \(points.ys[numbers[index]])",
          location: GeoPoint(
            latitude: points.ys[numbers[index]], longitude: points.xs[numbers[index]]))
      }
    }
  }

  /// The union; a multipolygon unless it has exactly one polygon.
  func geometry() throws(GeometryError) -> Geometry {
    var walk = RingWalk(edges.remaining, points: points)
    let rings = walk.rings().map { loop in
      PlaneRing(xs: loop.map { points.xs[$0] }, ys: loop.map { points.ys[$0] })
    }
    let areas = rings.map(\.signedArea)
    let order = rings.indices.sorted { areas[$0] < areas[$1] }
    // A hole belongs to the smallest outer ring around it.
    let shells = order.filter { areas[$0] > 0 }.map { rings[$0] }
    let holes = rings.indices.filter { areas[$0] <= 0 }.map { rings[$0] }
    guard let polygons = RingSplitter.polygons(shells, holes: holes) ?? (rings.isEmpty ? [] : nil)
    else {
      throw GeometryError(
        .overlap, message: "the polygons are not a coverage: a hole lies in none of them")
    }
    return try checked(geometry(of: polygons))
  }

  /// The geometry, after a check. Where several polygons touch in points, the interior of one may
  /// consist of parts, which become polygons.
  private func checked(_ geometry: Geometry) throws(GeometryError) -> Geometry {
    do throws(GeometryError) {
      try geometry.validate(edges: .planar)
      return geometry
    } catch {
      if error.kind == .disconnectedInterior { return try geometry.repaired() }
      throw GeometryError(
        error.kind, message: "the polygons are not a coverage: in their union, \(error.message)",
        location: error.location)
    }
  }

  private func geometry(of polygons: [[PlaneRing]]) -> Geometry {
    var heights: [PlanePoint: Double] = [:]
    for (index, altitude) in altitudes.enumerated() where !altitude.isNaN {
      heights[PlanePoint(x: points.xs[index], y: points.ys[index])] = altitude
    }
    var builder = GeometryBuilder()
    builder.appendPolygons(polygons, altitudes: heights)
    return builder.geometry()
  }
}

/// Numbers for points: a hash table with open addressing.
private struct PointTable {
  private(set) var xs: [Double] = []
  private(set) var ys: [Double] = []
  /// The number of a point and 1, or 0 for an empty slot.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// The number of a point, which is that of the next one if it is new.
  mutating func number(of x: Double, _ y: Double) -> Int {
    if xs.count * 2 > slots.count { grow() }
    // Both zeros are the same longitude.
    let (x, y) = (x + 0, y + 0)
    var slot = self.slot(of: x, y)
    while slots[slot] != 0 {
      let number = Int(slots[slot] - 1)
      if xs[number] == x, ys[number] == y { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    xs.append(x)
    ys.append(y)
    slots[slot] = UInt32(xs.count)
    return xs.count - 1
  }

  private func slot(of x: Double, _ y: Double) -> Int {
    let mixed = (x.bitPattern &* 0x9E37_79B9_7F4A_7C15) ^ (y.bitPattern &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 20)
      & (slots.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 4)
    for number in xs.indices {
      var slot = self.slot(of: xs[number], ys[number])
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }
}

/// Directed edges between numbered points; two with opposite directions cancel: a hash table
/// with open addressing.
private struct EdgeTable {
  private enum Use: UInt8 {
    case upwards
    case downwards
    case cancelled
  }

  /// The lesser and the greater number of the ends, or 0 for an empty slot.
  private var keys = [UInt64](repeating: 0, count: 64)
  private var uses = [Use](repeating: .cancelled, count: 64)
  private var count = 0

  /// Adds an edge; false if the edge has a polygon on that side already.
  mutating func add(from start: Int, to end: Int) -> Bool {
    if count * 2 > keys.count { grow() }
    let key = UInt64(min(start, end)) << 32 | UInt64(max(start, end))
    let use: Use = start < end ? .upwards : .downwards
    let slot = self.slot(of: key)
    guard keys[slot] != 0 else {
      (keys[slot], uses[slot]) = (key, use)
      count += 1
      return true
    }
    guard uses[slot] != use, uses[slot] != .cancelled else { return false }
    uses[slot] = .cancelled
    return true
  }

  /// The slot of a key, or the empty one where it belongs.
  private func slot(of key: UInt64) -> Int {
    let mixed = (key ^ key >> 31) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: mixed >> 24) & (keys.count - 1)
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldUses) = (keys, uses)
    keys = Array(repeating: 0, count: oldKeys.count * 4)
    uses = Array(repeating: .cancelled, count: oldKeys.count * 4)
    for (key, use) in zip(oldKeys, oldUses) where key != 0 {
      let slot = self.slot(of: key)
      (keys[slot], uses[slot]) = (key, use)
    }
  }

  /// The edges that were not cancelled, in the order of their starts.
  var remaining: [(start: Int, end: Int)] {
    var edges: [(start: Int, end: Int)] = []
    for (key, use) in zip(keys, uses) where key != 0 && use != .cancelled {
      let (lesser, greater) = (Int(key >> 32), Int(key & 0xFFFF_FFFF))
      edges.append(use == .upwards ? (lesser, greater) : (greater, lesser))
    }
    edges.sort { $0.start == $1.start ? $0.end < $1.end : $0.start < $1.start }
    return edges
  }
}

/// Walks along edges that have the area on their left, from ring to ring.
private struct RingWalk {
  private let points: PointTable
  private let ends: [Int]
  private let starts: [Int]
  /// The first edge of each point, and one more.
  private var firsts: [Int]
  private var isUsed: [Bool]
  private var loops: [[Int]] = []
  private var path: [Int] = []
  /// The index of each point in the path; -1 if it is not there.
  private var indices: [Int]

  init(_ edges: [(start: Int, end: Int)], points: PointTable) {
    self.points = points
    starts = edges.map(\.start)
    ends = edges.map(\.end)
    firsts = Array(repeating: 0, count: points.xs.count + 1)
    for edge in edges { firsts[edge.start + 1] += 1 }
    for point in points.xs.indices { firsts[point + 1] += firsts[point] }
    isUsed = Array(repeating: false, count: edges.count)
    indices = Array(repeating: -1, count: points.xs.count)
  }

  /// The rings, closed, that pass no point twice.
  mutating func rings() -> [[Int]] {
    for edge in ends.indices where !isUsed[edge] { walk(from: edge) }
    return loops
  }

  private mutating func walk(from first: Int) {
    path = [starts[first]]
    indices[starts[first]] = 0
    var edge = first
    while true {
      isUsed[edge] = true
      let point = ends[edge]
      if indices[point] >= 0 {
        closeLoop(at: indices[point])
        if path.count == 1 { break }
      } else {
        indices[point] = path.count
        path.append(point)
      }
      guard let next = self.next(after: edge) else { break }
      edge = next
    }
    for point in path { indices[point] = -1 }
  }

  private mutating func closeLoop(at index: Int) {
    loops.append(Array(path[index...]) + [path[index]])
    for point in path[(index + 1)...] { indices[point] = -1 }
    path.removeSubrange((index + 1)...)
  }

  /// The edge that leaves the end of another one farthest to the left, so that the area between both
  /// is in one piece.
  private func next(after edge: Int) -> Int? {
    let point = ends[edge]
    let free = (firsts[point]..<firsts[point + 1]).filter { !isUsed[$0] }
    guard free.count > 1 else { return free.first }
    let back = direction(from: point, to: starts[edge])
    return free.min {
      turn(from: back, to: direction(from: point, to: ends[$0]))
        < turn(from: back, to: direction(from: point, to: ends[$1]))
    }
  }

  private func direction(from one: Int, to other: Int) -> Double {
    arcTangent(points.ys[other] - points.ys[one], x: points.xs[other] - points.xs[one])
  }

  /// The angle from one direction to another, clockwise.
  private func turn(from one: Double, to other: Double) -> Double {
    one > other ? one - other : one - other + 2 * .pi
  }
}
