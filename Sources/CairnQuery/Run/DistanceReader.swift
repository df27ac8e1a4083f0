import CairnGeometry
import CairnStorage

/// Measures the distance of rows from a shape, as a column of a query's output.
package struct DistanceReader {
  private let sort: SortColumn

  /// Prepares the measurement.
  ///
  /// - Parameter path: A property that holds a location or a geometry, also behind to-one links.
  /// - Throws: ``QueryError`` if the property does not, or the shape is not valid.
  package init(
    from shape: Shape, to path: PropertyPath, of table: Table
  ) throws(QueryError) {
    sort = try StepBinder(paths: PathBinder(table: table))
      .sortColumn(.distance(path, from: shape, ascending: true))
  }

  /// The metres on the sphere from the shape to the location or geometry of a row; nil if the row
  /// has neither.
  package func meters(of key: Int) -> Double? { sort.radians(key).map { $0 * Sphere.radius } }
}
