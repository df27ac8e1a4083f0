/// A closed rectangle of meridians and parallels, in E7 fixed point, that never crosses the
/// antimeridian.
package struct Envelope: Hashable, Sendable {
  /// West, south, -east, -north: the union and the comparison of two envelopes take one instruction
  /// each.
  package var lanes: SIMD4<Int32>

  @inlinable
  /// Creates a rectangle from its lanes.
  package init(lanes: SIMD4<Int32>) { self.lanes = lanes }

  /// Creates the smallest E7 fixed point rectangle around one in degrees.
  package init(west: Double, south: Double, east: Double, north: Double) {
    lanes = SIMD4(
      E7.below(west), E7.below(south), -E7.above(east), -E7.above(north))
  }

  /// The rectangle that contains nothing. Its union with another is the other.
  @inlinable
  package static var empty: Envelope { Envelope(lanes: SIMD4(repeating: Int32.max)) }

  /// Whether the rectangle contains nothing.
  @inlinable
  package var isEmpty: Bool { lanes.x > -lanes.z }

  /// The western edge in degrees.
  package var west: Double { E7.degrees(lanes.x) }
  /// The southern edge in degrees.
  package var south: Double { E7.degrees(lanes.y) }
  /// The eastern edge in degrees.
  package var east: Double { E7.degrees(-lanes.z) }
  /// The northern edge in degrees.
  package var north: Double { E7.degrees(-lanes.w) }

  /// The smallest rectangle around both.
  @inlinable
  package func union(_ other: Envelope) -> Envelope {
    Envelope(lanes: pointwiseMin(lanes, other.lanes))
  }

  /// Whether the other rectangle lies in this one.
  @inlinable
  package func contains(_ other: Envelope) -> Bool { all(other.lanes .>= lanes) }

  /// The outer bounds: another envelope with a lane above these has no point in common with this
  /// one.
  @inlinable
  package var outerBounds: SIMD4<Int32> { SIMD4(-lanes.z, -lanes.w, -lanes.x, -lanes.y) }

  /// Whether the two have a point in common.
  @inlinable @inline(__always)
  package func intersects(_ other: Envelope) -> Bool { all(other.lanes .<= outerBounds) }

  /// A bitmap of those of 64 locations in E7 fixed point that lie in the rectangle; bit i is
  /// location i.
  // Without inlining, boxes of many leaves are 8 % slower.
  @inline(__always)
  package func select(
    longitudesE7 xs: UnsafePointer<Int32>, latitudesE7 ys: UnsafePointer<Int32>
  ) -> UInt64 {
    let (west, south) = (SIMD4(repeating: lanes.x), SIMD4(repeating: lanes.y))
    let (east, north) = (SIMD4(repeating: -lanes.z), SIMD4(repeating: -lanes.w))
    var answer = SIMDMask64()
    for part in 0..<16 {
      let (x, y) = (xs.four(part * 4), ys.four(part * 4))
      let mask = (x .>= west) .& (x .<= east) .& (y .>= south) .& (y .<= north)
      answer.insert(mask, part: part)
    }
    return answer.word
  }
}

extension Envelope {
  /// The whole earth.
  package static var world: Envelope {
    let (half, quarter) = (E7.halfTurn, E7.quarterTurn)
    return Envelope(lanes: SIMD4(-half, -quarter, -half, -quarter))
  }
}
