import CairnGeometry

/// Reads bytes as `--within` would: text that is no polygon is an error, and never more than that.
package enum PolygonProbe {
  /// What they say does not matter.
  package static func read(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let written =
      (try? WKTPolygons.isWKT(text)
        ? WKTPolygons.read(text) : GeoJSONPolygons.read(JSONCursor(bytes)))
      ?? []
    for var polygon in written {
      for edges in [GeoPolygon.Edges.planar, .geodesic] {
        guard let rings = try? polygon.draft.polygons(edges: edges, allowing: []) else { continue }
        _ = try? GeoPolygon(polygons: rings, edges: edges).validate()
      }
    }
  }
}
