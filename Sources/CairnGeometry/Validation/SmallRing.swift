/// A ring with so few edges that comparing each two of them is faster than building an index, and
/// needs no memory.
struct SmallRing {
  /// The largest number of edges for which this is worthwhile.
  static let maxEdges = 32

  /// The vertices; the last is joined to the first. Valid during the call of `with`.
  let points: UnsafeBufferPointer<PlanePoint>

  /// Calls `body` with the ring of up to `maxEdges` edges whose vertices `point` returns. Neighbours
  /// that are the same, and the last vertex that repeats the first, are left out.
  static func with<Answer>(
    count: Int, point: (Int) -> PlanePoint, _ body: (SmallRing) -> Answer
  ) -> Answer {
    withUnsafeTemporaryAllocation(of: PlanePoint.self, capacity: max(1, count)) { buffer in
      var used = 0
      for index in 0..<count {
        let next = point(index)
        if used > 0, buffer[used - 1] == next { continue }
        assert(used < buffer.count, "the ring has more vertices than its memory")
        buffer.initializeElement(at: used, to: next)
        used += 1
      }
      if used > 1, buffer[used - 1] == buffer[0] { used -= 1 }
      return body(SmallRing(points: UnsafeBufferPointer(rebasing: buffer[..<used])))
    }
  }

  /// Whether no edge meets another one, except its neighbours at their common vertices.
  var isSimple: Bool {
    let count = points.count
    guard count > 2 else { return false }
    for one in 0..<count {
      let (a, b) = (points[one], points[one + 1 == count ? 0 : one + 1])
      for other in one + 1..<max(one + 1, count) {
        let (c, d) = (points[other], points[other + 1 == count ? 0 : other + 1])
        if other == one + 1 {
          if runsBack(a, b, next: d) { return false }
          continue
        }
        if one == 0, other == count - 1 {
          if runsBack(c, d, next: b) { return false }
          continue
        }
        if min(a.x, b.x) > max(c.x, d.x) || max(a.x, b.x) < min(c.x, d.x)
          || min(a.y, b.y) > max(c.y, d.y) || max(a.y, b.y) < min(c.y, d.y)
        {
          continue
        }
        if !areApart(a, b, c, d) { return false }
      }
    }
    return true
  }

  /// Whether an edge and the next one lead back along one line.
  private func runsBack(_ a: PlanePoint, _ b: PlanePoint, next c: PlanePoint) -> Bool {
    let way = (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y)
    return way > 0 && orientation(a, b: b, c: c) == 0
  }

  /// Whether one of two edges lies on one side of the other. Edges of one line are never apart here.
  private func areApart(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint
  ) -> Bool {
    orientation(a, b: b, c: c) * orientation(a, b: b, c: d) > 0
      || orientation(c, b: d, c: a) * orientation(c, b: d, c: b) > 0
  }
}
