/// What a region is to a rectangle.
@frozen
package enum Containment: UInt8, Sendable {
  /// No point of the rectangle is in the region.
  case missed
  /// Every point of the rectangle is in the region.
  case held
  /// Anything may be.
  case cut
}
