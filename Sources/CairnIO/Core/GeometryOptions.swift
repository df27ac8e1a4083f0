package import CairnGeometry

/// How to import geometries that are not points, and records that have none.
public struct GeometryOptions: Sendable, Equatable {
  /// Whether each point of a MultiPoint becomes a row.
  public var takesEachPoint = false
  /// How any other geometry becomes a point; nil keeps it as it is.
  package var pointOf: PointDeriver.Method?
  /// Whether invalid lines and areas are repaired; otherwise they are rejected.
  public var repairs = false
  /// Whether a record without a location is stored with null; otherwise it cannot be stored, unless
  /// it can have other geometries.
  public var allowsMissing = false

  /// Creates options that keep every geometry as it is.
  public init() {}

  /// Whether every geometry is kept as it is.
  var makesNoPoints: Bool { !takesEachPoint && pointOf == nil }

  /// Whether geometries of a kind become points.
  package func makesPoints(_ kind: Geometry.Kind) -> Bool {
    pointOf != nil || kind == .multiPoint && takesEachPoint
  }
}
