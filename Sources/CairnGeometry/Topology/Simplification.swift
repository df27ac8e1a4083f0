/// How many vertices of lines and polygons a simplification leaves out, and which ones.
public struct Simplification: Hashable, Sendable {
  /// The measure of a vertex: the vertices with the least one are left out.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// The area of the triangle with both neighbours, less at sharp corners. It keeps the character
    /// of an outline: Visvalingam and Whyatt 1993, with the weights of mapshaper.
    case visvalingam
    /// The distance from the new edge. It keeps the farthest points: Douglas and Peucker 1973.
    case douglasPeucker
  }

  /// The limit of a simplification.
  public enum Amount: Hashable, Sendable {
    /// The share of the removable vertices that are kept, 0 ... 1.
    case share(Double)
    /// The distance on the earth up to which lines may move.
    ///
    /// With ``Method/douglasPeucker`` no vertex is farther from the new line. With
    /// ``Method/visvalingam`` it is a size of details that are left out: 0.65 times the side of a
    /// square with the area of the triangle.
    case tolerance(Distance)
  }

  /// The limit.
  public var amount: Amount
  /// The measure of a vertex.
  public var method: Method
  /// Whether an island or hole below the limit keeps a triangle instead of vanishing.
  public var keepsSmallRings: Bool

  /// Creates a simplification.
  ///
  /// - Parameters:
  ///   - amount: The limit. A share outside of 0 ... 1 counts as the nearer of the two.
  ///   - method: The measure of a vertex.
  ///   - keepsSmallRings: Whether an island or hole below the limit keeps a triangle instead of
  ///     vanishing.
  public init(
    _ amount: Amount, method: Method = .visvalingam, keepsSmallRings: Bool = false
  ) {
    self.amount = amount
    self.method = method
    self.keepsSmallRings = keepsSmallRings
  }
}

extension Geometry {
  /// Returns geometries with fewer vertices, in which shared borders stay shared.
  ///
  /// Polygons and lines that have a stretch of vertices in common have the same vertices there
  /// afterwards, so that no gaps and no overlaps arise. Edges, straight in longitude and latitude,
  /// do not cross where they did not before, and no ring moves to the other side of a line. Valid
  /// geometries stay valid. The vertices of the results are vertices of the given geometries.
  ///
  /// Ends of lines, vertices where borders meet, and vertices on ±180 degrees and the poles are
  /// kept. An island or hole that touches no other ring vanishes below the limit, unless
  /// `rule` keeps it; a polygon may become empty. Points pass unchanged. Distances and areas are
  /// measured on the earth.
  ///
  /// - Parameters:
  ///   - geometries: The geometries, such as the countries of a map. Borders are shared where
  ///     coordinates are the same, bit for bit.
  ///   - rule: The vertices that are left out.
  /// - Returns: The new geometries, in the same order.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public static func simplified(
    _ geometries: [Geometry], by rule: Simplification
  ) -> [Geometry] {
    var topology = Topology()
    for geometry in geometries { geometry.withView { topology.add($0) } }
    topology.simplify(by: rule)
    return geometries.enumerated().map { index, geometry in
      geometry.withView { topology.geometry(index, of: $0) }
    }
  }
}
