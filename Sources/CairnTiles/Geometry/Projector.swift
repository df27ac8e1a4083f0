internal import CairnGeometry

/// Projects the vertices of stored geometries into the units of a tile.
///
/// An edge between two longitudes that differ by more than 180 degrees crosses the antimeridian, as
/// everywhere in Cairn where an edge is the shortest path. Its vertices continue beyond the edge of
/// the world, so that the part beyond is seen in the tiles on the other side.
struct Projector {
  let frame: TileFrame

  /// Projects a location.
  @inline(__always)
  func point(_ view: GeometryView, at index: Int) -> SIMD2<Double> {
    SIMD2(frame.x(view.longitude(index)), frame.y(view.latitude(index)))
  }

  /// Replaces the content of a buffer by a line, whose vertices are `centred`.
  func project(line vertices: Range<Int>, of view: GeometryView, into buffer: VertexBuffer) {
    _ = project(vertices, of: view, into: buffer)
  }

  /// Replaces the content of a buffer by a ring, without its repeated first vertex. A ring around a
  /// pole is closed along the edge of the projection.
  func project(ring vertices: Range<Int>, of view: GeometryView, into buffer: VertexBuffer) {
    let turns = project(vertices, of: view, into: buffer)
    guard buffer.count > 0 else { return }
    guard turns != 0 else {
      if buffer.count > 1, buffer[0] == buffer[buffer.count - 1] {
        buffer.removeAll(from: buffer.count - 1)
      }
      return
    }
    let latitudes = vertices.reduce(0) { $0 + view.latitude($1) }
    let pole = SIMD2(0, frame.y(latitudes < 0 ? -90 : 90)).centred.y
    let (first, last) = (buffer[0].x, buffer[buffer.count - 1].x)
    buffer.append(SIMD2(last, pole))
    buffer.append(SIMD2(first, pole))
  }

  /// Replaces the content of a buffer by vertices without repetitions, and returns the number of times
  /// that they go around the earth to the east.
  private func project(
    _ vertices: Range<Int>, of view: GeometryView, into buffer: VertexBuffer
  ) -> Int {
    buffer.replaceAll(count: vertices.count) { view.copyLocations(of: vertices, to: $0) }
    var turns = 0
    var count = 0
    var before = buffer.contents.first?.x ?? 0
    for index in 0..<vertices.count {
      let location = buffer[index]
      turns += Self.turn(from: before, to: location.x)
      before = location.x
      let vertex =
        SIMD2(frame.x(location.x), frame.y(location.y)).centred
        + SIMD2(Double(turns) * frame.worldWidth, 0)
      if count > 0, buffer[count - 1] == vertex { continue }
      buffer[count] = vertex
      count += 1
    }
    buffer.removeAll(from: count)
    return turns
  }

  /// 1 if an edge crosses the antimeridian to the east, -1 if to the west. An edge from one side of
  /// the world to the other is the edge of a map, and does not cross.
  @inline(__always)
  private static func turn(from start: Double, to end: Double) -> Int {
    let step = end - start
    guard abs(step) > 180, abs(step) < 360 else { return 0 }
    return step < 0 ? 1 : -1
  }
}
