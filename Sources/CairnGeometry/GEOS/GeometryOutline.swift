/// The coordinates of a geometry of GEOS, line by line.
struct GeometryOutline {
  private static let (polygonType, collectionType): (Int32, Int32) = (3, 4)

  /// The lines of each part.
  private var parts: [[PlaneRing]] = []

  /// Throws where a part of the geometry is empty, which GEOS does not always bear.
  init(_ geometry: GEOSLibrary.Geometry, _ maker: PointMaker) throws(GeometryError) {
    try add(geometry, maker, depth: 0)
  }

  private mutating func add(
    _ geometry: GEOSLibrary.Geometry, _ maker: PointMaker, depth: Int
  ) throws(GeometryError) {
    let handle = maker.context.handle
    guard maker.points.isEmpty(handle, geometry) == 0 else {
      throw GeometryError(.library, "The geometry, or a part of it, is empty.")
    }
    let type = maker.parts.type(handle, geometry)
    guard type >= Self.collectionType else {
      parts.append(try lines(of: geometry, isPolygon: type == Self.polygonType, maker))
      return
    }
    for index in 0..<max(0, maker.parts.partCount(handle, geometry)) {
      guard let part = maker.parts.part(handle, geometry, index) else { continue }
      try add(part, maker, depth: depth + 1)
    }
  }

  private func lines(
    of geometry: GEOSLibrary.Geometry, isPolygon: Bool, _ maker: PointMaker
  ) throws(GeometryError) -> [PlaneRing] {
    guard isPolygon else { return [try line(geometry, maker)] }
    let handle = maker.context.handle
    var lines: [PlaneRing] = []
    if let outer = maker.parts.outerRing(handle, geometry) { lines.append(try line(outer, maker)) }
    for index in 0..<max(0, maker.parts.holeCount(handle, geometry)) {
      guard let hole = maker.parts.hole(handle, geometry, index) else { continue }
      lines.append(try line(hole, maker))
    }
    return lines
  }

  private func line(
    _ geometry: GEOSLibrary.Geometry, _ maker: PointMaker
  ) throws(GeometryError) -> PlaneRing {
    var size: UInt32 = 0
    let handle = maker.context.handle
    guard let sequence = maker.parts.sequence(handle, geometry),
      maker.parts.size(handle, sequence, &size) == 1, size > 0
    else { throw GeometryError(.library, "The geometry, or a part of it, is empty.") }
    var xs = [Double](repeating: 0, count: Int(size))
    var ys = xs
    guard maker.parts.copy(handle, sequence, &xs, &ys, nil, nil) == 1 else {
      throw maker.context.failure("read a geometry")
    }
    return PlaneRing(xs: xs, ys: ys)
  }

  /// Refuses an edge that goes around more than half of the globe: it most likely jumps over the antimeridian.
  func checkJumps() throws(GeometryError) {
    for line in parts.joined() {
      for (from, to) in zip(line.xs, line.xs.dropFirst()) where abs(to - from) > 180 {
        // The rim of a map that shows a pole runs along its edge.
        if abs(from) == 180, abs(to) == 180 { continue }
        throw GeometryError(
          .antimeridian,
          "An edge goes from longitude \(from) to \(to), around more than half of the globe: a geometry that crosses the "
            + "antimeridian must be cut there.")
      }
    }
  }

  /// Some parts end at the antimeridian on one side, and some on the other.
  var isCutAtAntimeridian: Bool {
    let ranges = parts.map { lines in
      (
        least: lines.map { $0.xs.min() ?? 0 }.min() ?? 0,
        most: lines.map { $0.xs.max() ?? 0 }.max() ?? 0
      )
    }
    return ranges.contains { $0.most == 180 } && ranges.contains { $0.least == -180 }
      && !ranges.contains { $0.most == 180 && $0.least == -180 }
  }
}
