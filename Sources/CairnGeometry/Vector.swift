/// A direction from the middle of the earth; z points north, x to longitude 0.
struct Vector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The unit vector to a place in degrees.
  init(longitude: Double, latitude: Double) {
    let flat = cosine(degrees: latitude)
    x = flat * cosine(degrees: longitude)
    y = flat * sine(degrees: longitude)
    z = sine(degrees: latitude)
  }

  init(_ point: GeoPoint) {
    self.init(longitude: point.longitude, latitude: point.latitude)
  }

  var length: Double { dot(self).squareRoot() }
  var unit: Vector { self * (1 / length) }

  @inline(__always)
  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The unit normal of the plane through two unit vectors, good for close ones too, and exactly
  /// opposite for the two in turn, so that both sides of an edge agree on it.
  func normal(to other: Vector) -> Vector {
    (self - other).cross(self + other).unit
  }

  /// The place in this direction.
  var place: GeoPoint? {
    GeoPoint(
      latitude: arcTangent(z, (x * x + y * y).squareRoot()).inDegrees,
      longitude: arcTangent(y, x).inDegrees)
  }

  static func + (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }
  static func - (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }
  static func * (left: Vector, right: Double) -> Vector {
    Vector(x: left.x * right, y: left.y * right, z: left.z * right)
  }
}
