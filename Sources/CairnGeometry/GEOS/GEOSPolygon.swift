/// A polygon in the memory of GEOS; finite coordinates only.
final class GEOSPolygon {
  let context: GEOSContext
  let geometry: GEOSLibrary.Geometry

  /// Creates a polygon from its rings, the outer one first.
  init(_ rings: [PlaneRing], in context: GEOSContext) throws(GeometryError) {
    self.context = context
    self.geometry = try Self.polygon(rings, context: context)
  }

  deinit { context.library.destroy(context.handle, geometry) }

  static func polygon(
    _ rings: [PlaneRing], context: GEOSContext
  ) throws(GeometryError) -> GEOSLibrary.Geometry {
    let library = context.library
    var made: [GEOSLibrary.Geometry?] = []
    do throws(GeometryError) {
      for ring in rings { made.append(try self.ring(ring, context: context)) }
    } catch {
      for case let ring? in made { library.destroy(context.handle, ring) }
      throw error
    }
    guard let outer = made.first ?? nil else {
      throw GeometryError(.tooFewPoints, message: "a polygon has no ring")
    }
    var holes = Array(made.dropFirst())
    // The polygon takes ownership of the rings, and frees them when it fails.
    guard let polygon = library.polygon(context.handle, outer, &holes, UInt32(holes.count))
    else { throw context.failure("make a polygon") }
    return polygon
  }

  private static func ring(
    _ ring: PlaneRing, context: GEOSContext
  ) throws(GeometryError) -> GEOSLibrary.Geometry {
    let library = context.library
    guard
      let points = library.sequence(
        context.handle, ring.xs, ring.ys, nil, nil, UInt32(ring.xs.count)),
      let made = library.ring(context.handle, points)
    else { throw context.failure("make a ring") }
    return made
  }
}

extension GEOSPolygon {
  /// The valid polygons of this polygon's area; lines that are left over are dropped.
  ///
  /// The result equals that of `GEOSMakeValid`, which computes several overlays for each layer of
  /// the area: minutes for a few hundred vertices that cross often. Here the time grows with the
  /// number of crossings.
  func madeValid() throws(GeometryError) -> [[PlaneRing]] {
    let overlay = try GEOSOverlayLibrary.shared()
    guard let faces = try faces(overlay), let depths = FaceDepths(faces) else {
      return try madeValidByLayers(overlay)
    }
    return depths.fillsNeighbours
      ? try union(depths.filledFaces, overlay: overlay) : depths.filledFaces
  }

  /// The polygons that `GEOSMakeValid` creates from this one.
  func madeValidByLayers(
    _ overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> [[PlaneRing]] {
    guard let made = overlay.makeValid(context.handle, geometry) else {
      throw context.failure("repair a polygon")
    }
    defer { context.library.destroy(context.handle, made) }
    return try polygons(of: made, overlay)
  }

  /// The faces into which all edges divide the plane, without the outer one, or nil if GEOS cannot
  /// node the edges.
  private func faces(
    _ overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> [[PlaneRing]]? {
    guard let boundary = overlay.boundary(context.handle, geometry) else { return nil }
    defer { context.library.destroy(context.handle, boundary) }
    guard let noded = overlay.unaryUnion(context.handle, boundary) else { return nil }
    defer { context.library.destroy(context.handle, noded) }
    var lines: GEOSLibrary.Geometry? = noded
    guard let faces = overlay.polygonize(context.handle, &lines, 1) else { return nil }
    defer { context.library.destroy(context.handle, faces) }
    return try polygons(of: faces, overlay)
  }

  /// The union of valid polygons with disjoint interiors, joined where they share an edge.
  private func union(
    _ faces: [[PlaneRing]], overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> [[PlaneRing]] {
    var parts: [GEOSLibrary.Geometry?] = []
    do throws(GeometryError) {
      for face in faces { parts.append(try Self.polygon(face, context: context)) }
    } catch {
      for case let part? in parts { context.library.destroy(context.handle, part) }
      throw error
    }
    let multiPolygonType: Int32 = 6
    // The collection takes ownership of the parts, and frees them when it fails.
    guard
      let whole = overlay.collection(
        context.handle, multiPolygonType, &parts, UInt32(parts.count))
    else { throw context.failure("repair a polygon") }
    defer { context.library.destroy(context.handle, whole) }
    guard let joined = overlay.unaryUnion(context.handle, whole) else {
      throw context.failure("repair a polygon")
    }
    defer { context.library.destroy(context.handle, joined) }
    return try polygons(of: joined, overlay)
  }

  /// The intersection of two valid polygons of one context.
  func intersection(with other: GEOSPolygon) throws(GeometryError) -> [[PlaneRing]] {
    let overlay = try GEOSOverlayLibrary.shared()
    guard let made = overlay.intersection(context.handle, geometry, other.geometry) else {
      throw context.failure("cut a polygon")
    }
    defer { context.library.destroy(context.handle, made) }
    return try polygons(of: made, overlay)
  }

  private func polygons(
    of geometry: GEOSLibrary.Geometry, _ overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> [[PlaneRing]] {
    let polygonType: Int32 = 3
    let severalFrom: Int32 = 4
    let type = overlay.type(context.handle, geometry)
    if type == polygonType { return [try rings(of: geometry, overlay)].filter { !$0.isEmpty } }
    guard type >= severalFrom else { return [] }
    var found: [[PlaneRing]] = []
    for index in 0..<max(0, overlay.partCount(context.handle, geometry)) {
      guard let part = overlay.part(context.handle, geometry, index) else { continue }
      found += try polygons(of: part, overlay)
    }
    return found
  }

  private func rings(
    of polygon: GEOSLibrary.Geometry, _ overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> [PlaneRing] {
    guard let outer = overlay.outerRing(context.handle, polygon) else { return [] }
    var rings = [try ring(outer, overlay: overlay)]
    for index in 0..<max(0, overlay.holeCount(context.handle, polygon)) {
      guard let hole = overlay.hole(context.handle, polygon, index) else { continue }
      rings.append(try ring(hole, overlay: overlay))
    }
    return rings[0].xs.isEmpty ? [] : rings
  }

  private func ring(
    _ ring: GEOSLibrary.Geometry, overlay: GEOSOverlayLibrary
  ) throws(GeometryError) -> PlaneRing {
    var size: UInt32 = 0
    guard let sequence = overlay.sequence(context.handle, ring),
      overlay.size(context.handle, sequence, &size) == 1
    else { throw context.failure("read a ring") }
    var xs = [Double](repeating: 0, count: Int(size))
    var ys = xs
    guard overlay.copy(context.handle, sequence, &xs, &ys, nil, nil) == 1 else {
      throw context.failure("read a ring")
    }
    return PlaneRing(xs: xs, ys: ys)
  }
}
