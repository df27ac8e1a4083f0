/// The projection from the middle of the earth onto a plane that touches it.
struct Gnomonic {
  private let center: Vector
  private let east: Vector
  private let north: Vector

  /// The least height above the horizon, as a sine, at which a point is projected.
  static let horizon = 1e-6

  /// Touches at the middle of the points; nil where they do not fit into an open hemisphere.
  init?(about points: [Vector]) {
    guard let cap = SmallestCap(points) else { return nil }
    center = cap.center
    let axis = abs(center.z) < 0.9 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
    east = axis.cross(center).unit
    north = center.cross(east)
  }

  /// Nil for what lies a quarter of a great circle away or more.
  func project(_ point: Vector) -> (x: Double, y: Double)? {
    let height = point.dot(center)
    guard height > Self.horizon else { return nil }
    return (point.dot(east) / height, point.dot(north) / height)
  }

  /// The place that belongs to a point of the plane.
  func place(_ x: Double, _ y: Double) -> GeoPoint? {
    (center + east * x + north * y).unit.place
  }
}
