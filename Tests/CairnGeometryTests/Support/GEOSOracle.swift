import CairnSystem

@testable import CairnGeometry

/// GEOS's own validation of a polygon.
enum GEOSOracle {
  private typealias Validity =
    @convention(c) (
      GEOSLibrary.Context, GEOSLibrary.Geometry
    ) -> UnsafeMutablePointer<CChar>?

  /// The reason why a polygon is invalid, or nil if it is valid; finite coordinates only.
  static func fault(_ rings: [PlaneRing]) throws -> String? {
    let validity: Validity = try DynamicLibrary.geos().function("GEOSisValidReason_r")
    let polygon = try GEOSPolygon(rings, in: GEOSContext())
    guard let reason = validity(polygon.context.handle, polygon.geometry) else { return "none" }
    let words = String(cString: reason)
    return words == "Valid Geometry" ? nil : words
  }
}

extension GEOSGeometry {
  /// Whether GEOS finds the geometry valid.
  var validity: Bool {
    get throws {
      let isValid: @convention(c) (GEOSLibrary.Context, GEOSLibrary.Geometry) -> CChar =
        try DynamicLibrary.geos().function("GEOSisValid_r")
      return isValid(context.handle, geometry) == 1
    }
  }

  /// The centroid that GEOS computes.
  func centroid(_ library: GEOSPointLibrary) throws -> GeoPoint? {
    try GEOSGeometry(library.centroid(context.handle, geometry), in: context, orFailedTo: "test")
      .read().withView { $0.location(0) }
  }
}

extension GEOSPolygon {
  private typealias MakePoint =
    @convention(c) (GEOSLibrary.Context, Double, Double) -> GEOSLibrary.Geometry?
  private typealias Intersects =
    @convention(c) (GEOSLibrary.Context, GEOSLibrary.Geometry, GEOSLibrary.Geometry) -> CChar

  /// Whether a finite point is inside or on the boundary.
  func covers(x: Double, y: Double) throws -> Bool {
    let library = try DynamicLibrary.geos()
    let makePoint: MakePoint = try library.function("GEOSGeom_createPointFromXY_r")
    let intersects: Intersects = try library.function("GEOSIntersects_r")
    guard let point = makePoint(context.handle, x, y) else { throw context.failure("make a point") }
    defer { context.library.destroy(context.handle, point) }
    let answer = intersects(context.handle, geometry, point)
    guard answer == 0 || answer == 1 else { throw context.failure("test a point") }
    return answer == 1
  }
}
