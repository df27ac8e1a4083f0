internal import CairnGeometry

/// Writes stored geometries as the geometry of a feature: clipped to the tile and its margin,
/// simplified, and in whole units.
final class ShapeEncoder {
  private let frame: TileFrame
  private let target: GeometryEncoder
  private let projector: Projector
  private let clipper: Clipper
  private let simplifier: Simplifier
  private let whole = VertexBuffer()
  private let part = VertexBuffer()
  private let piece = VertexBuffer()
  private let points = ReusedBuffer<TilePoint>()
  /// The location of a polygon that is too small for its area to be seen.
  private var dot: TilePoint?

  /// The distance in units, at 4096 on a side, up to which simplified lines may be wrong.
  private static let tolerance = 1.0

  init(_ frame: TileFrame, target: GeometryEncoder) {
    self.frame = frame
    self.target = target
    projector = Projector(frame: frame)
    clipper = Clipper(lower: frame.lower, upper: frame.upper)
    simplifier = Simplifier(tolerance: Self.tolerance * Double(frame.extent) / 4096)
  }

  /// The types of the points, lines and polygons of a geometry.
  static func types(of view: GeometryView) -> [TileLayerEncoder.GeometryType] {
    switch view.kind {
    case .point, .multiPoint: [.points]
    case .lineString, .multiLineString: [.lines]
    case .polygon, .multiPolygon: [.polygons]
    case .geometryCollection: [.points, .lines, .polygons]
    }
  }

  /// Writes the parts of one type. Returns whether any of them is in the tile or its margin.
  func write(_ view: GeometryView, _ type: TileLayerEncoder.GeometryType) -> Bool {
    dot = nil
    points.removeAll()
    for part in view.parts {
      switch (part, type) {
      case (.point(let index), .points): add(projector.point(view, at: index))
      case (.line(let vertices), .lines):
        projector.project(line: vertices, of: view, into: whole)
        writeLine()
      case (.polygon(let rings), .polygons): write(rings, of: view)
      default: break
      }
    }
    if type == .points { target.append(points: points.contents) }
    if let dot, target.isEmpty { writeDot(dot) }
    return !target.isEmpty
  }

  /// Writes a location. Returns whether it is in the tile or its margin.
  func write(longitude: Double, latitude: Double) -> Bool {
    points.removeAll()
    add(SIMD2(frame.x(longitude), frame.y(latitude)))
    target.append(points: points.contents)
    return !target.isEmpty
  }

  // MARK: Points

  private func add(_ point: SIMD2<Double>) {
    guard point.y >= frame.lower, point.y <= frame.upper else { return }
    forEachShift(from: point.x, to: point.x) { shift in
      points.append((point + SIMD2(shift, 0)).unit)
    }
  }

  /// Calls `body` with each distance by which a part of the world has to be moved to be seen in the
  /// tile. There may be several at the edge of the world.
  @inline(__always)
  private func forEachShift(from west: Double, to east: Double, _ body: (Double) -> Void) {
    for turn in -2...2 {
      let shift = Double(turn) * frame.worldWidth
      if west + shift <= frame.upper, east + shift >= frame.lower { body(shift) }
    }
  }

  // MARK: Lines

  private func writeLine() {
    let bounds = whole.bounds
    guard bounds.lower.y <= frame.upper, bounds.upper.y >= frame.lower else { return }
    forEachShift(from: bounds.lower.x, to: bounds.upper.x) { shift in
      part.copy(whole, shift: shift)
      clipper.clip(line: part, into: piece) { piece in
        simplifier.simplify(line: piece)
        takePoints(piece, isRing: false)
        guard points.count > 1 else { return }
        target.append(line: points.contents)
      }
    }
  }

  /// Takes the vertices in whole units, without repetitions.
  private func takePoints(_ vertices: VertexBuffer, isRing: Bool) {
    points.removeAll()
    for index in 0..<vertices.count {
      let point = vertices[index].unit
      if points.last != point { points.append(point) }
    }
    while isRing, points.count > 1, points[0] == points.last {
      points.removeAll(from: points.count - 1)
    }
  }

  // MARK: Polygons

  private func write(_ rings: GeometryView.Rings, of view: GeometryView) {
    var rings = rings
    guard let outer = rings.next() else { return }
    projector.project(ring: outer, of: view, into: whole)
    let bounds = whole.bounds
    guard bounds.lower.y <= frame.upper, bounds.upper.y >= frame.lower else { return }
    var isFirst = true
    forEachShift(from: bounds.lower.x, to: bounds.upper.x) { shift in
      // The holes were projected into the same memory.
      if !isFirst, rings.count > 0 { projector.project(ring: outer, of: view, into: whole) }
      isFirst = false
      let start = target.mark
      part.copy(whole, shift: shift)
      noteDot(bounds, shift: shift)
      var area = writeRing(isOuter: true)
      guard area > 0 else { return }
      for hole in rings {
        projector.project(ring: hole, of: view, into: whole)
        part.copy(whole, shift: shift + alignment(of: whole.bounds, in: bounds))
        area -= writeRing(isOuter: false)
      }
      // A hole that covers the whole tile leaves nothing.
      if area <= 0 { target.removeAll(after: start) }
    }
  }

  /// The distance by which a hole has to be moved to lie in its polygon, both of which may continue
  /// beyond the antimeridian.
  private func alignment(
    of hole: (lower: SIMD2<Double>, upper: SIMD2<Double>),
    in polygon: (lower: SIMD2<Double>, upper: SIMD2<Double>)
  ) -> Double {
    let width = frame.worldWidth
    // Half a unit is more than the vertices that were left out matter.
    if hole.lower.x < polygon.lower.x - 1, hole.upper.x + width <= polygon.upper.x + 1 {
      return width
    }
    if hole.upper.x > polygon.upper.x + 1, hole.lower.x - width >= polygon.lower.x - 1 {
      return -width
    }
    return 0
  }

  /// Writes a ring. Returns twice its area in square units; 0 if it was not written.
  private func writeRing(isOuter: Bool) -> Int {
    let bounds = part.bounds
    if clipper.isOutside(bounds) { return 0 }
    if !clipper.contains(bounds) { clipper.clip(ring: part) }
    simplifier.simplify(ring: part)
    takePoints(part, isRing: true)
    guard points.count > 2 else { return 0 }
    let area = points.doubleArea
    guard area != 0 else { return 0 }
    target.append(ring: points.contents, isReversed: (area > 0) != isOuter)
    return abs(area)
  }

  /// Remembers where a polygon lies whose centre is in the tile itself.
  private func noteDot(_ bounds: (lower: SIMD2<Double>, upper: SIMD2<Double>), shift: Double) {
    let centre = (bounds.lower + bounds.upper) / 2 + SIMD2(shift, 0)
    let side = Double(frame.extent)
    guard bounds.upper.x - bounds.lower.x < Self.dotSize,
      bounds.upper.y - bounds.lower.y < Self.dotSize,
      centre.x >= 0, centre.x < side, centre.y >= 0, centre.y < side
    else { return }
    dot = SIMD2(Int(centre.x), Int(centre.y))
  }

  /// The size in units below which a polygon without an area is shown as a dot.
  private static let dotSize = 8.0

  /// Writes a square of one unit.
  private func writeDot(_ dot: TilePoint) {
    let corners = [dot, dot &+ TilePoint(1, 0), dot &+ TilePoint(1, 1), dot &+ TilePoint(0, 1)]
    corners.withUnsafeBufferPointer { target.append(ring: $0, isReversed: false) }
  }
}

extension SIMD2<Double> {
  /// The nearest whole units. The vertices lie in the tile and its margin.
  @inline(__always)
  fileprivate var unit: TilePoint {
    let rounded = self.rounded(.toNearestOrAwayFromZero)
    return TilePoint(Int(rounded.x), Int(rounded.y))
  }
}

extension ReusedBuffer<TilePoint> {
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
