/// A geometry that was read for comparisons with several others, which is less work than to read it
/// for each and to prepare it for many.
package struct PlanarReading {
  private let side: PlanarSide

  /// Calls `body` with a reading of a geometry.
  package static func with<Result>(
    _ geometry: GeometryView, _ body: (PlanarReading) -> Result
  ) -> Result {
    PlanarSide.read(geometry) { body(PlanarReading(side: $0)) }
  }

  /// Whether another geometry has a relation to this one. Nothing holds for an empty geometry.
  package func holds(_ relation: SpatialRelation, _ other: GeometryView) -> Bool {
    PlanarSide.read(other) { PlanarRelation.holds(relation, $0, to: side) }
  }
}
