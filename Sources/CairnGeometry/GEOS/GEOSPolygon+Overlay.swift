extension GEOSPolygon {
  /// The valid polygons that GEOS makes of this one; lines that are left over are dropped.
  func madeValid() throws(GeometryError) -> [[PlaneRing]] {
    let overlay = try GEOSOverlayLibrary.shared()
    guard let made = overlay.makeValid(context.handle, geometry) else {
      throw context.failure("repair a polygon")
    }
    defer { context.library.destroy(context.handle, made) }
    return try polygons(of: made, overlay)
  }

  /// The polygons in which this one and another overlap; both must be valid and of one context.
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
    var rings = [try ring(outer, overlay)]
    for index in 0..<max(0, overlay.holeCount(context.handle, polygon)) {
      guard let hole = overlay.hole(context.handle, polygon, index) else { continue }
      rings.append(try ring(hole, overlay))
    }
    return rings[0].xs.isEmpty ? [] : rings
  }

  private func ring(
    _ ring: GEOSLibrary.Geometry, _ overlay: GEOSOverlayLibrary
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
