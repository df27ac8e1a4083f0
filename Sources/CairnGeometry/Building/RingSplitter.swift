/// Splits rings that touch themselves in single points, which changes no point of the area: a ring
/// that leads around two areas becomes two rings, and one that touches itself from the inside becomes
/// a ring and a hole.
enum RingSplitter {
  /// Returns the polygons of a polygon's rings after the split; nil if no ring touches itself, or if
  /// one crosses itself or runs along itself, so that its area has two readings.
  ///
  /// Rings of different loops may still break other rules.
  ///
  /// - Complexity: O(*n* log *n* + *hs*) for *n* vertices, and *h* holes in one of *s* outer rings.
  ///   Returns nil where the search for it would take seconds.
  static func split(_ rings: [PlaneRing]) -> [[PlaneRing]]? {
    var (shells, holes): ([PlaneRing], [PlaneRing]) = ([], [])
    var isSplit = false
    for (number, ring) in rings.enumerated() {
      guard let loops = loops(of: ring) else { return nil }
      isSplit = isSplit || loops.count > 1
      // The loops of a ring that does not cross itself are side by side, which turn one way, or
      // inside of another one, which turn the other way.
      let areas = loops.map(\.signedArea)
      let turn = areas.reduce(0, +).sign
      for (loop, area) in zip(loops, areas) {
        guard area != 0 else { return nil }
        if (area.sign == turn) == (number == 0) { shells.append(loop) } else { holes.append(loop) }
      }
    }
    return isSplit ? polygons(shells, holes: holes) : nil
  }

  /// Returns the rings without common vertices that a ring consists of; nil if it crosses itself or
  /// runs along itself.
  private static func loops(of ring: PlaneRing) -> [PlaneRing]? {
    guard ring.count > 3, ring.isClosed, let points = points(of: ring) else { return nil }
    var loops: [ArraySlice<PlanePoint>] = []
    var path: [PlanePoint] = []
    var indices: [PlanePoint: Int] = [:]
    for point in points {
      if let index = indices[point] {
        loops.append(path[index...])
        for other in path[(index + 1)...] { indices[other] = nil }
        path.removeSubrange((index + 1)...)
      } else {
        indices[point] = path.count
        path.append(point)
      }
    }
    loops.append(path[...])
    guard loops.allSatisfy({ $0.count > 2 }) else { return nil }
    return loops.map { loop in
      PlaneRing(
        xs: loop.map(\.x) + loop.prefix(1).map(\.x), ys: loop.map(\.y) + loop.prefix(1).map(\.y))
    }
  }

  /// Returns the vertices of a ring, also those that lie on another of its edges; nil if edges cross
  /// or share a stretch.
  private static func points(of ring: PlaneRing) -> [PlanePoint]? {
    let chain = EdgeChain([ring])
    guard chain.count > 2 else { return nil }
    var touches: [Int: Set<PlanePoint>] = [:]
    var isClear = true
    let isDone = ChainTree(chain).pairs(stepLimit: 24 * chain.count + 100_000) { one, other in
      switch EdgeMeeting(one, other: other, of: chain) {
      case .apart: break
      case .cross, .along: isClear = false
      case .touch(let point):
        for edge in [one, other] where point != chain.points[edge] && point != chain.end(edge) {
          touches[edge, default: []].insert(point)
        }
      }
      return !isClear
    }
    guard isDone, isClear else { return nil }
    return (0..<chain.count).flatMap { edge -> [PlanePoint] in
      let start = chain.points[edge]
      let between = (touches[edge] ?? []).sorted {
        $0.squaredDistance(to: start) < $1.squaredDistance(to: start)
      }
      return [start] + between
    }
  }

  /// The most boxes and edges of outer rings that holes are compared with.
  private static let maxSteps = 200_000_000

  /// Returns the outer rings, each with its holes; nil if a hole is in none of them. A hole that is in
  /// several belongs to the first.
  static func polygons(_ shells: [PlaneRing], holes: [PlaneRing]) -> [[PlaneRing]]? {
    guard shells.count > 1 else { return shells.isEmpty ? nil : [shells + holes] }
    var polygons = shells.map { [$0] }
    let boxes = shells.map(\.box)
    var stepsLeft = maxSteps
    for hole in holes {
      let box = hole.box
      stepsLeft -= boxes.count
      let found = boxes.indices.first { index in
        guard stepsLeft > 0, boxes[index].contains(box) else { return false }
        stepsLeft -= shells[index].count
        return shells[index].surrounds(hole)
      }
      guard stepsLeft > 0, let found else { return nil }
      polygons[found].append(hole)
    }
    return polygons
  }
}

extension PlanePoint {
  fileprivate func squaredDistance(to other: PlanePoint) -> Double {
    (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
  }
}

/// A rectangle around a ring.
private struct RingBox {
  let (west, south, east, north): (Double, Double, Double, Double)

  func contains(_ other: RingBox) -> Bool {
    west <= other.west && south <= other.south && east >= other.east && north >= other.north
  }
}

extension PlaneRing {
  fileprivate var box: RingBox {
    RingBox(
      west: xs.min() ?? 0, south: ys.min() ?? 0, east: xs.max() ?? 0, north: ys.max() ?? 0)
  }

  /// The area in the plane, negative for a ring that turns right.
  var signedArea: Double {
    guard count > 3 else { return 0 }
    return (2..<count).reduce(0) { sum, index in
      let (x, y) = (xs[index - 1] - xs[0], ys[index - 1] - ys[0])
      return sum + (x * (ys[index] - ys[0]) - (xs[index] - xs[0]) * y) / 2
    }
  }

  /// Whether the ring surrounds another one, which may touch it.
  fileprivate func surrounds(_ other: PlaneRing) -> Bool {
    for index in 0..<other.count {
      let point = PlanePoint(x: other.xs[index], y: other.ys[index])
      if let isInside = contains(point) { return isInside }
    }
    return false
  }

  /// Whether a point is inside; nil if it is on the ring.
  private func contains(_ point: PlanePoint) -> Bool? {
    var isInside = false
    for index in 1..<count {
      let a = PlanePoint(x: xs[index - 1], y: ys[index - 1])
      let b = PlanePoint(x: xs[index], y: ys[index])
      let side = orientation(a, b: b, c: point)
      let isBeside =
        min(a.x, b.x)...max(a.x, b.x) ~= point.x && min(a.y, b.y)...max(a.y, b.y) ~= point.y
      if side == 0, isBeside { return nil }
      if (a.y > point.y) != (b.y > point.y), (side > 0) == (b.y > a.y) { isInside.toggle() }
    }
    return isInside
  }
}
