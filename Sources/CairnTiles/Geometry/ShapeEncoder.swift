/// Writes the rows of an area as the geometry of a feature, in whole units.
///
/// Lines and polygons are added first, all of a tile, and then written in the same order.
final class ShapeEncoder {
  private let frame: TileFrame
  private let target: GeometryEncoder
  private let projector: Projector
  private let shapes: TileShapes
  /// The number of lines or polygons of geometries that are written.
  private var writtenCount = 0
  private let points = ReusedBuffer<TilePoint>()

  /// - Parameter shapes: Memory for the lines and polygons.
  init(_ frame: TileFrame, shapes: TileShapes, target: GeometryEncoder) {
    self.frame = frame
    self.shapes = shapes
    self.target = target
    projector = Projector(frame: frame)
    shapes.begin(frame)
  }

  /// Adds the lines and polygons of a row.
  func add(_ row: TileArea.Row, of area: TileArea) {
    if row.has(.lines) { shapes.add(linesOf: row, in: area) }
    if row.has(.polygons) { shapes.add(polygonsOf: row, in: area) }
  }

  /// Simplifies the lines and polygons, when all are added.
  func simplify() { shapes.simplify() }

  /// Writes the parts of one type, which the row has. Returns whether any of them is in the tile or its
  /// margin.
  func write(_ row: TileArea.Row, of area: TileArea, _ type: TileLayerEncoder.GeometryType) -> Bool
  {
    switch type {
    case .points: writePoints(of: row, in: area)
    case .lines: writeLines(nextShape())
    case .polygons: writePolygons(nextShape())
    }
    return !target.isEmpty
  }

  // MARK: Points

  private func writePoints(of row: TileArea.Row, in area: TileArea) {
    points.removeAll()
    for part in row.parts where area.kind(part) == .point { add(projector.point(part, of: area)) }
    target.append(points: points.contents)
  }

  private func add(_ point: SIMD2<Double>) {
    guard point.y >= frame.lower, point.y <= frame.upper else { return }
    frame.forEachShift(from: point.x, to: point.x) { shift in
      points.append((point + SIMD2(shift, 0)).unit)
    }
  }

  // MARK: Lines and polygons

  private func nextShape() -> TileShapes.Shape {
    writtenCount += 1
    return shapes[writtenCount - 1]
  }

  private func writeLines(_ shape: TileShapes.Shape) {
    for line in shape.parts {
      let points = shapes.line(line)
      if points.count > 1 { target.append(line: points) }
    }
  }

  private func writePolygons(_ shape: TileShapes.Shape) {
    var start = target.mark
    // The area of the polygon whose outer ring was written last.
    var area = 0
    for ring in shape.parts {
      let isOuter = !shapes.isHole(ring)
      if !isOuter, area == 0 { continue }
      if isOuter {
        start = target.mark
        area = write(ring: shapes.ring(ring), isOuter: true)
      } else {
        area -= write(ring: shapes.ring(ring), isOuter: false)
        // A hole that covers the whole tile leaves nothing.
        if area <= 0 { target.removeAll(after: start) }
        area = max(0, area)
      }
    }
    if let dot = shape.dot, target.isEmpty { write(dot: dot) }
  }

  /// Writes a ring. Returns twice its area in square units; 0 if it was not written.
  private func write(ring points: UnsafeBufferPointer<TilePoint>, isOuter: Bool) -> Int {
    guard points.count > 2 else { return 0 }
    let area = points.doubleArea
    guard area != 0 else { return 0 }
    target.append(ring: points, isReversed: (area > 0) != isOuter)
    return abs(area)
  }

  /// Writes a square of one unit.
  private func write(dot: TilePoint) {
    let corners = [dot, dot &+ TilePoint(1, 0), dot &+ TilePoint(1, 1), dot &+ TilePoint(0, 1)]
    corners.withUnsafeBufferPointer { target.append(ring: $0, isReversed: false) }
  }
}

extension UnsafeBufferPointer<TilePoint> {
  /// Twice the area of a ring: positive if it is clockwise as seen on a screen, as outer rings are.
  fileprivate var doubleArea: Int {
    guard var before = last else { return 0 }
    var sum = 0
    for index in 0..<count {
      let point = self[index]
      sum &+= before.x &* point.y &- point.x &* before.y
      before = point
    }
    return sum
  }
}
