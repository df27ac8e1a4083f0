/// What is wrong with a shape, or what keeps it from being asked.
public struct GeometryError: Error, Hashable, Sendable {
  /// The rule that is broken.
  public enum Kind: String, Hashable, Sendable {
    case closed = "closed"
    case tooFewPoints = "min-4-points"
    case notFinite = "finite"
    case outOfRange = "range"
    case selfIntersection = "self-intersection"
    case holeOutsideOuterRing = "hole-inside-outer"
    case holesCross = "holes-cross"
    case sharedEdge = "shared-edge"
    case duplicateVertex = "duplicate-vertex"
    case nesting = "one-nesting"
    case emptyHole = "hole-empty"
    case beyondHemisphere = "hemisphere"
    /// A planar edge that jumps from one side of the antimeridian to the other.
    case antimeridian = "antimeridian"
    /// A coordinate system is unknown, or does not reach the place.
    case coordinateSystem = "crs"
    /// A library that Cairn needs is not installed.
    case missingLibrary = "missing-library"
    /// GEOS refused what should have been fine.
    case library = "library"
  }

  /// The rule.
  public let kind: Kind
  /// A sentence that a person can act on.
  public let message: String
  /// Which polygon of several, counted from 0.
  public let polygon: Int?
  /// Which ring of it: 0 is the outer one, 1 the first hole.
  public let ring: Int?
  /// Where, if it is one place.
  public let place: GeoPoint?

  package init(
    _ kind: Kind, _ message: String, polygon: Int? = nil, ring: Int? = nil, place: GeoPoint? = nil
  ) {
    self.kind = kind
    self.message = message
    self.polygon = polygon
    self.ring = ring
    self.place = place
  }
}

extension GeometryError: CustomStringConvertible {
  public var description: String { message }
}
