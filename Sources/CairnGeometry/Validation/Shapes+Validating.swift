/// Shapes of coordinates from outside the program. Each initializer throws the reason and the
/// location where the others return nil.
extension GeoPoint {
  /// Creates a location on the earth.
  ///
  /// - Parameters:
  ///   - latitude: degrees north of the equator, -90 ... 90.
  ///   - longitude: degrees east of Greenwich, -180 ... 180.
  ///   - altitude: metres above sea level, not negative.
  /// - Throws: ``GeometryError`` that names the coordinate which is not a number or out of its
  ///   range.
  public init(
    validatingLatitude latitude: Double, longitude: Double, altitude: Double = 0
  ) throws(GeometryError) {
    try self.init(
      latitude, longitude: longitude, altitude: altitude, polygon: nil, ring: nil, at: nil)
  }

  fileprivate init(
    _ latitude: Double, longitude: Double, altitude: Double, polygon: Int?, ring: Int?,
    at index: Int?
  ) throws(GeometryError) {
    if let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) {
      self = point
      return
    }
    let coordinates: [(name: String, value: Double, range: ClosedRange<Double>)] = [
      ("latitude", latitude, -90...90), ("longitude", longitude, -180...180),
      ("altitude", altitude, 0...Double.infinity),
    ]
    let wrong = coordinates.first { !$0.range.contains($0.value) } ?? coordinates[0]
    let owner =
      index.map { "point \($0) of \(ring == 0 ? "the outer ring" : "hole \(ring ?? 0)") has" }
      ?? "a point has"
    let bounds =
      wrong.range.upperBound == .infinity
      ? "0 or more" : "\(Int(wrong.range.lowerBound)) to \(Int(wrong.range.upperBound))"
    let hint =
      abs(latitude) > 90 && abs(longitude) <= 90 && abs(latitude) <= 180
      ? "; latitude and longitude may be swapped" : ""
    throw GeometryError(
      wrong.value.isNaN ? .notFinite : .outOfRange,
      message: "\(owner) a \(wrong.name) of \(wrong.value), expected a number of \(bounds)\(hint)",
      polygon: polygon,
      ring: ring)
  }
}

extension GeoPolygon {
  /// Creates a polygon that is valid in every query.
  ///
  /// - Parameters:
  ///   - outerRing: the points of the boundary; the last one repeats the first.
  ///   - holes: the rings that are cut out of it.
  ///   - edges: the kind of line that joins neighbouring points.
  /// - Throws: ``GeometryError`` with the rule that is broken, the ring and the location: a ring is
  ///   not closed, crosses itself or another, or a hole lies outside.
  /// - Complexity: O(*n* log *n*) in the number of points.
  public convenience init(
    validating outerRing: [GeoPoint], holes: [[GeoPoint]] = [], edges: Edges = .geodesic
  ) throws(GeometryError) {
    try self.init(polygons: [[outerRing] + holes], edges: edges)
    try validate()
  }

  /// Creates a polygon of (latitude, longitude) that is valid in every query.
  ///
  /// - Throws: ``GeometryError`` as the initializer of points does, and if a pair is not a location
  ///   on the earth.
  public convenience init(
    validating outerRing: [(Double, Double)], holes: [[(Double, Double)]] = [],
    edges: Edges = .geodesic
  ) throws(GeometryError) {
    var rings: [[GeoPoint]] = []
    for (ring, pairs) in ([outerRing] + holes).enumerated() {
      var points: [GeoPoint] = []
      for (index, pair) in pairs.enumerated() {
        points.append(
          try GeoPoint(pair.0, longitude: pair.1, altitude: 0, polygon: 0, ring: ring, at: index))
      }
      rings.append(points)
    }
    try self.init(validating: rings[0], holes: Array(rings.dropFirst()), edges: edges)
  }
}

extension Shape {
  /// Throws if the shape is a polygon or another geometry that breaks a rule.
  package func validate() throws(GeometryError) {
    switch self {
    case .box, .circle: break
    case .polygon(let polygon): try polygon.validate()
    case .geometry(let geometry, let edges): try geometry.validate(edges: edges)
    }
  }
}
