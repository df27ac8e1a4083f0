/// A piece of a great circle along which latitude only rises or only falls, west of the seam or east.
struct GeodesicEdge: RegionEdge {
  /// How close to its plane a point counts as on the edge: 13 nm on the ground.
  private static let width = 2e-15
  /// The same for a direction that is within 1e-14 of the point's.
  private static let roughWidth = 1e-13

  let south: Double
  let north: Double
  private let west: Double
  private let east: Double
  /// The unit normal of its plane; points that it points at lie west of the edge.
  private let normal: Vector
  /// Longitude and the tangent of the latitude of the circle's northernmost point.
  private let apex: Double
  private let steepness: Double
  /// The edge lies on the eastern slope of the northernmost point.
  private let isEastern: Bool
  /// A cut along the seam that closes a polygon which reaches over it.
  private let isSeam: Bool

  /// A piece between two points in degrees whose plane is given; `end`'s longitude is not wrapped.
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
    apex = arcTangent(plane.y * tilt, plane.x * tilt).inDegrees
    steepness = (plane.x * plane.x + plane.y * plane.y).squareRoot() / abs(plane.z)
    isSeam = false
  }

  /// A cut along the seam between two latitudes, west of every point.
  init(seamFrom south: Double, to north: Double) {
    self.south = south
    self.north = north
    (west, east) = (-180.5, -180.5)
    normal = Vector(x: 0, y: 0, z: 0)
    (apex, steepness, isEastern, isSeam) = (0, 0, false, true)
  }

  func span(south low: Double, north high: Double) -> (west: Double, east: Double) {
    // Where the cut ends, what crosses the seam must fall into the same stretch.
    if isSeam { return (west, low >= south && high <= north ? west : -180) }
    if endsAtPole, low <= -90 || high >= 90 { return (-180, 180) }
    guard east > west, north > south else { return (west, east) }
    let one = low <= south ? foot : longitude(at: low)
    let other = high >= north ? head : longitude(at: high)
    return (min(one, other), max(one, other))
  }

  /// The pole lies on the edge, with whatever longitude it is written.
  private var endsAtPole: Bool { !isSeam && (north == 90 || south == -90) }

  /// The longitude of the southern end.
  private var foot: Double { isEastern ? east : west }
  /// The longitude of the northern end.
  private var head: Double { isEastern ? west : east }

  private func longitude(at latitude: Double) -> Double {
    let ratio = tangent(latitude.inRadians) / steepness
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
    /// How close to an edge's plane the point counts as on the edge.
    let width: Double
  }

  static func probe(_ longitude: Double, _ latitude: Double) -> Probe {
    Probe(
      longitude: longitude, latitude: latitude,
      direction: Vector(longitude: longitude, latitude: latitude), width: width)
  }

  static func roughProbe(_ longitude: Double, _ latitude: Double) -> Probe? {
    Probe(
      longitude: longitude, latitude: latitude,
      direction: Vector(roughLongitude: longitude, latitude: latitude), width: roughWidth)
  }

  func side(of point: Probe) -> EdgeSide {
    if point.latitude < south || point.latitude > north { return .apart }
    let crossing: EdgeSide = point.latitude < north ? .west : .apart
    if isSeam { return crossing }
    if abs(point.latitude) == 90 { return .near }
    if point.longitude < west { return .east }
    if point.longitude > east { return crossing }
    let height = normal.dot(point.direction)
    if abs(height) <= point.width { return .near }
    return height > 0 ? .east : crossing
  }
}
