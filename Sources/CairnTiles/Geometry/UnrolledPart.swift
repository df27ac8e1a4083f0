internal import CairnGeometry

/// The vertices of a point, a line or a ring of a stored geometry, which go on beyond the antimeridian.
///
/// An edge between two longitudes that differ by more than 180 degrees crosses the antimeridian, as
/// everywhere in Cairn where an edge is the shortest path. The vertices after it are a turn farther,
/// so that the part beyond is seen in the tiles on the other side.
final class UnrolledPart {
  /// The longitude and the latitude of each vertex in degrees.
  let vertices = VertexBuffer()
  /// The number of turns around the earth to the east before each vertex; empty if all are 0.
  let turns = ReusedBuffer<Int8>()
  /// The box around the vertices with their turns.
  private(set) var bounds = VertexBuffer.emptyBox

  /// Replaces the content by a point.
  func read(point: SIMD2<Double>) {
    turns.removeAll()
    vertices.removeAll()
    vertices.append(point)
    bounds = (point, point)
  }

  /// Replaces the content by a line.
  func read(line range: Range<Int>, of view: GeometryView) { _ = read(range, of: view) }

  /// Replaces the content by a ring, without its repeated first vertex. A ring around a pole is closed
  /// along the edge of the projection.
  func read(ring range: Range<Int>, of view: GeometryView) {
    let turn = read(range, of: view)
    guard let first = vertices.contents.first, let last = vertices.last else { return }
    guard turn != 0 else {
      if vertices.count > 1, first == last {
        vertices.removeAll(from: vertices.count - 1)
        if turns.count > 0 { turns.removeAll(from: turns.count - 1) }
      }
      return
    }
    let sum = vertices.contents.reduce(0) { $0 + $1.y }
    let pole = sum < 0 ? -90.0 : 90
    append(SIMD2(last.x, pole), turn: turn)
    append(SIMD2(first.x, pole), turn: 0)
  }

  /// Moves a hole by a turn if it lies in its polygon only then. Both may go on beyond the antimeridian.
  func align(with polygon: TileWindow.Box) {
    let slack = 1e-9
    if bounds.lower.x < polygon.lower.x - slack, bounds.upper.x + 360 <= polygon.upper.x + slack {
      turn(by: 1)
    } else if bounds.upper.x > polygon.upper.x + slack,
      bounds.lower.x - 360 >= polygon.lower.x - slack
    {
      turn(by: -1)
    }
  }

  /// Reads vertices, and returns the number of turns at the last one.
  private func read(_ range: Range<Int>, of view: GeometryView) -> Int8 {
    vertices.replaceAll(count: range.count) { view.copyLocations(of: range, to: $0) }
    turns.removeAll()
    bounds = vertices.bounds
    // An edge that crosses the antimeridian is between longitudes so far apart.
    guard bounds.upper.x - bounds.lower.x > 180 else { return 0 }
    var turn: Int8 = 0
    var before = vertices[0].x
    for index in 0..<vertices.count {
      let longitude = vertices[index].x
      turn += Self.turn(from: before, to: longitude)
      before = longitude
      turns.append(turn)
    }
    if turns.contents.allSatisfy({ $0 == 0 }) { turns.removeAll() } else { measure() }
    return turn
  }

  /// 1 if an edge crosses the antimeridian to the east, -1 if to the west. An edge from one side of
  /// the world to the other is the edge of a map, and does not cross.
  private static func turn(from start: Double, to end: Double) -> Int8 {
    let step = end - start
    guard abs(step) > 180, abs(step) < 360 else { return 0 }
    return step < 0 ? 1 : -1
  }

  private func append(_ vertex: SIMD2<Double>, turn: Int8) {
    vertices.append(vertex)
    turns.append(turn)
    bounds.lower.y = min(bounds.lower.y, vertex.y)
    bounds.upper.y = max(bounds.upper.y, vertex.y)
  }

  private func turn(by step: Int8) {
    if turns.count == 0 { for _ in 0..<vertices.count { turns.append(0) } }
    for index in 0..<turns.count { turns[index] += step }
    measure()
  }

  private func measure() {
    var (lower, upper) = VertexBuffer.emptyBox
    for index in 0..<vertices.count {
      let vertex = vertices[index].turned(turns[index])
      lower = pointwiseMin(lower, vertex)
      upper = pointwiseMax(upper, vertex)
    }
    bounds = (lower, upper)
  }
}

extension SIMD2<Double> {
  /// A location in degrees, after turns around the earth to the east.
  @inline(__always)
  func turned(_ turns: Int8) -> Self { self + SIMD2(360 * Double(turns), 0) }
}
