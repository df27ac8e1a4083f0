internal import CairnGeometry

/// The points, lines and polygons of rows as far as a tile shows them, in degrees.
///
/// Most vertices of a large geometry are not seen in a tile. Of vertices one after the other that lie
/// beyond the same side of the tile, only the first and the last are kept. Edges between them lie
/// beyond that side, so that clipping (`Clipper`) leaves the same of the rest, vertex by vertex. The
/// area of a tile therefore is all that the tiles within it need, which is less and less.
final class TileArea: @unchecked Sendable {
  // Sendable: one thread fills it, and from then on it does not change.

  /// The kinds of parts.
  enum Kind {
    case point
    case line
    /// The outer ring of a polygon. Its holes follow.
    case ring
    case hole

    /// The type of the features that show it.
    var type: TileLayerEncoder.GeometryType {
      switch self {
      case .point: .points
      case .line: .lines
      case .ring, .hole: .polygons
      }
    }
  }

  private struct Part: BitwiseCopyable {
    let kind: Kind
    let vertexEnd: Int
    /// The index in `turns` of the first vertex; -1 if all turns are 0.
    let turnStart: Int
    /// The box around all vertices, with those that were left out.
    let lower: SIMD2<Double>
    let upper: SIMD2<Double>
  }

  /// A row with parts in the tile.
  struct Row: BitwiseCopyable {
    let key: Int
    fileprivate let partStart: Int
    fileprivate let partEnd: Int
    /// The types of the parts, a bit for each.
    fileprivate let types: UInt8

    /// The numbers of its parts.
    var parts: Range<Int> { partStart..<partEnd }

    /// Whether the row has parts of a type.
    func has(_ type: TileLayerEncoder.GeometryType) -> Bool { types & type.bit != 0 }
  }

  private(set) var frame: TileFrame
  private var window: TileWindow
  private let rowBuffer = ReusedBuffer<Row>(capacity: 64)
  private let parts = ReusedBuffer<Part>(capacity: 64)
  private let vertices = VertexBuffer(capacity: 64)
  private let turns = ReusedBuffer<Int8>(capacity: 64)
  /// The types of the rows, a bit for each.
  private var types: UInt8 = 0
  /// Whether no vertex and no edge is seen: the tile, and each tile within it, is covered by polygons
  /// or empty, by all in the same way.
  private(set) var isUniform = true

  /// An area without rows.
  init(_ frame: TileFrame) {
    self.frame = frame
    window = frame.degrees
  }

  /// Removes all rows, and keeps their memory for another tile.
  func begin(_ frame: TileFrame) {
    self.frame = frame
    window = frame.degrees
    rowBuffer.removeAll()
    parts.removeAll()
    vertices.removeAll()
    turns.removeAll()
    types = 0
    isUniform = true
  }

  /// The rows, by ascending keys; valid until the next change.
  var rows: UnsafeBufferPointer<Row> { rowBuffer.contents }
  /// Whether no row is in the tile.
  var isEmpty: Bool { rowBuffer.count == 0 }
  /// The number of vertices of all parts.
  var vertexCount: Int { vertices.count }
  /// Whether any row has lines or polygons.
  var hasShapes: Bool {
    types & (TileLayerEncoder.GeometryType.lines.bit | TileLayerEncoder.GeometryType.polygons.bit)
      != 0
  }

  // MARK: Parts

  /// The kind of a part.
  func kind(_ part: Int) -> Kind { parts[part].kind }

  /// The box around a part in degrees, with the vertices that were left out.
  func bounds(_ part: Int) -> TileWindow.Box { (parts[part].lower, parts[part].upper) }

  /// The vertices of a part in degrees, without their turns; valid until the next change.
  func vertices(_ part: Int) -> UnsafeBufferPointer<SIMD2<Double>> {
    let start = part == 0 ? 0 : parts[part - 1].vertexEnd
    return UnsafeBufferPointer(rebasing: vertices.contents[start..<parts[part].vertexEnd])
  }

  /// The turns around the earth before each vertex of a part; nil if all are 0. Valid until the next
  /// change.
  func turns(_ part: Int) -> UnsafePointer<Int8>? {
    let start = parts[part].turnStart
    return start < 0 ? nil : UnsafePointer(turns.elements + start)
  }

  // MARK: Rows

  /// Adds a row with a location.
  func add(_ key: Int, longitude: Double, latitude: Double) {
    let place = SIMD2(longitude, latitude)
    withUnsafePointer(to: place) { place in
      let start = parts.count
      let point = UnsafeBufferPointer(start: place, count: 1)
      _ = add(.point, point, turns: nil, bounds: (place.pointee, place.pointee))
      endRow(key, from: start)
    }
  }

  /// Adds a row with a geometry.
  ///
  /// - Parameter scratch: Memory for a part.
  func add(_ key: Int, _ view: GeometryView, scratch: UnrolledPart) {
    let start = parts.count
    for part in view.parts {
      switch part {
      case .point(let index):
        scratch.read(point: SIMD2(view.longitude(index), view.latitude(index)))
        _ = add(.point, scratch)
      case .line(let range):
        scratch.read(line: range, of: view)
        _ = add(.line, scratch)
      case .polygon(let rings): add(rings, of: view, scratch: scratch)
      }
    }
    endRow(key, from: start)
  }

  private func add(_ rings: GeometryView.Rings, of view: GeometryView, scratch: UnrolledPart) {
    var rings = rings
    guard let outer = rings.next() else { return }
    scratch.read(ring: outer, of: view)
    let bounds = scratch.bounds
    guard add(.ring, scratch) else { return }
    for hole in rings {
      scratch.read(ring: hole, of: view)
      scratch.align(with: bounds)
      _ = add(.hole, scratch)
    }
  }

  private func add(_ kind: Kind, _ part: UnrolledPart) -> Bool {
    let turns = part.turns.count == 0 ? nil : UnsafePointer(part.turns.elements)
    return add(kind, part.vertices.contents, turns: turns, bounds: part.bounds)
  }

  /// Adds the rows of another area, which contains this one.
  func add(_ area: TileArea) {
    for row in area.rows {
      let start = parts.count
      var hasRing = false
      for part in row.parts {
        let kind = area.kind(part)
        if kind == .hole, !hasRing { continue }
        let isAdded = add(
          kind, area.vertices(part), turns: area.turns(part), bounds: area.bounds(part))
        if kind == .ring { hasRing = isAdded }
      }
      endRow(row.key, from: start)
    }
  }

  private func endRow(_ key: Int, from start: Int) {
    guard parts.count > start else { return }
    var types: UInt8 = 0
    for part in start..<parts.count { types |= parts[part].kind.type.bit }
    rowBuffer.append(Row(key: key, partStart: start, partEnd: parts.count, types: types))
    self.types |= types
  }

  // MARK: Reduction

  /// Adds what the tile needs of a part. Returns whether that is anything.
  private func add(
    _ kind: Kind, _ source: UnsafeBufferPointer<SIMD2<Double>>,
    turns sourceTurns: UnsafePointer<Int8>?, bounds: TileWindow.Box
  ) -> Bool {
    guard source.count > 0, let sides = window.sides(for: bounds) else { return false }
    let (start, turnStart) = (vertices.count, turns.count)
    let isSeen: Bool
    if sides.contains(bounds) {
      isSeen = true
      vertices.append(contentsOf: source)
      if let sourceTurns {
        turns.append(contentsOf: UnsafeBufferPointer(start: sourceTurns, count: source.count))
      }
    } else if let sourceTurns {
      isSeen = reduce(source.count, isRing: kind != .line) {
        sides.code(source[$0].turned(sourceTurns[$0]))
      } keep: {
        vertices.append(source[$0])
        turns.append(sourceTurns[$0])
      }
    } else {
      isSeen = reduce(source.count, isRing: kind != .line) {
        sides.code(source[$0])
      } keep: {
        vertices.append(source[$0])
      }
    }
    if kind == .line, !isSeen {
      vertices.removeAll(from: start)
      turns.removeAll(from: turnStart)
      return false
    }
    if isSeen || isSmall(bounds) { isUniform = false }
    parts.append(
      Part(
        kind: kind, vertexEnd: vertices.count, turnStart: sourceTurns == nil ? -1 : turnStart,
        lower: bounds.lower, upper: bounds.upper))
    return true
  }

  /// Keeps the first and the last of vertices that lie beyond the same side.
  ///
  /// - Parameter code: The sides beyond which a vertex lies.
  /// - Returns: Whether an edge may be seen.
  @inline(__always)
  private func reduce(
    _ count: Int, isRing: Bool, code: (Int) -> UInt8, keep: (Int) -> Void
  ) -> Bool {
    let first = code(0)
    // The sides beyond which all vertices of the present run lie.
    var run = first
    var before = first
    var isSeen = first == 0
    var isPending = false
    keep(0)
    for index in 1..<max(1, count) {
      let sides = code(index)
      isSeen = isSeen || sides & before == 0
      before = sides
      if sides & run != 0 {
        run &= sides
        isPending = true
        continue
      }
      if isPending { keep(index - 1) }
      isPending = false
      keep(index)
      run = sides
    }
    if isPending { keep(count - 1) }
    return isSeen || isRing && before & first == 0
  }

  /// Whether a polygon may be shown by a dot, where none of its edges is seen.
  private func isSmall(_ bounds: TileWindow.Box) -> Bool {
    let limit = TileShapes.dotSize + 1
    return (bounds.upper.x - bounds.lower.x) / 360 * frame.worldWidth < limit
      && frame.y(bounds.lower.y) - frame.y(bounds.upper.y) < limit
  }
}

extension TileLayerEncoder.GeometryType {
  /// The bit of the type in a set.
  fileprivate var bit: UInt8 { 1 << UInt8(rawValue) }
}
