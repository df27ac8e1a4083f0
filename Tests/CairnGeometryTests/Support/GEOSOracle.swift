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
