/// The vertices of a line or a ring in units of a tile, in memory that is used again.
final class VertexBuffer {
  private(set) var vertices: UnsafeMutablePointer<SIMD2<Double>>
  private var capacity = 1024
  private(set) var count = 0

  init() { vertices = .allocate(capacity: capacity) }

  deinit { vertices.deallocate() }

  @inline(__always)
  subscript(index: Int) -> SIMD2<Double> { vertices[index] }

  @inline(__always)
  func append(_ vertex: SIMD2<Double>) {
    if count == capacity { grow() }
    vertices[count] = vertex
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<SIMD2<Double>>.allocate(capacity: capacity * 2)
    larger.update(from: vertices, count: count)
    vertices.deallocate()
    vertices = larger
    capacity *= 2
  }

  /// Removes the vertices from an index on.
  func removeAll(from index: Int = 0) { count = index }

  /// Moves all vertices to the east.
  func shift(_ distance: Double) {
    guard distance != 0 else { return }
    for index in 0..<count { vertices[index].x += distance }
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
      lower = pointwiseMin(lower, vertices[index])
      upper = pointwiseMax(upper, vertices[index])
    }
    return (lower, upper)
  }
}
