/// The vertices of a line or a ring in units of a tile.
typealias VertexBuffer = ReusedBuffer<SIMD2<Double>>

extension ReusedBuffer<SIMD2<Double>> {
  /// Moves all vertices to the east.
  func shift(_ distance: Double) {
    guard distance != 0 else { return }
    for index in 0..<count { elements[index].x += distance }
  }

  /// Replaces the vertices by those of another buffer, moved to the east.
  func copy(_ other: VertexBuffer, shift: Double = 0) {
    removeAll()
    for index in 0..<other.count { append(other[index] + SIMD2(shift, 0)) }
  }

  /// The least and the greatest coordinates; a box without points if there are none.
  var bounds: (lower: SIMD2<Double>, upper: SIMD2<Double>) {
    var lower = SIMD2(repeating: Double.infinity)
    var upper = SIMD2(repeating: -Double.infinity)
    for index in 0..<count {
      lower = pointwiseMin(lower, elements[index])
      upper = pointwiseMax(upper, elements[index])
    }
    return (lower, upper)
  }
}
