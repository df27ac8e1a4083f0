internal import CairnGeometry

/// Projects lines and rings on the earth into a frame, once for each 360-degree rotation in which the
/// frame shows them.
struct FrameDrawing {
  typealias Point = (x: Double, y: Double)
  private typealias Place = (longitude: Double, latitude: Double)

  private let frame: MapFrame

  init(_ frame: MapFrame) { self.frame = frame }

  /// Calls `draw` with each segment of a coast or border, without the edges of the base map.
  func forEachLine(_ line: [BaseMap.Vertex], draw: (Point, Point) -> Void) {
    var part: [Place] = []
    for (index, vertex) in line.enumerated() {
      if index > 0, line[index - 1].isMapEdge(to: vertex) {
        forEachSegment(part, draw: draw)
        part = []
      }
      part.append((vertex.longitude, vertex.latitude))
    }
    forEachSegment(part, draw: draw)
  }

  /// Calls `draw` with each segment of an outline.
  func forEachLine(_ ring: [Outline.Vertex], draw: (Point, Point) -> Void) {
    forEachSegment(ring.map { ($0.longitude, $0.latitude) }, draw: draw)
  }

  /// Returns the ring as filled areas, clipped to the frame.
  func areas(_ ring: [BaseMap.Vertex]) -> [[Point]] {
    areas(of: ring.map { ($0.longitude, $0.latitude) })
  }

  /// Returns the ring as filled areas, clipped to the frame. A ring round a pole includes the pole.
  func areas(_ ring: [Outline.Vertex]) -> [[Point]] { areas(of: RingShape.area(ring)) }

  /// Returns a ring of a row as filled areas, clipped to the frame.
  func areas(_ ring: some Collection<(longitude: Double, latitude: Double)>) -> [[Point]] {
    areas(of: Array(ring))
  }

  /// Returns the parts of a coast or border that the frame shows.
  func lines(_ line: [BaseMap.Vertex]) -> [[Point]] {
    var found: [[Point]] = []
    forEachLine(line) { start, end in
      guard UnitClip.line(start, end: end) != nil else { return }
      if let last = found.last?.last, last == start {
        found[found.count - 1].append(end)
      } else {
        found.append([start, end])
      }
    }
    return found
  }

  /// Returns the parts of a line that the frame shows.
  func lines(_ line: some Collection<(longitude: Double, latitude: Double)>) -> [[Point]] {
    var found: [[Point]] = []
    for copy in copies(of: Array(line)) {
      var own: [Point] = []
      for (start, end) in zip(copy, copy.dropFirst()) {
        guard UnitClip.line(start, end: end) != nil else {
          if own.count > 1 { found.append(own) }
          own = []
          continue
        }
        if own.isEmpty { own.append(start) }
        own.append(end)
      }
      if own.count > 1 { found.append(own) }
    }
    return found
  }

  private func areas(of ring: [Place]) -> [[Point]] {
    copies(of: ring, isRing: true).compactMap {
      let area = UnitClip.ring($0, margin: 0.02)
      return area.count > 2 ? area : nil
    }
  }

  private func forEachSegment(_ line: [Place], draw: (Point, Point) -> Void) {
    for copy in copies(of: line) {
      for (start, end) in zip(copy, copy.dropFirst()) { draw(start, end) }
    }
  }

  /// Returns the line as fractions of width and height, in each rotation in which the frame may show
  /// it.
  private func copies(of line: [Place], isRing: Bool = false) -> [[Point]] {
    if let polar = frame.polar {
      let plane = isRing ? polar.ring(line) : polar.line(line)
      return plane.isEmpty ? [] : [plane.map { frame.fraction($0.x, y: $0.y) }]
    }
    var (west, east, south, north) = (Double.infinity, -Double.infinity, 91.0, -91.0)
    for place in line {
      (west, east) = (min(west, place.longitude), max(east, place.longitude))
      (south, north) = (min(south, place.latitude), max(north, place.latitude))
    }
    guard south <= frame.north, north >= frame.south else { return [] }
    return frame.rotations(from: west, to: east).map { rotation in
      line.map { frame.fraction($0.longitude + rotation, y: $0.latitude) }
    }
  }
}
