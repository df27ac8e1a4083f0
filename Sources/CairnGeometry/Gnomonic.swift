/// The projection from the middle of the earth onto a plane that touches it.
struct Gnomonic {
  private let center: Vector
  private let east: Vector
  private let north: Vector

  /// Touches at the middle of the points.
  init(about points: [Vector]) {
    let sum = points.dropFirst().reduce(Vector(x: 0, y: 0, z: 0)) { $0 + $1 }
    center = sum.length > 1e-12 ? sum.unit : Vector(x: 0, y: 0, z: 1)
    let axis = abs(center.z) < 0.9 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
    east = axis.cross(center).unit
    north = center.cross(east)
  }

  /// Nil for what lies a quarter of a great circle away or more.
  func project(_ point: Vector) -> (x: Double, y: Double)? {
    let height = point.dot(center)
    guard height > 1e-6 else { return nil }
    return (point.dot(east) / height, point.dot(north) / height)
  }

  /// The place that belongs to a point of the plane.
  func place(_ x: Double, _ y: Double) -> GeoPoint? {
    (center + east * x + north * y).unit.place
  }
}
