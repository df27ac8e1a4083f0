/// The part of the world that a tile and its margin show, in degrees, and one unit more on each side:
/// a vertex beyond it is beyond the margin too when it has been projected and rounded.
struct TileWindow {
  /// The western longitude and the southern latitude.
  let lower: SIMD2<Double>
  /// The eastern longitude and the northern latitude.
  let upper: SIMD2<Double>

  /// A box in degrees, whose longitudes may be beyond ±180.
  typealias Box = (lower: SIMD2<Double>, upper: SIMD2<Double>)

  /// The sides of a window beyond which a vertex of one part of a geometry is not seen.
  struct Sides {
    let lower: SIMD2<Double>
    let upper: SIMD2<Double>

    /// The sides beyond which a location lies, as bits.
    @inline(__always)
    func code(_ location: SIMD2<Double>) -> UInt8 {
      (location.x < lower.x ? 1 : 0) | (location.x > upper.x ? 2 : 0)
        | (location.y < lower.y ? 4 : 0) | (location.y > upper.y ? 8 : 0)
    }

    /// Whether a box lies within all sides.
    func contains(_ box: Box) -> Bool { code(box.lower) | code(box.upper) == 0 }
  }

  /// The sides for a part with a box; nil if no copy of it beside the antimeridian reaches the window.
  ///
  /// If several copies do, nothing is beyond the western or the eastern side for all of them.
  func sides(for box: Box) -> Sides? {
    guard box.lower.y <= upper.y, box.upper.y >= lower.y else { return nil }
    var found: Double?
    for turn in -2...2 {
      let shift = Double(turn) * 360
      guard box.lower.x + shift <= upper.x, box.upper.x + shift >= lower.x else { continue }
      guard found == nil else {
        return Sides(
          lower: SIMD2(-.infinity, lower.y), upper: SIMD2(.infinity, upper.y))
      }
      found = shift
    }
    return found.map { shift in
      Sides(lower: lower - SIMD2(shift, 0), upper: upper - SIMD2(shift, 0))
    }
  }
}
