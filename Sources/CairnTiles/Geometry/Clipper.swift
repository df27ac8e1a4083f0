/// Clips lines and rings to a square.
struct Clipper {
  /// The least and the greatest coordinate of the square on both axes.
  let lower: Double
  let upper: Double
  private let spare = VertexBuffer()

  init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether a box has no point in common with the square.
  func isOutside(_ box: (lower: SIMD2<Double>, upper: SIMD2<Double>)) -> Bool {
    !(box.lower.x <= upper && box.upper.x >= lower && box.lower.y <= upper && box.upper.y >= lower)
  }

  /// Whether a box lies in the square.
  func contains(_ box: (lower: SIMD2<Double>, upper: SIMD2<Double>)) -> Bool {
    box.lower.x >= lower && box.upper.x <= upper && box.lower.y >= lower && box.upper.y <= upper
  }

  // MARK: Lines

  /// Calls `body` with each part of a line that lies in the square.
  func clip(line: VertexBuffer, into piece: VertexBuffer, body: (VertexBuffer) -> Void) {
    piece.removeAll()
    for index in 1..<max(1, line.count) {
      let (start, end) = (line[index - 1], line[index])
      guard let (first, last) = clip(from: start, to: end) else {
        finish(piece, body)
        continue
      }
      if piece.count == 0 { piece.append(first) }
      piece.append(last)
      // The line leaves the square, so the next part does not continue this one.
      if last != end { finish(piece, body) }
    }
    finish(piece, body)
  }

  private func finish(_ piece: VertexBuffer, _ body: (VertexBuffer) -> Void) {
    if piece.count > 1 { body(piece) }
    piece.removeAll()
  }

  /// The part of a segment in the square, by Liang and Barsky: the range of the parameter that all
  /// four sides leave.
  private func clip(
    from start: SIMD2<Double>, to end: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let step = end - start
    var (first, last) = (0.0, 1.0)
    for axis in 0..<2 {
      let (slope, coordinate) = (step[axis], start[axis])
      if slope == 0 {
        guard coordinate >= lower, coordinate <= upper else { return nil }
      } else {
        let (low, high) = ((lower - coordinate) / slope, (upper - coordinate) / slope)
        first = max(first, min(low, high))
        last = min(last, max(low, high))
      }
    }
    guard first <= last else { return nil }
    return (first == 0 ? start : start + step * first, last == 1 ? end : start + step * last)
  }

  // MARK: Rings

  /// Clips a ring, whose first vertex is not repeated, to the square, side by side (Sutherland and
  /// Hodgman). Where the ring leaves and enters again, the result follows the sides of the square.
  func clip(ring: VertexBuffer) {
    for axis in 0..<2 {
      clip(ring: ring, axis: axis, limit: lower, sign: 1)
      clip(ring: ring, axis: axis, limit: upper, sign: -1)
    }
  }

  /// Replaces a clipped ring that has vertices only in the corners of the square by the square itself,
  /// so that all tiles that a polygon covers are the same. Returns false if the ring does not contain
  /// the square.
  func normalise(ring: VertexBuffer) -> Bool {
    var area = 0.0
    var before = ring.last ?? SIMD2(lower, lower)
    for vertex in ring.contents {
      guard isCorner(vertex) else { return true }
      area += before.x * vertex.y - vertex.x * before.y
      before = vertex
    }
    // Twice the area is a multiple of the square's, but for the rounding of the corners.
    let side = upper - lower
    guard abs(area) > side * side else { return false }
    ring.removeAll()
    for corner in [
      SIMD2(lower, lower), SIMD2(upper, lower), SIMD2(upper, upper), SIMD2(lower, upper),
    ] { ring.append(corner) }
    return true
  }

  /// Whether a vertex is a corner of the square in whole units.
  private func isCorner(_ vertex: SIMD2<Double>) -> Bool {
    for axis in 0..<2 where abs(vertex[axis] - lower) >= 0.5 && abs(vertex[axis] - upper) >= 0.5 {
      return false
    }
    return true
  }

  /// Keeps the side of a limit on which `sign` times a coordinate is greater.
  private func clip(ring: VertexBuffer, axis: Int, limit: Double, sign: Double) {
    guard ring.count > 0 else { return }
    spare.removeAll()
    var previous = ring[ring.count - 1]
    var wasInside = (previous[axis] - limit) * sign >= 0
    for index in 0..<ring.count {
      let vertex = ring[index]
      let isInside = (vertex[axis] - limit) * sign >= 0
      if isInside != wasInside {
        // In one direction, so that it is the same for the ring on the other side.
        let (start, end) = isInside ? (vertex, previous) : (previous, vertex)
        let t = (limit - start[axis]) / (end[axis] - start[axis])
        var crossing = (start + (end - start) * t).centred
        crossing[axis] = limit
        spare.append(crossing)
      }
      if isInside { spare.append(vertex) }
      (previous, wasInside) = (vertex, isInside)
    }
    ring.copy(spare)
  }
}
