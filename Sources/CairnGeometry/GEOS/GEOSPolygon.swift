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

  static func polygon(
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
}
