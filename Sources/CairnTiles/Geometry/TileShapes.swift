internal import CairnGeometry

/// The lines and polygons of a tile. Polygons are simplified together, so that borders that they share
/// stay shared.
///
/// An edge that leaves the tile stays as it is, and the rest of a line is simplified in the tile where
/// it lies. So lines go on in the next tile where they end in this one, and no tile needs the others.
final class TileShapes {
  /// The lines or the polygons of a geometry.
  struct Shape: BitwiseCopyable {
    fileprivate let start: Int
    fileprivate let end: Int
    /// The location of a polygon that is too small for its area to be seen.
    let dot: TilePoint?

    /// The numbers of the lines or of the rings.
    var parts: Range<Int> { start..<end }
  }

  private var frame: TileFrame
  private var projector: Projector { Projector(frame: frame) }
  private let clipper: Clipper
  private var lines = VertexChains(sharesVertices: false)
  private var lineCount = 0
  private let linePoints = TilePointLists()
  private var rings = VertexChains()
  private let ringPoints = TilePointLists()
  /// Whether each ring is a hole of the outer ring before it.
  private let holes = ReusedBuffer<Bool>()
  private let shapes = ReusedBuffer<Shape>()
  private var dot: TilePoint?
  private let whole = VertexBuffer()
  private let part = VertexBuffer()
  private let piece = VertexBuffer()

  /// A box in units of the tile.
  typealias Box = (lower: SIMD2<Double>, upper: SIMD2<Double>)

  /// The distance in units, at 4096 on a side, up to which simplified lines may be wrong.
  private static let tolerance = 1.0

  init(_ frame: TileFrame) {
    self.frame = frame
    clipper = Clipper(lower: frame.lower, upper: frame.upper)
  }

  /// Removes all lines and polygons, and keeps their memory for another tile of the same extent.
  func begin(_ frame: TileFrame) {
    assert(frame.lower == clipper.lower && frame.upper == clipper.upper, "the extent is another")
    self.frame = frame
    lines.removeAll()
    lineCount = 0
    rings.removeAll()
    holes.removeAll()
    shapes.removeAll()
  }

  /// Leaves out vertices that are hardly visible, when all geometries are added.
  func simplify() {
    let tolerance = Self.tolerance * Double(frame.extent) / 4096
    lines.simplify(tolerance: tolerance)
    rings.simplify(tolerance: tolerance)
    linePoints.replaceAll(by: lines)
    ringPoints.replaceAll(by: rings)
  }

  /// The lines or polygons of a geometry, by the number of those that were added before.
  subscript(index: Int) -> Shape { shapes[index] }

  /// The points of a line; valid until the next change.
  func line(_ number: Int) -> UnsafeBufferPointer<TilePoint> { linePoints.line(number) }

  /// The points of a ring, whose first one is not repeated; valid until the next change.
  func ring(_ number: Int) -> UnsafeBufferPointer<TilePoint> { ringPoints.ring(number) }

  /// Whether a ring is a hole of the outer ring before it.
  func isHole(_ ring: Int) -> Bool { holes[ring] }

  // MARK: Lines

  /// Adds the lines of a row.
  func add(linesOf row: TileArea.Row, in area: TileArea) {
    let start = lineCount
    for part in row.parts where area.kind(part) == .line { add(line: part, of: area) }
    shapes.append(Shape(start: start, end: lineCount, dot: nil))
  }

  private func add(line number: Int, of area: TileArea) {
    projector.project(number, of: area, isRing: false, into: whole)
    let bounds = projector.bounds(number, of: area)
    guard bounds.lower.y <= frame.upper, bounds.upper.y >= frame.lower else { return }
    frame.forEachShift(from: bounds.lower.x, to: bounds.upper.x) { shift in
      part.copy(whole, shift: shift)
      clipper.clip(line: part, into: piece) { piece in
        lines.add(piece.contents, isRing: false)
        lineCount += 1
        keepLeavingEdges(of: piece, in: &lines)
      }
    }
  }

  /// Keeps the edges of the chain that was added last between the tile and its margin.
  private func keepLeavingEdges(of vertices: VertexBuffer, in chains: inout VertexChains) {
    var zone = frame.zone(of: vertices[0])
    for index in 1..<vertices.count {
      let next = frame.zone(of: vertices[index])
      if next != zone {
        chains.fixPoint(index - 1)
        chains.fixPoint(index)
      }
      zone = next
    }
  }

  // MARK: Polygons

  /// Adds the polygons of a row.
  func add(polygonsOf row: TileArea.Row, in area: TileArea) {
    let start = holes.count
    dot = nil
    var part = row.parts.lowerBound
    while part < row.parts.upperBound {
      let ring = part
      part += 1
      guard area.kind(ring) == .ring else { continue }
      while part < row.parts.upperBound, area.kind(part) == .hole { part += 1 }
      add(ring: ring, holes: ring + 1..<part, of: area)
    }
    shapes.append(Shape(start: start, end: holes.count, dot: dot))
  }

  private func add(ring: Int, holes: Range<Int>, of area: TileArea) {
    let bounds = projector.bounds(ring, of: area)
    guard bounds.lower.y <= frame.upper, bounds.upper.y >= frame.lower else { return }
    frame.forEachShift(from: bounds.lower.x, to: bounds.upper.x) { shift in
      noteDot(bounds, shift: shift)
      guard add(ring, of: area, bounds, shift: shift, isHole: false) else { return }
      for hole in holes {
        _ = add(hole, of: area, projector.bounds(hole, of: area), shift: shift, isHole: true)
      }
    }
  }

  /// Adds a ring. Returns whether any of it is in the tile or its margin.
  private func add(
    _ ring: Int, of area: TileArea, _ bounds: Box, shift: Double, isHole: Bool
  ) -> Bool {
    let offset = SIMD2(shift, 0)
    let box = (lower: bounds.lower + offset, upper: bounds.upper + offset)
    guard !clipper.isOutside(box) else { return false }
    projector.project(ring, of: area, isRing: true, into: whole)
    part.copy(whole, shift: shift)
    if !clipper.contains(box) {
      clipper.clip(ring: part)
      guard clipper.normalise(ring: part) else { return false }
    }
    guard part.count > 2 else { return false }
    part.append(part[0])
    rings.add(part.contents, isRing: true)
    holes.append(isHole)
    if frame.zone(of: box.lower) != 0 || frame.zone(of: box.upper) != 0 {
      keepLeavingEdges(of: part, in: &rings)
    }
    return true
  }

  /// Remembers where a polygon lies whose centre is in the tile itself.
  private func noteDot(_ bounds: Box, shift: Double) {
    let centre = (bounds.lower + bounds.upper) / 2 + SIMD2(shift, 0)
    let side = Double(frame.extent)
    guard bounds.upper.x - bounds.lower.x < Self.dotSize,
      bounds.upper.y - bounds.lower.y < Self.dotSize,
      centre.x >= 0, centre.x < side, centre.y >= 0, centre.y < side
    else { return }
    dot = TilePoint(Int(centre.x), Int(centre.y))
  }

  /// The size in units below which a polygon without an area is shown as a dot.
  static let dotSize = 8.0
}
