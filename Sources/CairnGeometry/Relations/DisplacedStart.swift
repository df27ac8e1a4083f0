/// The two points just beyond the start of a segment, on its left and on its right.
///
/// They are displaced from the start by an infinitely small step towards the end, and by one still
/// smaller to the side. So they never lie on an edge, and which side of an edge they are on follows
/// from the signs of determinants.
struct DisplacedStart {
  let a: PlanePoint
  private let b: PlanePoint
  private let leftIsAbove: Bool
  private let rightIsAbove: Bool

  /// - Parameters: the two ends of the segment, which differ.
  init(_ a: PlanePoint, to b: PlanePoint) {
    self.a = a
    self.b = b
    let isLevel = a.y == b.y
    leftIsAbove = isLevel ? b.x > a.x : b.y > a.y
    rightIsAbove = isLevel ? !leftIsAbove : leftIsAbove
  }

  /// The position of an edge along the parallel of each point: `west`, `east` or `apart`.
  @inline(__always)
  func sides(of low: PlanePoint, high: PlanePoint) -> (left: EdgeSide, right: EdgeSide) {
    let reachesLeft = reaches(low, high: high, isAbove: leftIsAbove)
    let reachesRight = reaches(low, high: high, isAbove: rightIsAbove)
    guard reachesLeft || reachesRight else { return (.apart, .apart) }
    var way = orientation(low, b: high, c: a)
    if way == 0 { way = orientation(low, b: high, c: b) }
    // An edge on the segment's own line has one of the points on each side.
    let leftIsWest = way == 0 ? b.y > a.y : way > 0
    let rightIsWest = way == 0 ? !leftIsWest : way > 0
    return (
      reachesLeft ? (leftIsWest ? .east : .west) : .apart,
      reachesRight ? (rightIsWest ? .east : .west) : .apart
    )
  }

  /// Whether an edge crosses the parallel of a point displaced up or down from the start.
  @inline(__always)
  private func reaches(_ low: PlanePoint, high: PlanePoint, isAbove: Bool) -> Bool {
    isAbove ? low.y <= a.y && a.y < high.y : low.y < a.y && a.y <= high.y
  }
}

extension BandIndex where Edge == PlanarEdge {
  /// Whether polygons with disjoint interiors contain the points beside the start of a segment.
  func contains(_ start: DisplacedStart) -> (left: Bool, right: Bool) {
    let band = (Int(E7.near(start.a.y)) - Int(south)) >> Int(shift)
    guard band >= 0, band < bandCount else { return (false, false) }
    let stop = stop(band, longitude: E7.near(start.a.x))
    if stop.pointee.state != State.unsure.rawValue {
      let isInside = stop.pointee.state == State.inside.rawValue
      return (isInside, isInside)
    }
    var (left, right) = (false, false)
    for index in stop.pointee.entry..<stop[1].entry {
      let entry = entries[index]
      if entry.isFirstOfPolygon, entry.isInside {
        left.toggle()
        right.toggle()
      }
      let edge = edges[Int(entry.edge)]
      let sides = start.sides(
        of: PlanePoint(x: edge.x, y: edge.south), high: PlanePoint(x: edge.topX, y: edge.north))
      if sides.left == .west { left.toggle() }
      if sides.right == .west { right.toggle() }
    }
    return (left, right)
  }
}
