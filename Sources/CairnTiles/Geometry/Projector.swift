/// Projects the parts of an area into the units of a tile.
struct Projector {
  let frame: TileFrame

  /// Projects a point.
  func point(_ part: Int, of area: TileArea) -> SIMD2<Double> {
    let place = area.vertices(part)[0]
    return SIMD2(frame.x(place.x), frame.y(place.y))
  }

  /// The box around a part, with the vertices that the area leaves out; `centred` as they are.
  func bounds(_ part: Int, of area: TileArea) -> TileShapes.Box {
    let (lower, upper) = area.bounds(part)
    return (
      SIMD2(frame.x(lower.x), frame.y(upper.y)).centred,
      SIMD2(frame.x(upper.x), frame.y(lower.y)).centred
    )
  }

  /// Replaces the content of a buffer by a line or a ring, whose vertices are `centred` and not
  /// repeated one after the other.
  func project(_ part: Int, of area: TileArea, isRing: Bool, into buffer: VertexBuffer) {
    let vertices = area.vertices(part)
    buffer.removeAll()
    if let turns = area.turns(part) {
      for (index, place) in vertices.enumerated() {
        let east = Double(turns[index]) * frame.worldWidth
        append(centred(place) + SIMD2(east, 0), to: buffer)
      }
    } else {
      for place in vertices { append(centred(place), to: buffer) }
    }
    if isRing, buffer.count > 1, buffer[0] == buffer[buffer.count - 1] {
      buffer.removeAll(from: buffer.count - 1)
    }
  }

  @inline(__always)
  private func centred(_ place: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(frame.x(place.x), frame.y(place.y)).centred
  }

  @inline(__always)
  private func append(_ vertex: SIMD2<Double>, to buffer: VertexBuffer) {
    if buffer.count > 0, buffer[buffer.count - 1] == vertex { return }
    buffer.append(vertex)
  }
}
