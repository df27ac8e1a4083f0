/// The rings of one polygon, cut into pieces along which latitude is monotone and that do not cross the seam.
struct GeodesicPieces {
  private typealias Place = (longitude: Double, latitude: Double)

  private let turn: Double
  private var edges: [GeodesicEdge] = []
  /// Latitudes where the polygon's boundary crosses the seam.
  private var crossings: [Double] = []
  private var holdsSouthPole = false

  init(turn: Double) { self.turn = turn }

  /// Adds a closed ring, outer or hole.
  mutating func append(_ ring: [GeoPoint]) {
    let places = ring.map { (longitude: turned($0.longitude), latitude: $0.latitude) }
    var outline = RingOutline()
    let earlier = crossings.count
    for (start, end) in zip(places, places.dropFirst()) where !Self.areSame(start, end) {
      append(start, end, &outline)
    }
    let isOdd = (crossings.count - earlier) % 2 == 1
    if outline.holdsSouthPole(crossesSeamOddly: isOdd) { holdsSouthPole.toggle() }
  }

  private func turned(_ longitude: Double) -> Double {
    turn == 0 ? longitude : wrapped(longitude + turn)
  }

  private static func areSame(_ one: Place, _ other: Place) -> Bool {
    guard one.latitude == other.latitude else { return false }
    return abs(one.latitude) == 90 || one.longitude == other.longitude
      || abs(one.longitude - other.longitude) == 360
  }

  private mutating func append(_ start: Place, _ end: Place, _ outline: inout RingOutline) {
    let step = wrapped(end.longitude - start.longitude)
    if abs(start.latitude) == 90 || abs(end.latitude) == 90 {
      let longitude = abs(start.latitude) == 90 ? end.longitude : start.longitude
      outline.touchesPole(isNorth: start.latitude == 90 || end.latitude == 90)
      let plane = plane(longitude, isNorthward: start.latitude < end.latitude)
      edges.append(
        GeodesicEdge(
          from: (longitude, start.latitude), to: (longitude, end.latitude), normal: plane))
    } else if abs(step) == 180 {
      let pole = start.latitude + end.latitude >= 0 ? 90.0 : -90.0
      append(start, (start.longitude, pole), &outline)
      append((end.longitude, pole), end, &outline)
    } else {
      outline.append(from: start.latitude, to: end.latitude, step: step)
      appendArc(start, (start.longitude + step, end.latitude))
    }
  }

  /// The plane of a walk along a meridian.
  private func plane(_ longitude: Double, isNorthward: Bool) -> Vector {
    let plane = Vector(x: sine(degrees: longitude), y: -cosine(degrees: longitude), z: 0)
    return isNorthward ? plane : plane * -1
  }

  /// Cuts an arc at its northernmost or southernmost point.
  private mutating func appendArc(_ start: Place, _ end: Place) {
    let one = Vector(longitude: start.longitude, latitude: start.latitude)
    let other = Vector(longitude: end.longitude, latitude: end.latitude)
    let normal = one.normal(to: other)
    let rise = normal.cross(one).z
    guard rise * normal.cross(other).z < 0 else { return appendSeamed(start, end, normal) }
    let flat = (normal.x * normal.x + normal.y * normal.y).squareRoot()
    let side = rise > 0 ? 1.0 : -1.0
    let latitude = side * arcTangent(flat, abs(normal.z)).inDegrees
    let tilt = (normal.z < 0 ? 1.0 : -1.0) * side
    var longitude = arcTangent(normal.y * tilt, normal.x * tilt).inDegrees
    let middle = (start.longitude + end.longitude) / 2
    longitude += ((middle - longitude) / 360).rounded() * 360
    let range = (min(start.longitude, end.longitude), max(start.longitude, end.longitude))
    let top = (longitude: max(range.0, min(range.1, longitude)), latitude: latitude)
    appendSeamed(start, top, normal)
    appendSeamed(top, end, normal)
  }

  /// Cuts a monotone piece at the seam, where it crosses it.
  private mutating func appendSeamed(_ start: Place, _ end: Place, _ normal: Vector) {
    let shift = start.longitude > 180 ? -360.0 : start.longitude < -180 ? 360.0 : 0
    let from = (longitude: start.longitude + shift, latitude: start.latitude)
    let to = (longitude: end.longitude + shift, latitude: end.latitude)
    guard abs(to.longitude) > 180 else { return appendPiece(from, to, normal) }
    let side = to.longitude > 0 ? 180.0 : -180.0
    let tilted = arcTangent(normal.x * (normal.z < 0 ? -1 : 1), abs(normal.z)).inDegrees
    let range = (min(from.latitude, to.latitude), max(from.latitude, to.latitude))
    let latitude = max(range.0, min(range.1, tilted))
    crossings.append(latitude)
    appendPiece(from, (side, latitude), normal)
    appendPiece((-side, latitude), (to.longitude - 2 * side, to.latitude), normal)
  }

  private mutating func appendPiece(_ start: Place, _ end: Place, _ normal: Vector) {
    edges.append(GeodesicEdge(from: start, to: end, normal: normal))
  }

  /// All pieces, and the cuts along the seam that close the polygon there.
  func closed() -> [GeodesicEdge] {
    var made = edges
    var start = holdsSouthPole ? -91.0 : nil
    for latitude in crossings.sorted() {
      if let open = start {
        made.append(GeodesicEdge(seamFrom: open, to: latitude))
        start = nil
      } else {
        start = latitude
      }
    }
    if let open = start { made.append(GeodesicEdge(seamFrom: open, to: 91)) }
    return made
  }
}
