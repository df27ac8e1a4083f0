/// The shortest path between two directions, or a single direction.
///
/// Positions closer to each other than `tolerance` are the same: this covers every rounding error,
/// so that the sign of a triple product beyond it is certain, and shapes that share an edge always
/// touch each other.
struct Arc {
  /// The angle below which two positions are the same: 26 nm on the ground.
  static let tolerance = 4e-15

  let start: Vector
  let end: Vector
  /// The normal of the plane through both ends, not of unit length; left of the arc is positive. It
  /// is exactly opposite for the reverse arc.
  let normal: Vector
  /// The length of the normal.
  let length: Double

  @inline(__always)
  init(_ start: Vector, end: Vector) {
    self.start = start
    self.end = end
    normal = (start - end).cross(start + end)
    length = normal.length
  }

  /// Whether the arc is a single direction.
  @inline(__always) var isPoint: Bool { length < 1e-15 }

  /// The side of the arc's great circle on which a direction lies: 1 is left, -1 right, 0 on it.
  @inline(__always)
  func side(of point: Vector) -> Int {
    let height = normal.dot(point)
    let limit = Self.tolerance * length
    return height > limit ? 1 : height < -limit ? -1 : 0
  }

  /// Whether a direction on the arc's great circle lies between the ends.
  @inline(__always)
  func spans(_ point: Vector) -> Bool {
    let limit = -Self.tolerance * length
    return normal.cross(start).dot(point - start) >= limit
      && end.cross(normal).dot(point - end) >= limit
  }

  /// Whether a direction lies on the arc.
  @inline(__always)
  func contains(_ point: Vector) -> Bool {
    if isPoint { return point.isAt(start) }
    return side(of: point) == 0 && spans(point)
  }

  /// Whether the two arcs have a position in common.
  @inline(__always)
  func touches(_ other: Arc) -> Bool {
    if isPoint { return other.contains(start) }
    if other.isPoint { return contains(other.start) }
    let (one, two) = (side(of: other.start), side(of: other.end))
    if one * two > 0 { return false }
    let (three, four) = (other.side(of: start), other.side(of: end))
    if three * four > 0 { return false }
    // All four triangles of the ends have the same orientation if the arcs cross.
    if one * two * three * four != 0 { return one == four && three == two }
    return (one == 0 && spans(other.start)) || (two == 0 && spans(other.end))
      || (three == 0 && other.spans(start)) || (four == 0 && other.spans(end))
  }

  /// The direction in the middle of the arc.
  var middle: Vector { (start + end).unit }

  /// The square of the least chord from the arc to a direction.
  @inline(__always)
  func chordSquared(to point: Vector) -> Double {
    let (one, other) = (start.chordSquared(to: point), end.chordSquared(to: point))
    return chordSquared(to: point, fromStart: one, fromEnd: other)
  }

  /// The square of the least chord to a direction, from those to the ends of the arc.
  @inline(__always)
  func chordSquared(to point: Vector, fromStart one: Double, fromEnd other: Double) -> Double {
    let own = start.chordSquared(to: end)
    let nearest = min(one, other)
    guard Arc.isBeside(one, other, own: own), length > 0 else { return nearest }
    let height = normal.dot(point) / length
    let square = height * height
    return min(nearest, 2 * square / (1 + max(0, 1 - square).squareRoot()))
  }

  /// Whether the foot of the perpendicular from a point lies between the ends of an arc, from the
  /// squares of the chords between the three.
  @inline(__always)
  static func isBeside(_ one: Double, _ other: Double, own: Double) -> Bool {
    own > 0 && one + own - other > one * own / 2 && other + own - one > other * own / 2
  }
}

extension Vector {
  /// The square of the chord to another unit vector.
  @inline(__always)
  func chordSquared(to other: Vector) -> Double {
    let way = self - other
    return way.dot(way)
  }

  /// Whether the two directions are the same position.
  @inline(__always)
  func isAt(_ other: Vector) -> Bool {
    chordSquared(to: other) <= Arc.tolerance * Arc.tolerance
  }
}

extension Sphere {
  /// The angle in radians whose chord on the unit sphere has a squared length.
  @inline(__always)
  static func angle(chordSquared square: Double) -> Double { angle(haversine: square / 4) }

  /// The squared length of the chord of an angle in radians.
  @inline(__always)
  static func chordSquared(ofAngle angle: Double) -> Double {
    angle >= .pi ? 4 : 4 * haversine(ofAngle: angle)
  }
}
