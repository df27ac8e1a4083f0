/// Derives points from other geometries with GEOS, in the plane of their coordinates. For one
/// thread.
package final class PointDeriver {
  /// The kind of point that represents a geometry.
  package enum Method: String, Sendable, CaseIterable {
    /// The centroid, which may lie outside of the geometry.
    case centroid
    /// A point that is guaranteed to lie on the geometry.
    case onSurface = "on-surface"
  }

  let method: Method
  let context: GEOSContext
  let points: GEOSPointLibrary
  let parts: GEOSOverlayLibrary
  private let repairs: Bool
  /// The number of geometries that were repaired.
  private var repaired = 0

  /// - Parameter repairs: Whether invalid geometries are repaired before the point is derived.
  ///   Otherwise it is the point of the coordinates as they are.
  /// - Throws: ``GeometryError`` if GEOS is not installed.
  package init(_ method: Method, repairing repairs: Bool = false) throws(GeometryError) {
    self.method = method
    self.repairs = repairs
    context = try GEOSContext()
    points = try GEOSPointLibrary.shared()
    parts = try GEOSOverlayLibrary.shared()
  }

  /// Returns the number of geometries that were repaired since the last call.
  package func takeRepairs() -> Int {
    defer { repaired = 0 }
    return repaired
  }

  /// The point of a geometry as a file has it, whose rules were not checked. Its coordinates are
  /// finite.
  ///
  /// - Parameter inDegrees: whether the coordinates are longitude and latitude. In that case jumps
  ///   over the antimeridian are errors, and parts that were cut there are joined.
  package func point(
    of builder: GeometryBuilder, inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    let geometry = try whole(builder.geometry())
    let copy = try geometry.withView { view throws(GeometryError) in
      try GEOSGeometry.copy(view, in: context)
    }
    guard let copy else { throw GeometryOutline.emptiness }
    return try point(of: copy.release(), inDegrees)
  }

  /// Returns the geometry, or a repaired one if a ring is not closed or a part is too short.
  private func whole(_ geometry: Geometry) throws(GeometryError) -> Geometry {
    do throws(GeometryError) {
      try geometry.withView { view throws(GeometryError) in try view.checkPaths() }
      return geometry
    } catch {
      if error.kind == .emptyHole { return geometry }
      guard repairs, let made = try? geometry.repaired() else { throw error }
      repaired += 1
      return made
    }
  }

  private func point(
    of read: GEOSLibrary.Geometry, _ inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    let geometry = try valid(read)
    defer { context.library.destroy(context.handle, geometry) }
    let outline = try GeometryOutline(geometry, maker: self)
    if inDegrees { try outline.checkJumps() }
    if method == .centroid, inDegrees, outline.isCutAtAntimeridian {
      return try centroidOfParts(geometry)
    }
    return try location(made(of: geometry))
  }

  /// Returns the geometry, or a repaired one if it is invalid and the options ask for that.
  private func valid(
    _ geometry: GEOSLibrary.Geometry
  ) throws(GeometryError) -> GEOSLibrary.Geometry {
    guard repairs, points.isValid(context.handle, geometry) == 0 else { return geometry }
    defer { context.library.destroy(context.handle, geometry) }
    guard let made = parts.makeValid(context.handle, geometry) else {
      throw context.failure("repair a geometry")
    }
    repaired += 1
    return made
  }

  private func made(of geometry: GEOSLibrary.Geometry) -> GEOSLibrary.Geometry? {
    switch method {
    case .centroid: points.centroid(context.handle, geometry)
    case .onSurface: points.pointOnSurface(context.handle, geometry)
    }
  }

  /// The coordinates of a point that GEOS has created. It destroys the point.
  private func location(_ made: GEOSLibrary.Geometry?) throws(GeometryError) -> (
    x: Double, y: Double
  ) {
    guard let made else { throw context.failure("make a point") }
    defer { context.library.destroy(context.handle, made) }
    var (x, y) = (0.0, 0.0)
    guard points.isEmpty(context.handle, made) == 0, points.x(context.handle, made, &x) == 1,
      points.y(context.handle, made, &y) == 1, x.isFinite, y.isFinite
    else { throw GeometryError(.library, message: "the geometry has no \(method.rawValue) point") }
    return (x, y)
  }

  /// The centroid of parts on both sides of the antimeridian, with the western ones moved by 360
  /// degrees.
  private func centroidOfParts(
    _ geometry: GEOSLibrary.Geometry
  ) throws(GeometryError) -> (x: Double, y: Double) {
    let count = max(0, parts.partCount(context.handle, geometry))
    let members = (0..<count).compactMap { parts.part(context.handle, geometry, $0) }
    var weights = members.map { measure(points.area, geometry: $0) }
    if weights.allSatisfy({ $0 == 0 }) {
      weights = members.map { measure(points.length, geometry: $0) }
    }
    if weights.allSatisfy({ $0 == 0 }) { weights = members.map { _ in 1 } }
    var (x, y, total) = (0.0, 0.0, 0.0)
    for (member, weight) in zip(members, weights) where weight > 0 {
      let centre = try location(points.centroid(context.handle, member))
      x += weight * (centre.x < 0 ? centre.x + 360 : centre.x)
      y += weight * centre.y
      total += weight
    }
    x /= total
    return (x > 180 ? x - 360 : x, y / total)
  }

  private func measure(_ measure: GEOSPointLibrary.Measure, geometry: GEOSLibrary.Geometry)
    -> Double
  {
    var value = 0.0
    return measure(context.handle, geometry, &value) == 1 ? value : 0
  }
}

/// The coordinates of a GEOS geometry, line by line.
struct GeometryOutline {
  private static let (polygonType, collectionType): (Int32, Int32) = (3, 4)

  static let emptiness = GeometryError(
    .library, message: "the geometry, or a part of it, is empty")

  /// The lines of each part.
  private var parts: [[PlaneRing]] = []

  /// Throws if a part of the geometry is empty, which some GEOS functions do not tolerate.
  init(_ geometry: GEOSLibrary.Geometry, maker: PointDeriver) throws(GeometryError) {
    try add(geometry, maker: maker, depth: 0)
  }

  private mutating func add(
    _ geometry: GEOSLibrary.Geometry, maker: PointDeriver, depth: Int
  ) throws(GeometryError) {
    let handle = maker.context.handle
    guard maker.points.isEmpty(handle, geometry) == 0 else {
      throw Self.emptiness
    }
    let type = maker.parts.type(handle, geometry)
    guard type >= Self.collectionType else {
      parts.append(try lines(of: geometry, isPolygon: type == Self.polygonType, maker))
      return
    }
    for index in 0..<max(0, maker.parts.partCount(handle, geometry)) {
      guard let part = maker.parts.part(handle, geometry, index) else { continue }
      try add(part, maker: maker, depth: depth + 1)
    }
  }

  private func lines(
    of geometry: GEOSLibrary.Geometry, isPolygon: Bool, _ maker: PointDeriver
  ) throws(GeometryError) -> [PlaneRing] {
    guard isPolygon else { return [try line(geometry, maker: maker)] }
    let handle = maker.context.handle
    var lines: [PlaneRing] = []
    if let outer = maker.parts.outerRing(handle, geometry) {
      lines.append(try line(outer, maker: maker))
    }
    for index in 0..<max(0, maker.parts.holeCount(handle, geometry)) {
      guard let hole = maker.parts.hole(handle, geometry, index) else { continue }
      lines.append(try line(hole, maker: maker))
    }
    return lines
  }

  private func line(
    _ geometry: GEOSLibrary.Geometry, maker: PointDeriver
  ) throws(GeometryError) -> PlaneRing {
    var size: UInt32 = 0
    let handle = maker.context.handle
    guard let sequence = maker.parts.sequence(handle, geometry),
      maker.parts.size(handle, sequence, &size) == 1, size > 0
    else { throw Self.emptiness }
    var xs = [Double](repeating: 0, count: Int(size))
    var ys = xs
    guard maker.parts.copy(handle, sequence, &xs, &ys, nil, nil) == 1 else {
      throw maker.context.failure("read a geometry")
    }
    return PlaneRing(xs: xs, ys: ys)
  }

  /// Rejects an edge that goes around more than half of the globe: it most likely jumps over the
  /// antimeridian.
  func checkJumps() throws(GeometryError) {
    for line in parts.joined() {
      for (from, to) in zip(line.xs, line.xs.dropFirst()) where abs(to - from) > 180 {
        // The rim of a map that shows a pole runs along its edge.
        if abs(from) == 180, abs(to) == 180 { continue }
        throw GeometryError(
          .antimeridian,
          message:
            "an edge goes from longitude \(from) to \(to), around more than half of the globe: "
            + "a geometry that crosses the antimeridian must be cut there")
      }
    }
  }

  /// Whether some parts end at the antimeridian on one side, and some on the other.
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
