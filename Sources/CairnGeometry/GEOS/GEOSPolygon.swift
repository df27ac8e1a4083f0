/// A polygon in the memory of GEOS; finite coordinates only.
final class GEOSPolygon {
  let context: GEOSContext
  let geometry: GEOSLibrary.Geometry

  /// Rings of x and y, the outer one first.
  init(_ rings: [PlaneRing], in context: GEOSContext) throws(GeometryError) {
    self.context = context
    self.geometry = try Self.polygon(rings, context)
  }

  deinit { context.library.destroy(context.handle, geometry) }

  private static func polygon(
    _ rings: [PlaneRing], _ context: GEOSContext
  ) throws(GeometryError) -> GEOSLibrary.Geometry {
    let library = context.library
    var made: [GEOSLibrary.Geometry?] = []
    do throws(GeometryError) {
      for ring in rings { made.append(try self.ring(ring, context)) }
    } catch {
      for case let ring? in made { library.destroy(context.handle, ring) }
      throw error
    }
    guard let outer = made.first ?? nil else {
      throw GeometryError(.tooFewPoints, "A polygon has no ring.")
    }
    var holes = Array(made.dropFirst())
    // The polygon takes the rings over, and frees them where it fails.
    guard let polygon = library.polygon(context.handle, outer, &holes, UInt32(holes.count))
    else { throw context.failure("make a polygon") }
    return polygon
  }

  private static func ring(
    _ ring: PlaneRing, _ context: GEOSContext
  ) throws(GeometryError) -> GEOSLibrary.Geometry {
    let library = context.library
    guard
      let points = library.sequence(
        context.handle, ring.xs, ring.ys, nil, nil, UInt32(ring.xs.count)),
      let made = library.ring(context.handle, points)
    else { throw context.failure("make a ring") }
    return made
  }

  /// Why the polygon is not valid, and where; nil when it is.
  func fault() throws(GeometryError) -> (reason: String, x: Double, y: Double)? {
    let library = context.library
    var reason: UnsafeMutablePointer<CChar>?
    var location: GEOSLibrary.Geometry?
    let answer = library.validity(context.handle, geometry, 0, &reason, &location)
    defer {
      if let reason { library.free(context.handle, reason) }
      if let location { library.destroy(context.handle, location) }
    }
    guard answer == 0 || answer == 1 else { throw context.failure("check a polygon") }
    guard answer == 0 else { return nil }
    var x = Double.nan
    var y = Double.nan
    if let location {
      _ = library.x(context.handle, location, &x)
      _ = library.y(context.handle, location, &y)
    }
    return (reason.map { String(cString: $0) } ?? "not valid", x, y)
  }
}
