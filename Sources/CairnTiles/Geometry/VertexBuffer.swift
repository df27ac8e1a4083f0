/// The vertices of a line or a ring, in units of a tile or in degrees.
typealias VertexBuffer = ReusedBuffer<SIMD2<Double>>

extension ReusedBuffer<SIMD2<Double>> {
  /// Replaces the vertices by those of another buffer, moved to the east.
  func copy(_ other: VertexBuffer, shift: Double = 0) {
    replaceAll(count: other.count) { target in
      for index in 0..<other.count { target[index] = other[index] + SIMD2(shift, 0) }
    }
  }

  /// A box without points.
  static var emptyBox: (lower: SIMD2<Double>, upper: SIMD2<Double>) {
    (SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))
  }

  /// The least and the greatest coordinates; a box without points if there are none.
  var bounds: (lower: SIMD2<Double>, upper: SIMD2<Double>) {
    var (lower, upper) = Self.emptyBox
    for index in 0..<count {
      lower = pointwiseMin(lower, elements[index])
      upper = pointwiseMax(upper, elements[index])
    }
    return (lower, upper)
  }
}

extension SIMD2<Double> {
  /// The location in the middle of a cell of half a unit. Vertices in one cell become one.
  ///
  /// All lines have the same locations for the same vertices, in all tiles, and whole units are the
  /// same as without cells.
  @inline(__always)
  var centred: Self { (self - 0.25 + Self.halves) - Self.halves + 0.25 }

  /// The nearest whole units.
  @inline(__always)
  var unit: TilePoint {
    let whole = (self + Self.wholes) - Self.wholes
    return TilePoint(Int(whole.x), Int(whole.y))
  }

  /// Numbers whose last binary digit is a half and one, so that sums with them are rounded. A call of
  /// `rounded()` takes longer.
  private static let halves = 0x1.8p51
  private static let wholes = 0x1.8p52
}
