import CairnGeometry

/// Reads bytes as `--within` would: text that is no polygon is an error, and never more than that.
package enum PolygonProbe {
  /// What they say does not matter.
  package static func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let written =
      (try? WKTPolygons.isWKT(text)
        ? WKTPolygons.read(text) : GeoJSONPolygons.read(JSONCursor(bytes)))
      ?? WrittenPolygons()
    for polygon in written.polygons {
      for edges in [GeoPolygon.Edges.planar, .geodesic] {
        for allowances in [[], [.wrapping], [.wrapping, .repairing]] as [PolygonDraft.Allowances] {
          var draft = polygon.draft
          guard let rings = try? draft.polygons(edges: edges, allowing: allowances),
            let made = try? GeoPolygon(polygons: rings, edges: edges)
          else { continue }
          if (try? made.validate()) != nil { check(made) }
        }
      }
    }
  }

  /// The boundary is part of a polygon, and so is each vertex.
  private static func check(_ polygon: GeoPolygon) {
    let region = polygon.region
    for point in polygon.polygons.joined().joined() {
      precondition(
        region.contains(longitude: point.longitude, latitude: point.latitude),
        "\(polygon.polygons) does not contain its vertex \(point)")
    }
  }
}
