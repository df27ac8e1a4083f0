/// The rings of one polygon, cut into pieces along which latitude is monotone and that do not cross the seam.
struct GeodesicPieces {
  private typealias Place = (longitude: Double, latitude: Double)

  /// A vertex in degrees, turned, and its direction.
  private struct Corner {
    let longitude: Double
    let latitude: Double
    let direction: Vector

    init(_ longitude: Double, _ latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
      direction = Vector(longitude: longitude, latitude: latitude)
    }

    var isPole: Bool { abs(latitude) == 90 }

    func isAt(_ other: Corner) -> Bool {
      guard latitude == other.latitude else { return false }
      return isPole || longitude == other.longitude || abs(longitude - other.longitude) == 360
    }
  }

  private let turn: Double
  private var edges: [GeodesicEdge] = []
  /// Latitudes where the polygon's boundary crosses the seam.
  private var crossings: [Double] = []
  private var holdsSouthPole = false

  init(turn: Double) { self.turn = turn }

  /// Adds a closed ring, outer or hole.
  mutating func append(_ ring: [GeoPoint]) {
    var outline = RingOutline()
    let earlier = crossings.count
    var last: Corner?
    for point in ring {
      let corner = Corner(turned(point.longitude), point.latitude)
      guard let start = last else {
        last = corner
        continue
      }
      guard !corner.isAt(start) else { continue }
      append(start, corner, &outline)
      last = corner
    }
    let isOdd = (crossings.count - earlier) % 2 == 1
    if outline.holdsSouthPole(crossesSeamOddly: isOdd) { holdsSouthPole.toggle() }
  }

  private func turned(_ longitude: Double) -> Double {
    turn == 0 ? longitude : wrapped(longitude + turn)
  }

  private mutating func append(_ start: Corner, _ end: Corner, _ outline: inout RingOutline) {
    let step = wrapped(end.longitude - start.longitude)
    if start.isPole || end.isPole {
      let longitude = start.isPole ? end.longitude : start.longitude
      outline.touchesPole(isNorth: start.latitude == 90 || end.latitude == 90)
      let plane = plane(longitude, isNorthward: start.latitude < end.latitude)
      appendPiece((longitude, start.latitude), (longitude, end.latitude), plane)
    } else if abs(step) == 180 {
      let pole = start.latitude + end.latitude >= 0 ? 90.0 : -90.0
      append(start, Corner(start.longitude, pole), &outline)
      append(Corner(end.longitude, pole), end, &outline)
    } else {
      outline.append(from: start.latitude, to: end.latitude, step: step)
      appendArc(start, end, step)
    }
  }

  /// The plane of a walk along a meridian.
  private func plane(_ longitude: Double, isNorthward: Bool) -> Vector {
    let plane = Vector(x: sine(degrees: longitude), y: -cosine(degrees: longitude), z: 0)
    return isNorthward ? plane : plane * -1
  }

  /// Cuts an arc at its northernmost or southernmost point.
  private mutating func appendArc(_ one: Corner, _ other: Corner, _ step: Double) {
    let start = (longitude: one.longitude, latitude: one.latitude)
    let end = (longitude: one.longitude + step, latitude: other.latitude)
    let normal = one.direction.normal(to: other.direction)
    let rise = normal.cross(one.direction).z
    guard rise * normal.cross(other.direction).z < 0 else {
      return appendSeamed(start, end, normal)
    }
    let flat = (normal.x * normal.x + normal.y * normal.y).squareRoot()
    let side = rise > 0 ? 1.0 : -1.0
    let latitude = side * arcTangent(flat, abs(normal.z)).inDegrees
    let tilt = (normal.z < 0 ? 1.0 : -1.0) * side
    var longitude = arcTangent(normal.y * tilt, normal.x * tilt).inDegrees
    longitude += ((start.longitude + step / 2 - longitude) / 360).rounded() * 360
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
