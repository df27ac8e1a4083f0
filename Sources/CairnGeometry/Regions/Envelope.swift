/// A closed rectangle of meridians and parallels, in steps of 1e-7 degrees, that never crosses the antimeridian.
package struct Envelope: Hashable, Sendable {
  /// West, south, -east, -north: two envelopes are joined, and compared, in one instruction.
  package var lanes: SIMD4<Int32>

  @inlinable
  package init(lanes: SIMD4<Int32>) { self.lanes = lanes }

  /// The least rectangle of whole steps around the one in degrees.
  package init(west: Double, south: Double, east: Double, north: Double) {
    lanes = SIMD4(
      Step.below(west), Step.below(south), -Step.above(east), -Step.above(north))
  }

  /// Holds nothing; joined with another it gives the other.
  @inlinable
  package static var empty: Envelope { Envelope(lanes: SIMD4(repeating: Int32.max)) }

  /// Whether it holds nothing.
  @inlinable
  package var isEmpty: Bool { lanes.x > -lanes.z }

  /// Degrees of the western edge.
  package var west: Double { Step.degrees(lanes.x) }
  /// Degrees of the southern edge.
  package var south: Double { Step.degrees(lanes.y) }
  /// Degrees of the eastern edge.
  package var east: Double { Step.degrees(-lanes.z) }
  /// Degrees of the northern edge.
  package var north: Double { Step.degrees(-lanes.w) }

  /// The least rectangle around both.
  @inlinable
  package func union(_ other: Envelope) -> Envelope {
    Envelope(lanes: pointwiseMin(lanes, other.lanes))
  }

  /// Whether the other rectangle lies in this one.
  @inlinable
  package func holds(_ other: Envelope) -> Bool { all(other.lanes .>= lanes) }

  /// The lanes above which another envelope has no point in common with this one.
  @inlinable
  package var reach: SIMD4<Int32> { SIMD4(-lanes.z, -lanes.w, -lanes.x, -lanes.y) }

  /// Whether the two have a point in common.
  @inlinable
  package func meets(_ other: Envelope) -> Bool { all(other.lanes .<= reach) }

  /// A bitmap of the places, of 64 in steps, that lie in the rectangle; bit i is place i.
  // As a call of its own it makes boxes of many leaves 8 % slower.
  @inline(__always)
  package func select(
    longitudeSteps xs: UnsafePointer<Int32>, latitudeSteps ys: UnsafePointer<Int32>
  ) -> UInt64 {
    let (west, south) = (SIMD4(repeating: lanes.x), SIMD4(repeating: lanes.y))
    let (east, north) = (SIMD4(repeating: -lanes.z), SIMD4(repeating: -lanes.w))
    var answer = FourfoldWord()
    for part in 0..<16 {
      let (x, y) = (xs.four(part * 4), ys.four(part * 4))
      let mask = (x .>= west) .& (x .<= east) .& (y .>= south) .& (y .<= north)
      answer.insert(mask, part: part)
    }
    return answer.word
  }
}
