/// A polygon: the area of an outer ring without its holes, including the boundaries. The direction
/// of a ring does not matter.
public final class GeoPolygon: Sendable {
  /// The kind of line that joins two neighbouring vertices of a ring.
  public enum Edges: Hashable, Sendable {
    /// The shortest path on the sphere.
    case geodesic
    /// A straight line in longitude and latitude, as in GeoJSON.
    case planar
  }

  /// The ring that bounds the first polygon; its last point repeats the first.
  public var outerRing: [GeoPoint] { polygons.first?.first ?? [] }
  /// The rings that are cut out of the first polygon.
  public var holes: [[GeoPoint]] { Array(polygons.first?.dropFirst() ?? []) }
  /// The kind of line that joins neighbouring vertices.
  public let edges: Edges

  /// The outer ring of each polygon, followed by its holes. A point is inside if it is in any of
  /// the polygons.
  package let polygons: [[[GeoPoint]]]

  /// The values that queries derived from the polygon.
  let preparation = Preparation()

  /// Creates a polygon; returns nil if a ring has fewer than four points or is not closed.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = [], edges: Edges = .geodesic) {
    guard ([outerRing] + holes).allSatisfy(Self.isRing) else { return nil }
    self.polygons = [[outerRing] + holes]
    self.edges = edges
  }

  /// Creates a polygon from rings of (latitude, longitude); returns nil if a location is not on the
  /// earth, or a ring is too short or not closed.
  public convenience init?(
    outerRing: [(Double, Double)], holes: [[(Double, Double)]] = [], edges: Edges = .geodesic
  ) {
    guard let outer = Self.points(outerRing) else { return nil }
    let inner = holes.compactMap(Self.points)
    guard inner.count == holes.count else { return nil }
    self.init(outerRing: outer, holes: inner, edges: edges)
  }

  /// Creates a polygon from rings of (latitude, longitude); returns nil if a location is not on the
  /// earth, or a ring is too short or not closed.
  public convenience init?(
    outerRing: [(Double, Double)], holes: [(Double, Double)]..., edges: Edges = .geodesic
  ) {
    self.init(outerRing: outerRing, holes: holes, edges: edges)
  }

  /// Creates a shape of several polygons. Throws if a ring has fewer than four points or is not
  /// closed.
  package init(polygons: [[[GeoPoint]]], edges: Edges) throws(GeometryError) {
    try Self.checkRings(of: polygons)
    self.polygons = polygons
    self.edges = edges
  }

  private static func isRing(_ points: [GeoPoint]) -> Bool {
    points.count > 3 && points.first == points.last
  }

  private static func points(_ pairs: [(Double, Double)]) -> [GeoPoint]? {
    let points = pairs.compactMap { GeoPoint($0) }
    return points.count == pairs.count ? points : nil
  }
}

extension GeoPolygon: Hashable {
  /// Whether both have the same rings and edges.
  public static func == (left: GeoPolygon, right: GeoPolygon) -> Bool {
    left === right || (left.edges == right.edges && left.polygons == right.polygons)
  }

  /// Hashes the rings and the edges.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(edges)
    hasher.combine(polygons)
  }
}

extension GeoPolygon: CustomStringConvertible {
  /// The numbers of vertices and holes, and the kind of edges.
  public var description: String {
    let vertices = polygons.joined().reduce(0) { $0 + $1.count - 1 }
    let holeCount = polygons.reduce(0) { $0 + $1.count - 1 }
    let many = polygons.count == 1 ? "polygon" : "\(polygons.count) polygons"
    let cut = holeCount == 0 ? "" : holeCount == 1 ? ", 1 hole" : ", \(holeCount) holes"
    return "\(many) of \(vertices) vertices\(cut), \(edges) edges"
  }
}

extension GeoPolygon {
  /// Checks that every ring is closed and has at least four points.
  static func checkRings(of polygons: [[[GeoPoint]]]) throws(GeometryError) {
    for (polygon, rings) in polygons.enumerated() {
      guard rings.isEmpty == false else {
        throw GeometryError(.tooFewPoints, message: "a polygon has no ring", polygon: polygon)
      }
      for (ring, points) in rings.enumerated() {
        try check(points, polygon: polygon, ring: ring)
      }
    }
  }

  /// Checks that a ring is closed and has at least four points.
  static func check(
    _ points: [GeoPoint], polygon: Int, ring: Int
  ) throws(GeometryError) {
    let name = ring == 0 ? "the outer ring" : "hole \(ring)"
    guard let first = points.first, let last = points.last else {
      throw GeometryError(
        ring == 0 ? .tooFewPoints : .emptyHole, message: "\(name) has no points", polygon: polygon,
        ring: ring)
    }
    guard first == last else {
      throw GeometryError(
        .closed,
        message: "\(name) is not closed: it begins at \(text(first)) and ends at \(text(last))",
        polygon: polygon, ring: ring, location: last)
    }
    guard points.count > 3 else {
      throw GeometryError(
        .tooFewPoints,
        message:
          "\(name) has \(points.count) points; a ring needs at least 4, the last repeating the first",
        polygon: polygon, ring: ring, location: first)
    }
  }

  private static func text(_ point: GeoPoint) -> String {
    "longitude \(point.longitude), latitude \(point.latitude)"
  }
}
