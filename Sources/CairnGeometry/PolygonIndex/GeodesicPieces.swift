/// The rings of one polygon, cut into pieces along which latitude is monotone and that do not cross
/// the antimeridian.
struct GeodesicPieces {
  private typealias Location = (longitude: Double, latitude: Double)

  /// A vertex in degrees, rotated, and its direction.
  private struct Corner {
    let longitude: Double
    let latitude: Double
    let direction: Vector

    init(_ longitude: Double, latitude: Double) {
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

  private let rotation: Double
  private var edges: [GeodesicEdge] = []
  /// The latitudes where the polygon's boundary crosses the antimeridian.
  private var crossings: [Double] = []
  private var containsSouthPole = false

  init(rotation: Double) { self.rotation = rotation }

  /// Adds a closed ring, outer or hole.
  mutating func append(_ ring: [GeoPoint]) {
    var outline = RingOutline()
    let earlier = crossings.count
    var last: Corner?
    for point in ring {
      let corner = Corner(rotated(point.longitude), latitude: point.latitude)
      guard let start = last else {
        last = corner
        continue
      }
      guard !corner.isAt(start) else { continue }
      append(start, end: corner, outline: &outline)
      last = corner
    }
    let isOdd = (crossings.count - earlier) % 2 == 1
    if outline.containsSouthPole(crossesCutOddly: isOdd) { containsSouthPole.toggle() }
  }

  private func rotated(_ longitude: Double) -> Double {
    rotation == 0 ? longitude : wrapped(longitude + rotation)
  }

  private mutating func append(_ start: Corner, end: Corner, outline: inout RingOutline) {
    let step = wrapped(end.longitude - start.longitude)
    if start.isPole || end.isPole {
      let longitude = start.isPole ? end.longitude : start.longitude
      outline.touchesPole(isNorth: start.latitude == 90 || end.latitude == 90)
      let plane = plane(longitude, isNorthward: start.latitude < end.latitude)
      appendPiece((longitude, start.latitude), end: (longitude, end.latitude), normal: plane)
    } else if abs(step) == 180 {
      let pole = start.latitude + end.latitude >= 0 ? 90.0 : -90.0
      append(start, end: Corner(start.longitude, latitude: pole), outline: &outline)
      append(Corner(end.longitude, latitude: pole), end: end, outline: &outline)
    } else {
      outline.append(from: start.latitude, to: end.latitude, step: step)
      appendArc(start, other: end, step: step)
    }
  }

  /// The plane of a path along a meridian.
  private func plane(_ longitude: Double, isNorthward: Bool) -> Vector {
    let plane = Vector(x: sine(degrees: longitude), y: -cosine(degrees: longitude), z: 0)
    return isNorthward ? plane : plane * -1
  }

  /// Cuts an arc at its northernmost or southernmost point.
  private mutating func appendArc(_ one: Corner, other: Corner, step: Double) {
    let start = (longitude: one.longitude, latitude: one.latitude)
    let end = (longitude: one.longitude + step, latitude: other.latitude)
    let normal = one.direction.normal(to: other.direction)
    let rise = normal.cross(one.direction).z
    guard rise * normal.cross(other.direction).z < 0 else {
      return appendCutting(start, end: end, normal: normal)
    }
    let flat = (normal.x * normal.x + normal.y * normal.y).squareRoot()
    let side = rise > 0 ? 1.0 : -1.0
    let latitude = side * arcTangent(flat, x: abs(normal.z)).inDegrees
    let tilt = (normal.z < 0 ? 1.0 : -1.0) * side
    var longitude = arcTangent(normal.y * tilt, x: normal.x * tilt).inDegrees
    longitude += ((start.longitude + step / 2 - longitude) / 360).rounded() * 360
    let range = (min(start.longitude, end.longitude), max(start.longitude, end.longitude))
    let top = (longitude: max(range.0, min(range.1, longitude)), latitude: latitude)
    appendCutting(start, end: top, normal: normal)
    appendCutting(top, end: end, normal: normal)
  }

  /// Cuts a monotone piece where it crosses the antimeridian.
  private mutating func appendCutting(_ start: Location, end: Location, normal: Vector) {
    let shift = start.longitude > 180 ? -360.0 : start.longitude < -180 ? 360.0 : 0
    let from = (longitude: start.longitude + shift, latitude: start.latitude)
    let to = (longitude: end.longitude + shift, latitude: end.latitude)
    guard abs(to.longitude) > 180 else { return appendPiece(from, end: to, normal: normal) }
    let side = to.longitude > 0 ? 180.0 : -180.0
    let tilted = arcTangent(normal.x * (normal.z < 0 ? -1 : 1), x: abs(normal.z)).inDegrees
    let range = (min(from.latitude, to.latitude), max(from.latitude, to.latitude))
    let latitude = max(range.0, min(range.1, tilted))
    crossings.append(latitude)
    appendPiece(from, end: (side, latitude), normal: normal)
    appendPiece((-side, latitude), end: (to.longitude - 2 * side, to.latitude), normal: normal)
  }

  private mutating func appendPiece(_ start: Location, end: Location, normal: Vector) {
    edges.append(GeodesicEdge(from: start, to: end, normal: normal))
  }

  /// All pieces, and the cuts along the antimeridian that close the polygon there.
  func closed() -> [GeodesicEdge] {
    var made = edges
    var start = containsSouthPole ? -91.0 : nil
    for latitude in crossings.sorted() {
      if let open = start {
        made.append(GeodesicEdge(cutFrom: open, to: latitude))
        start = nil
      } else {
        start = latitude
      }
    }
    if let open = start { made.append(GeodesicEdge(cutFrom: open, to: 91)) }
    return made
  }
}

/// The relation of a ring to the poles, found by following the ring.
struct RingOutline {
  private var totalRotation = 0.0
  /// The least and the greatest rotation on the way.
  private var (leastRotation, greatestRotation) = (0.0, 0.0)
  private var steps: [(from: Double, to: Double, step: Double)] = []
  private var touchesNorth = false
  private var touchesSouth = false

  /// Notes that the ring has a vertex on a pole.
  mutating func touchesPole(isNorth: Bool) {
    if isNorth { touchesNorth = true } else { touchesSouth = true }
  }

  /// Adds a geodesic between two latitudes over a difference of longitude, in degrees.
  mutating func append(from start: Double, to end: Double, step: Double) {
    totalRotation += step
    leastRotation = min(leastRotation, totalRotation)
    greatestRotation = max(greatestRotation, totalRotation)
    steps.append((start, end, step))
  }

  /// Whether the smaller side of the ring contains the south pole. For a ring through that pole:
  /// whether the antimeridian leaves the pole into the ring, in which case the ring crosses it an
  /// odd number of times.
  func containsSouthPole(crossesCutOddly isOdd: Bool) -> Bool {
    if touchesSouth { return isOdd }
    // A ring of up to half a turn does not go around a pole and has the smaller side between its
    // meridians.
    guard !touchesNorth, greatestRotation - leastRotation > 180 else { return false }
    return abs(northArea) > 2 * .pi
  }

  /// The solid angle between the ring and the north pole, signed by the direction.
  private var northArea: Double {
    steps.reduce(0) { area, edge in
      let product = tangent((90 - edge.from).inRadians / 2) * tangent((90 - edge.to).inRadians / 2)
      let angle = edge.step.inRadians
      return area + 2 * arcTangent(product * sine(angle), x: 1 + product * cosine(angle))
    }
  }
}

/// The meridian along which a set of polygons is cut open: the antimeridian, unless they reach it.
struct CutMeridian {
  /// The rotation in E7 fixed point, added to every longitude to move the cut to ±180.
  let rotationE7: Int32
  /// The rotation in degrees.
  var rotation: Double { E7.degrees(rotationE7) }

  init(_ polygons: [[[GeoPoint]]]) {
    rotationE7 =
      polygons.contains { $0.contains(where: Self.reachesAntimeridian) }
      ? Self.rotation(polygons) : 0
  }

  private static func reachesAntimeridian(_ ring: [GeoPoint]) -> Bool {
    zip(ring, ring.dropFirst()).contains { one, other in
      abs(one.longitude) == 180 || abs(one.longitude - other.longitude) >= 180
    }
  }

  /// The rotation that moves the middle of the widest gap without a vertex, and if possible without
  /// an edge, to ±180.
  private static func rotation(_ polygons: [[[GeoPoint]]]) -> Int32 {
    let spans = polygons.joined().flatMap { ring in
      zip(ring, ring.dropFirst()).map(span(of:))
    }
    let gap = widestGap(spans) ?? widestGap(spans.flatMap { [($0.0, $0.0), ($0.1, $0.1)] }) ?? 0
    return Int32((wrapped(180 - gap) * E7.perDegree).rounded())
  }

  /// The longitudes of an edge, from -180 on and never wrapped.
  private static func span(of edge: (GeoPoint, GeoPoint)) -> (Double, Double) {
    let (one, other) = (edge.0.longitude, edge.1.longitude)
    let (low, high) = (min(one, other), max(one, other))
    return high - low > 180 ? (high, low + 360) : (low, high)
  }

  /// The middle of the widest gap that no span touches, or nil if no gap is wide enough.
  private static func widestGap(_ spans: [(Double, Double)]) -> Double? {
    let sorted = spans.sorted { $0.0 < $1.0 }
    guard let first = sorted.first else { return nil }
    var end = (sorted.map(\.1).max() ?? first.1) - 360
    var widest = (width: 1e-6, middle: Double?.none)
    for span in sorted {
      if span.0 - end > widest.width {
        widest = (span.0 - end, wrapped((span.0 + end) / 2))
      }
      end = max(end, span.1)
    }
    return widest.middle
  }
}

extension BandIndex where Edge == GeodesicEdge {
  /// Creates the index of polygons whose edges are great circles. Points on an edge are inside.
  convenience init(geodesic polygon: GeoPolygon) {
    let meridian = CutMeridian(polygon.polygons)
    var edges: [GeodesicEdge] = []
    var polygons: [UInt32] = []
    for (index, rings) in polygon.polygons.enumerated() {
      var pieces = GeodesicPieces(rotation: meridian.rotation)
      for ring in rings { pieces.append(ring) }
      let made = pieces.closed()
      edges += made
      polygons += Array(repeating: UInt32(index), count: made.count)
    }
    self.init(edges, polygons: polygons, rotation: meridian.rotationE7) { _, _, _ in true }
  }
}
