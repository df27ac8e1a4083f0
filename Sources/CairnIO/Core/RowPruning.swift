package import CairnGeometry
package import CairnQuery

/// A hint which rows of the files matter.
///
/// Rows that do not meet it may be left out, and need not: the rows that are stored are a superset of those
/// that matter. Nothing is counted or rejected because of a hint, and a part of it that does not fit the
/// columns is passed over.
package struct RowPruning: Sendable {
  /// The condition on properties that rows must meet to matter; nil for none.
  package var condition: Predicate?
  /// The boxes that locations or geometries must be in to matter; none for everywhere.
  package var boxes: [GeoBox]
  /// The circle that locations must be in to matter; nil for everywhere. It says nothing of geometries.
  package var circle: GeoCircle?

  /// Creates a hint.
  package init(condition: Predicate? = nil, boxes: [GeoBox] = [], circle: GeoCircle? = nil) {
    self.condition = condition
    self.boxes = boxes
    self.circle = circle
  }

  /// Whether all rows matter.
  package var isEmpty: Bool { condition == nil && boxes.isEmpty && circle == nil }
}
