/// A piece of a great circle along which latitude only rises or only falls, and which does not
/// cross the antimeridian after rotation.
struct GeodesicEdge: RegionEdge {
  /// The distance to the plane within which a point counts as on the edge: 13 nm on the ground.
  private static let width = 2e-15
  /// The same distance for a direction that is within 1e-14 of the point's.
  private static let roughWidth = 1e-13

  let south: Double
  let north: Double
  private let west: Double
  private let east: Double
  /// The unit normal of the edge's plane; points on its side lie west of the edge.
  private let normal: Vector
  /// The longitude of the circle's northernmost point, and the tangent of its latitude.
  private let apex: Double
  private let apexTangent: Double
  /// Whether the edge is on the eastern slope of the northernmost point.
  private let isEastern: Bool
  /// Whether the edge is a cut along the antimeridian that closes a polygon which crosses it.
  private let isCut: Bool

  /// Creates a piece between two points in degrees whose plane is given; `end`'s longitude is not
  /// wrapped.
  init(
    from start: (longitude: Double, latitude: Double),
    to end: (longitude: Double, latitude: Double), normal plane: Vector
  ) {
    south = min(start.latitude, end.latitude)
    north = max(start.latitude, end.latitude)
    west = min(start.longitude, end.longitude)
    east = max(start.longitude, end.longitude)
    let isRising = end.latitude > start.latitude
    normal = isRising ? plane : plane * -1
    isEastern = isRising != (end.longitude > start.longitude)
    let tilt = plane.z < 0 ? 1.0 : -1.0
    apex = arcTangent(plane.y * tilt, x: plane.x * tilt).inDegrees
    apexTangent = (plane.x * plane.x + plane.y * plane.y).squareRoot() / abs(plane.z)
    isCut = false
  }

  /// Creates a cut along the antimeridian between two latitudes, west of every point.
  init(cutFrom south: Double, to north: Double) {
    self.south = south
    self.north = north
    (west, east) = (-180.5, -180.5)
    normal = Vector(x: 0, y: 0, z: 0)
    (apex, apexTangent, isEastern, isCut) = (0, 0, false, true)
  }

  func span(south low: Double, north high: Double) -> (west: Double, east: Double) {
    // At the ends of the cut, the edges that cross the antimeridian must be part of the same
    // stretch.
    if isCut { return (west, low >= south && high <= north ? west : -180) }
    if endsAtPole, low <= -90 || high >= 90 { return (-180, 180) }
    guard east > west, north > south else { return (west, east) }
    let one = low <= south ? foot : longitude(at: low)
    let other = high >= north ? head : longitude(at: high)
    return (min(one, other), max(one, other))
  }

  /// Whether the edge ends at a pole, whose longitude does not matter.
  private var endsAtPole: Bool { !isCut && (north == 90 || south == -90) }

  /// The longitude of the southern end.
  private var foot: Double { isEastern ? east : west }
  /// The longitude of the northern end.
  private var head: Double { isEastern ? west : east }

  private func longitude(at latitude: Double) -> Double {
    let ratio = tangent(latitude.inRadians) / apexTangent
    let offset = arcCosine(max(-1, min(1, ratio))).inDegrees
    var longitude = isEastern ? apex + offset : apex - offset
    let middle = (west + east) / 2
    if longitude - middle > 180 { longitude -= 360 }
    if longitude - middle < -180 { longitude += 360 }
    return max(west, min(east, longitude))
  }

  /// A point in degrees and its direction.
  struct Probe {
    let longitude: Double
    let latitude: Double
    let direction: Vector
    /// The distance to an edge's plane within which the point counts as on the edge.
    let width: Double
  }

  static func probe(_ longitude: Double, latitude: Double) -> Probe {
    Probe(
      longitude: longitude, latitude: latitude,
      direction: Vector(longitude: longitude, latitude: latitude), width: width)
  }

  static func roughProbe(_ longitude: Double, latitude: Double) -> Probe? {
    Probe(
      longitude: longitude, latitude: latitude,
      direction: Vector(roughLongitude: longitude, latitude: latitude), width: roughWidth)
  }

  func side(of point: Probe) -> EdgeSide {
    if point.latitude < south || point.latitude > north { return .apart }
    let crossing: EdgeSide = point.latitude < north ? .west : .apart
    if isCut { return crossing }
    if abs(point.latitude) == 90 { return .near }
    if point.longitude < west { return .east }
    if point.longitude > east { return crossing }
    let height = normal.dot(point.direction)
    if abs(height) <= point.width { return .near }
    return height > 0 ? .east : crossing
  }
}
