package import CairnGeometry
package import CairnQuery

/// A hint which rows of the files matter.
///
/// A reader may leave out rows that do not meet it, and need not: the rows that are read are a superset
/// of those that matter. Nothing is counted or rejected because of a hint.
package struct RowPruning: Sendable {
  /// The condition on properties that rows must meet to matter; nil for none.
  package var condition: Predicate?
  /// The boxes that locations or geometries must be in to matter; none for everywhere.
  package var boxes: [GeoBox]

  /// Creates a hint.
  package init(condition: Predicate? = nil, boxes: [GeoBox] = []) {
    self.condition = condition
    self.boxes = boxes
  }
}
