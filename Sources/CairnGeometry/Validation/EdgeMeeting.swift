/// How two edges of a chain meet.
enum EdgeMeeting {
  case apart
  /// In the middle of both.
  case cross
  /// In a stretch that begins there.
  case along(PlanePoint)
  /// In one point, which is an end of one at least.
  case touch(PlanePoint)

  /// - Parameters: two different edges of the chain, given by number.
  init(_ one: Int, _ other: Int, of chain: EdgeChain) {
    let (a, b) = (chain.points[one], chain.end(one))
    let (c, d) = (chain.points[other], chain.end(other))
    let (sideC, sideD) = (orientation(a, b, c), orientation(a, b, d))
    if sideC * sideD > 0 {
      self = .apart
    } else if sideC == 0, sideD == 0 {
      self = Self.onOneLine(a, b, c, d)
    } else {
      let (sideA, sideB) = (orientation(c, d, a), orientation(c, d, b))
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
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint
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
  /// From west to east, and on one meridian from south to north.
  func isBefore(_ other: PlanePoint) -> Bool {
    x < other.x || (x == other.x && y < other.y)
  }
}
