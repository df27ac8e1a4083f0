import CairnGeometry
import CairnIO
import CairnTestSupport
import Foundation
import Testing

/// The geometries of GeoArrow and of GeoPandas.
@Suite struct GeoArrowTests {
  private func texts(_ file: String) throws -> [String?] {
    let values = try #require(try ArrowRows(ArrowRows.path(file)).values()["geometry"])
    return try values.map { text in
      guard let text else { return nil }
      return try Geometry(wkb: Array(try #require(Data(base64Encoded: text)))).wkt
    }
  }

  @Test(
    arguments: [
      ("point", "POINT Z (8 47 1.5)", "POINT Z (9 48 1.5)"),
      (
        "linestring", "LINESTRING Z (0 0 1.5, 1 1 1.5)",
        "LINESTRING Z (2 2 1.5, 3 3 1.5, 4 4 1.5)"
      ),
      (
        "polygon", "POLYGON Z ((0 0 1.5, 1 0 1.5, 1 1 1.5, 0 0 1.5))",
        "POLYGON Z ((0 0 1.5, 1 0 1.5, 1 1 1.5, 0 0 1.5))"
      ),
      (
        "multipoint", "MULTIPOINT Z ((0 0 1.5), (1 1 1.5))", "MULTIPOINT Z ((2 2 1.5))"
      ),
      (
        "multilinestring", "MULTILINESTRING Z ((0 0 1.5, 1 1 1.5), (2 2 1.5, 3 3 1.5))",
        "MULTILINESTRING Z ((2 2 1.5, 3 3 1.5))"
      ),
      (
        "multipolygon",
        "MULTIPOLYGON Z (((0 0 1.5, 1 0 1.5, 1 1 1.5, 0 0 1.5)), ((5 5 1.5, 6 5 1.5, 6 6 1.5, 5 5 1.5)))",
        "MULTIPOLYGON Z (((0 0 1.5, 1 0 1.5, 1 1 1.5, 0 0 1.5)))"
      ),
    ])
  func nativeGeometries(kind: String, first: String, last: String) throws {
    #expect(try texts("\(kind).arrow") == [first, nil, last])
    #expect(try texts("\(kind)-interleaved.arrow") == [first, nil, last])
  }

  @Test func wellKnownText() throws {
    #expect(try texts("wkt.arrow") == ["POINT (8 47)", "LINESTRING (0 0, 1 1)"])
  }

  @Test(arguments: ["geopandas.feather", "geopandas.arrows", "geopandas-native.arrows"])
  func coordinateSystemsOfGeoPandas(file: String) throws {
    let rows = try ArrowRows(ArrowRows.path(file))
    #expect(rows.source.columns.schema.system == "EPSG:2056")
    let wkb = try #require(try rows.values()["geometry"])
    let points = try wkb.map { text in
      let bytes = try #require(text.flatMap { Data(base64Encoded: $0) })
      return try bytes.withUnsafeBytes { try GeometryHead(wkb: $0) }.content
    }
    #expect(
      points == [
        .point(longitude: 2_600_000, latitude: 1_200_000, altitude: nil),
        .point(longitude: 2_700_000, latitude: 1_250_000, altitude: nil),
      ])
  }

  @Test func systemsAreNamedOrMissing() throws {
    let named = try ArrowRows(ArrowRows.path("types.arrow")).source.columns.schema
    #expect(named.system == "EPSG:4326" && named.geometryType == 0)
    let missing = try ArrowRows(ArrowRows.path("point-interleaved.arrow")).source.columns.schema
    #expect(missing.system == nil && missing.geometryType == 1)
  }
}
