internal import CairnGeometry

/// Reads bytes as the text of polygons, for fuzzing. Text that is not a polygon must lead to an
/// error, never to a crash.
package enum PolygonFuzzTarget {
  /// Reads the bytes; the result does not matter.
  package static func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parsed =
      (try? ParsedGeometries.kind(of: text) == nil
        ? ParsedPolygons(geoJSON: bytes) : ParsedPolygons(wkt: text))
      ?? ParsedPolygons()
    for polygon in parsed.polygons {
      for edges in [GeoPolygon.Edges.planar, .geodesic] {
        for allowances in [[], [.wrapping], [.wrapping, .repairing]] as [PolygonBuilder.Allowances]
        {
          var builder = polygon.builder
          guard let rings = try? builder.polygons(edges: edges, allowing: allowances),
            let made = try? GeoPolygon(polygons: rings, edges: edges)
          else { continue }
          if (try? made.validate()) != nil { check(made) }
        }
      }
    }
  }

  /// Checks that the polygon contains its vertices, because the boundary is part of a polygon.
  private static func check(_ polygon: GeoPolygon) {
    let region = polygon.region
    for point in polygon.polygons.joined().joined() {
      precondition(
        region.contains(longitude: point.longitude, latitude: point.latitude),
        "\(polygon.polygons) does not contain its vertex \(point)")
    }
  }
}
