/// Hexagons of equal area that cover the world, except that those at the antimeridian and at the
/// poles are cut.
///
/// The grid is a regular one of hexagons with two vertical sides in the plane of the Equal Earth
/// projection, which preserves areas; one hexagon is centred at latitude and longitude 0. Away from
/// the prime meridian, and towards the poles, hexagons are sheared, but their areas remain equal. A
/// location belongs to the hexagon whose centre is nearest in the plane.
package struct HexagonGrid: Hashable, Sendable {
  /// The widths in metres that a grid can have.
  package static let widths = 10.0...5_000_000

  /// The distance between the centres of neighbours, which is the distance between opposite sides.
  let width: Double
  /// The distance between rows of centres.
  let rowHeight: Double

  /// Creates a grid; returns nil if the width in metres is not one of `widths`.
  package init?(width: Double) {
    guard Self.widths.contains(width) else { return nil }
    self.width = width
    rowHeight = width * (3.0.squareRoot() / 2)
  }

  func code(longitude: Double, latitude: Double) -> Int64 {
    let point = EqualEarth.project(longitude: longitude, latitude: latitude)
    let below = (point.y / rowHeight).rounded(.down)
    let (lower, upper) = (nearest(point, row: below), nearest(point, row: below + 1))
    let isLower = lower.distance <= upper.distance
    return CellCode.code(
      row: Int(isLower ? below : below + 1), column: Int(isLower ? lower.column : upper.column))
  }

  /// Returns the centre in a row that is nearest to a point, and the square of its distance.
  @inline(__always)
  private func nearest(
    _ point: EqualEarth.Point, row: Double
  ) -> (column: Double, distance: Double) {
    let shift = Int(row) & 1 == 0 ? 0 : 0.5
    let column = (point.x / width - shift).rounded()
    let (dx, dy) = (point.x - (column + shift) * width, point.y - row * rowHeight)
    return (column, dx * dx + dy * dy)
  }

  func name(of code: Int64) -> String {
    let centre = lattice(code)
    let location = location(centre.x, centre.y).location
    return CellText.decimal(location.latitude, places: 5) + ","
      + CellText.decimal(location.longitude, places: 5)
  }

  /// The position of a centre on the lattice of centres and corners, whose units are half a width
  /// and a third of a row. Neighbours compute their common corners from the same integers.
  private func lattice(_ code: Int64) -> (x: Int, y: Int) {
    let (row, column) = CellCode.position(of: code)
    return (2 * column + (row & 1), 3 * row)
  }

  private func location(
    _ x: Double, _ y: Double
  ) -> (location: (longitude: Double, latitude: Double), isCut: Bool) {
    EqualEarth.unproject(EqualEarth.Point(x: x * width / 2, y: y * rowHeight / 3))
  }

  private func location(
    _ x: Int, _ y: Int
  ) -> (location: (longitude: Double, latitude: Double), isCut: Bool) {
    location(Double(x), Double(y))
  }

  private static let corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
  /// The length of an edge in metres up to which it has no further vertices.
  private static let plainEdge = 100_000.0

  /// The corners, anticlockwise, with further vertices on long and on cut edges; the last vertex
  /// repeats the first.
  func ring(of code: Int64) -> [(longitude: Double, latitude: Double)] {
    let centre = lattice(code)
    let corners = Self.corners.map { (centre.x + $0.0, centre.y + $0.1) }
    let isCut = corners.contains { location($0.0, $0.1).isCut }
    let pieces = max(isCut ? 8 : 1, min(16, Int((width / Self.plainEdge).rounded(.up))))
    var ring: [(longitude: Double, latitude: Double)] = []
    for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      for piece in 0..<pieces {
        let part = Double(piece) / Double(pieces)
        let vertex = location(
          Double(from.0) + Double(to.0 - from.0) * part,
          Double(from.1) + Double(to.1 - from.1) * part
        ).location
        if let last = ring.last, last == vertex { continue }
        ring.append(vertex)
      }
    }
    while ring.count > 1, let last = ring.last, last == ring[0] { ring.removeLast() }
    return ring + ring.prefix(1)
  }
}

/// The Equal Earth projection of the sphere, which preserves areas.
///
/// Source: Bojan Šavrič, Tom Patterson, Bernhard Jenny, "The Equal Earth map projection",
/// International Journal of Geographical Information Science 33 (2018).
enum EqualEarth {
  /// A location in the plane, in metres east and north of latitude and longitude 0.
  struct Point {
    var x: Double
    var y: Double
  }

  private static let (a1, a2, a3, a4) = (1.340264, -0.081106, 0.000893, 0.003796)
  /// Half the square root of 3.
  private static let m = 3.0.squareRoot() / 2
  /// The parametric latitude of the pole.
  private static let maxParameter = arcSine(m)

  /// The northing for a parametric latitude, on a sphere of radius 1.
  @inline(__always)
  private static func northing(_ t: Double) -> Double {
    let square = t * t
    let sixth = square * square * square
    return t * (a1 + a2 * square + sixth * (a3 + a4 * square))
  }

  /// The derivative of the northing.
  @inline(__always)
  private static func slope(_ t: Double) -> Double {
    let square = t * t
    let sixth = square * square * square
    return a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square)
  }

  /// Projects a location in degrees.
  static func project(longitude: Double, latitude: Double) -> Point {
    let t = arcSine(m * sine(latitude.inRadians))
    return Point(
      x: Sphere.radius * longitude.inRadians * cosine(t) / (m * slope(t)),
      y: Sphere.radius * northing(t))
  }

  /// The location of a point in degrees, rounded to 1e-7 degrees, and whether the point lay outside
  /// the world and was moved to its edge.
  static func unproject(
    _ point: Point
  ) -> (location: (longitude: Double, latitude: Double), isCut: Bool) {
    let y = point.y / Sphere.radius
    let highest = northing(maxParameter)
    let isBeyondPole = abs(y) > highest
    let t = isBeyondPole ? (y < 0 ? -maxParameter : maxParameter) : parameter(y)
    let latitude = arcSine(min(1, max(-1, sine(t) / m))).inDegrees
    let longitude = (point.x / Sphere.radius * m * slope(t) / cosine(t)).inDegrees
    func rounded(_ degrees: Double, limit: Double) -> Double {
      (min(limit, max(-limit, degrees)) * 1e7).rounded() / 1e7
    }
    return (
      (rounded(longitude, limit: 180), rounded(latitude, limit: 90)),
      isBeyondPole || abs(longitude) > 180
    )
  }

  /// The parametric latitude of a northing, by Newton's method.
  private static func parameter(_ y: Double) -> Double {
    var t = y / a1
    for _ in 0..<12 {
      let step = (northing(t) - y) / slope(t)
      t -= step
      if abs(step) < 1e-15 { break }
    }
    return min(maxParameter, max(-maxParameter, t))
  }
}
