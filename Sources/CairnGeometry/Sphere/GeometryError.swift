import CairnSystem

/// An error in a shape, or an obstacle to evaluating it.
public struct GeometryError: Error, Hashable, Sendable {
  /// The rule that is broken.
  public enum Kind: String, Hashable, Sendable {
    /// A ring does not end at its first point.
    case closed = "closed"
    /// A ring has fewer than four points, including the last one that repeats the first, or a line
    /// has fewer than two.
    case tooFewPoints = "min-4-points"
    /// A coordinate is not a finite number.
    case notFinite = "finite"
    /// A coordinate or radius is out of its range.
    case outOfRange = "range"
    /// A ring intersects itself.
    case selfIntersection = "self-intersection"
    /// A hole is not inside of its outer ring.
    case holeOutsideOuterRing = "hole-inside-outer"
    /// Two holes cross.
    case holesCross = "holes-cross"
    /// Two rings share an edge.
    case sharedEdge = "shared-edge"
    /// A ring passes through the same vertex twice.
    case duplicateVertex = "duplicate-vertex"
    /// A hole lies inside of another hole.
    case nesting = "one-nesting"
    /// A hole has no area.
    case emptyHole = "hole-empty"
    /// Rings touch so that the interior of a polygon is not connected.
    case disconnectedInterior = "disconnected-interior"
    /// Two polygons of a multipolygon overlap.
    case overlap = "overlap"
    /// A geodesic polygon does not fit into a hemisphere.
    case beyondHemisphere = "hemisphere"
    /// A planar edge jumps from one side of the antimeridian to the other.
    case antimeridian = "antimeridian"
    /// An operation does not take geometries of that kind.
    case wrongKind = "kind"
    /// A text or binary encoding of a geometry is malformed.
    case encoding = "encoding"
    /// A coordinate system is unknown, or does not cover the location.
    case coordinateSystem = "crs"
    /// A library that Cairn needs is not installed.
    case missingLibrary = "missing-library"
    /// GEOS failed on valid input.
    case library = "library"
  }

  /// The rule that is broken.
  public let kind: Kind
  /// A message that a person can act on.
  public let message: String
  /// The index of the polygon in a multipolygon, counted from 0.
  public let polygon: Int?
  /// The index of the ring in the polygon: 0 is the outer ring, 1 the first hole.
  public let ring: Int?
  /// The location of the fault, if it is a single one.
  public let location: GeoPoint?

  /// The former name of ``location``.
  @available(*, deprecated, renamed: "location")
  public var place: GeoPoint? { location }

  /// Creates an error.
  package init(
    _ kind: Kind, message: String, polygon: Int? = nil, ring: Int? = nil, location: GeoPoint? = nil
  ) {
    self.kind = kind
    self.message = message
    self.polygon = polygon
    self.ring = ring
    self.location = location
  }
}

extension GeometryError: CustomStringConvertible {
  /// The message.
  public var description: String { message }

  /// The message as a sentence.
  package var sentence: String { message.prefix(1).uppercased() + message.dropFirst() + "." }
}

extension GeometryError {
  /// The error for a missing library.
  init(_ error: LibraryError) { self.init(.missingLibrary, message: error.message) }
}
