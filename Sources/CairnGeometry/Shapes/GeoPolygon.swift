/// An outer ring less its holes, the boundaries included; the direction of a ring does not matter.
public final class GeoPolygon: Sendable {
  /// How two neighbouring vertices of a ring are joined.
  public enum Edges: Hashable, Sendable {
    /// By the shortest way on the sphere.
    case geodesic
    /// By a straight line in longitude and latitude, as GeoJSON draws it.
    case planar
  }

  /// The ring that bounds the first polygon; its last point repeats the first.
  public var outerRing: [GeoPoint] { polygons.first?.first ?? [] }
  /// The rings cut out of it.
  public var holes: [[GeoPoint]] { Array(polygons.first?.dropFirst() ?? []) }
  /// How neighbouring vertices are joined.
  public let edges: Edges

  /// Each polygon's outer ring and then its holes; a point counts when it is in any of them.
  package let polygons: [[[GeoPoint]]]

  let preparation = Preparation()

  /// Nil where a ring has less than four points or does not end where it begins.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = [], edges: Edges = .geodesic) {
    guard ([outerRing] + holes).allSatisfy(Self.isRing) else { return nil }
    self.polygons = [[outerRing] + holes]
    self.edges = edges
  }

  /// Rings of (latitude, longitude); nil where one is no place, a ring too short or not closed.
  public convenience init?(
    outerRing: [(Double, Double)], holes: [[(Double, Double)]] = [], edges: Edges = .geodesic
  ) {
    guard let outer = Self.points(outerRing) else { return nil }
    let inner = holes.compactMap(Self.points)
    guard inner.count == holes.count else { return nil }
    self.init(outerRing: outer, holes: inner, edges: edges)
  }

  /// Rings of (latitude, longitude); nil where one is no place, a ring too short or not closed.
  public convenience init?(
    outerRing: [(Double, Double)], holes: [(Double, Double)]..., edges: Edges = .geodesic
  ) {
    self.init(outerRing: outerRing, holes: holes, edges: edges)
  }

  /// Several polygons as one; throws where a ring has less than four points or is not closed.
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
  public static func == (left: GeoPolygon, right: GeoPolygon) -> Bool {
    left === right || (left.edges == right.edges && left.polygons == right.polygons)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(edges)
    hasher.combine(polygons)
  }
}

extension GeoPolygon: CustomStringConvertible {
  public var description: String {
    let vertices = polygons.joined().reduce(0) { $0 + $1.count - 1 }
    let holeCount = polygons.reduce(0) { $0 + $1.count - 1 }
    let many = polygons.count == 1 ? "polygon" : "\(polygons.count) polygons"
    let cut = holeCount == 0 ? "" : holeCount == 1 ? ", 1 hole" : ", \(holeCount) holes"
    return "\(many) of \(vertices) vertices\(cut), \(edges) edges"
  }
}
