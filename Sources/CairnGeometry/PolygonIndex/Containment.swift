/// The relation of a region to a rectangle.
@frozen
package enum Containment: UInt8, Sendable {
  /// Disjoint: no point of the rectangle is in the region.
  case disjoint
  /// Contained: every point of the rectangle is in the region.
  case contained
  /// Intersecting: some points may be in the region, and others not.
  case intersecting
}
