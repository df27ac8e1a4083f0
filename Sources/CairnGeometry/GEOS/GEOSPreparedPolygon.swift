/// A polygon that GEOS has indexed; not to be shared between threads, as it fills its index when first asked.
final class GEOSPreparedPolygon {
  private let polygon: GEOSPolygon
  private let prepared: OpaquePointer

  init(_ polygon: GEOSPolygon) throws(GeometryError) {
    let context = polygon.context
    guard let prepared = context.library.prepare(context.handle, polygon.geometry) else {
      throw context.failure("prepare a polygon")
    }
    self.polygon = polygon
    self.prepared = prepared
  }

  deinit { polygon.context.library.destroyPrepared(polygon.context.handle, prepared) }

  /// Whether a finite point lies inside or on the boundary.
  func covers(x: Double, y: Double) throws(GeometryError) -> Bool {
    let context = polygon.context
    guard let point = context.library.point(context.handle, x, y) else {
      throw context.failure("make a point")
    }
    defer { context.library.destroy(context.handle, point) }
    let answer = context.library.intersects(context.handle, prepared, point)
    guard answer == 0 || answer == 1 else { throw context.failure("test a point") }
    return answer == 1
  }
}
