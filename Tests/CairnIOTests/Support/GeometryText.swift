import CairnGeometry
import CairnValues

@testable import CairnIO

/// Returns a Feature with an id and a geometry in GeoJSON.
func shape(_ id: Int, _ geometry: String) -> String {
  "{\"type\":\"Feature\",\"properties\":{\"id\":\(id)},\"geometry\":\(geometry)}"
}

/// Returns a geometry in GeoJSON.
func geoJSON(_ type: String, _ coordinates: String) -> String {
  "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
}

/// Geometries in GeoJSON and in WKT: one of each kind, with altitudes, and with coordinates that
/// fixed point does not represent.
let geometrySamples: [(json: String, wkt: String)] = [
  (geoJSON("Point", "[11.5,48.1]"), "POINT (11.5 48.1)"),
  (geoJSON("LineString", "[[1,2],[3.25,4]]"), "LINESTRING (1 2, 3.25 4)"),
  (
    geoJSON("Polygon", "[[[0,0],[9,0],[9,9],[0,0]],[[4,2],[6,2],[6,3],[4,2]]]"),
    "POLYGON ((0 0, 9 0, 9 9, 0 0), (4 2, 6 2, 6 3, 4 2))"
  ),
  (geoJSON("MultiPoint", "[[1,2],[1,2]]"), "MULTIPOINT ((1 2), (1 2))"),
  (
    geoJSON("MultiLineString", "[[[1,2],[3,4]],[[5,6],[7,8]]]"),
    "MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))"
  ),
  (
    geoJSON("MultiPolygon", "[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]"),
    "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))"
  ),
  (
    "{\"type\":\"GeometryCollection\",\"geometries\":[\(geoJSON("Point", "[1,2]")),"
      + "\(geoJSON("LineString", "[[1,2],[3,4]]"))]}",
    "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))"
  ),
  (geoJSON("LineString", "[[1,2,30],[3,4,-5.5]]"), "LINESTRING Z (1 2 30, 3 4 -5.5)"),
  (
    geoJSON("LineString", "[[0.1234567890123,-2.5e-9],[3,4]]"),
    "LINESTRING (0.1234567890123 -2.5e-9, 3 4)"
  ),
]

/// Returns the WKT of a value; nil if it is not a geometry.
func wkt(_ value: Value) -> String? {
  guard case .geometry(let bytes) = value else { return nil }
  return Geometry(packed: bytes).wkt
}

/// Returns the packed form of a geometry in WKT.
func packed(_ wkt: String) throws -> Value { .geometry(try Geometry(wkt: wkt).bytes) }
