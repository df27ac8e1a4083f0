/// A site on the sphere, and two directions at right angles to it and to each other.
struct SiteFrame {
  private let site: Vector
  private let east: Vector
  private let north: Vector

  /// - Parameter axis: A unit vector that is neither the site nor opposite of it; nil for any.
  init(_ site: Vector, axis: Vector? = nil) {
    self.site = site
    let any = abs(site.z) < 0.9 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
    var axis = axis ?? any
    if axis.cross(site).length < 0.1 { axis = any }
    east = axis.cross(site).unit
    north = site.cross(east)
  }

  /// The way to another site in the plane of the frame, and the square of its length in space. The height
  /// of the other site is less by half of that, which has the digits that a difference would lose.
  @inline(__always)
  func way(to other: Vector) -> (x: Double, y: Double, square: Double) {
    let way = other - site
    return (way.dot(east), way.dot(north), way.dot(way))
  }

  /// The centre of the circle through the site and two others, which are anticlockwise as seen from
  /// outside, and about the greatest error of it in radians that rounding makes.
  func centre(_ one: Vector, _ other: Vector) -> (centre: Vector, error: Double) {
    let (u, v) = (way(to: one), way(to: other))
    let side =
      east * ((u.square * v.y - v.square * u.y) / 2)
      + north * ((u.x * v.square - v.x * u.square) / 2)
    let size = u.square.squareRoot() + v.square.squareRoot()
    var height = u.x * v.y - u.y * v.x
    // Sites on a great circle, but for rounding, have its pole as their centre.
    if abs(height) < 1e-15 * size { height = 0 }
    let normal = side + site * height
    let length = max(normal.length, 1e-300)
    let loss = (u.square + v.square) * abs(height) + size * side.length
    return (normal * (1 / length), min(0.3, 4e-15 * loss / (length * length)))
  }
}
