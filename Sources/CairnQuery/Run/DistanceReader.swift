import CairnGeometry
import CairnStorage

/// Measures the distance of rows from a shape, as a column of a query's output.
package struct DistanceReader {
  private let sort: SortColumn
  private let edges: GeoPolygon.Edges

  /// Prepares the measurement.
  ///
  /// - Parameters:
  ///   - path: A property that holds a location or a geometry, also behind to-one links.
  ///   - edges: What joins the vertices of both; with planar edges distances are in the plane.
  /// - Throws: ``QueryError`` if the property does not, or the shape is not valid.
  package init(
    from shape: Shape, to path: PropertyPath, of table: Table,
    edges: GeoPolygon.Edges = .geodesic
  ) throws(QueryError) {
    self.edges = edges
    sort = try StepBinder(paths: PathBinder(table: table))
      .sortColumn(.distance(path, from: shape, edges: edges, ascending: true))
  }

  /// The distance from the shape to the location or geometry of a row, in metres on the sphere or
  /// with planar edges in degrees; nil if the row has neither.
  package func distance(of key: Int) -> Double? {
    sort.radians(key).map { Self.number($0, edges: edges) }
  }

  /// A distance in radians in metres on the sphere, or with planar edges in degrees.
  package static func number(_ radians: Double, edges: GeoPolygon.Edges) -> Double {
    radians * (edges == .planar ? 180 / .pi : Sphere.radius)
  }
}
