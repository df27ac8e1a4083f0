import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

/// Geometries in the output formats.
struct GeometryWriterTests {
  private static let columns: [(String, ValueType)] = [("id", .int), ("geometry", .geometry)]

  private func rows() throws -> [[Value]] {
    try geometrySamples.enumerated().map { [.int(Int64($0)), try packed($1.wkt)] }
  }

  @Test(arguments: [
    (OutputFormat.geojson, "a.geojson"), (.geojsonl, "a.geojsonl"), (.json, "a.json"),
    (.jsonl, "a.jsonl"), (.csv, "a.csv"), (.tsv, "a.tsv"),
  ])
  func everyKindIsReadBackExactly(format: OutputFormat, name: String) throws {
    let text = try written(format, Self.columns, rows() + [[.int(99), .null]])
    let imported = try Imported(text, as: name)
    #expect(imported.types["geometry"] == .geometry, "\(text)")
    #expect(try imported.column("geometry") == rows().map { $0[1] } + [.null])
    // What was imported is also written in the same way again, from the store.
    let again = try written(format, Self.columns, imported.ordered(["id", "geometry"]))
    #expect(again == text)
  }

  @Test func textsOfTheFormats() throws {
    let row: [[Value]] = [[.int(7), try packed("POLYGON ((0 0, 1 0, 1 1, 0 0))")]]
    let wkt = try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 0))").wkt
    #expect(try written(.csv, Self.columns, row) == "id,geometry\n7,\"\(wkt)\"\n")
    #expect(
      try written(.wkt, Self.columns, row + [[.int(8), .null]])
        == wkt + "\nGEOMETRYCOLLECTION EMPTY\n")
    #expect(
      try written(.jsonl, Self.columns, row)
        == "{\"id\":7,\"geometry\":{\"type\":\"Polygon\","
        + "\"coordinates\":[[[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,0.0]]]}}\n")
  }

  @Test func aSecondGeometryIsAPropertyOfTheFeature() throws {
    let columns: [(String, ValueType)] = [
      ("location", .point), ("area", .geometry), ("altitude", .double),
    ]
    let row: [Value] = [
      .point(Position(latitude: 2, longitude: 1)), try packed("LINESTRING (1 2, 3 4)"), .double(5),
    ]
    #expect(
      try written(.geojsonl, columns, [row])
        == "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1.0,2.0,5.0]},"
        + "\"properties\":{\"area\":{\"type\":\"LineString\",\"coordinates\":[[1.0,2.0],[3.0,4.0]]}}}\n"
    )
  }

  @Test func tablesShortenGeometries() throws {
    let ring = (0...200).map { "\(Double($0) / 10) 1" } + ["5 9", "0 1"]
    let long = try packed("POLYGON ((\(ring.joined(separator: ", "))))")
    let text = try written(.table, Self.columns, [[.int(1), long]])
    #expect(text.contains("… (203 vertices)"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 }, "\(text)")
    let markdown = try written(.markdown, Self.columns, [[.int(1), long]])
    #expect(markdown.contains("20"), "\(markdown)")
  }

  @Test func projectedGeometriesAreReadBack() throws {
    let system = try OutputSystem("EPSG:2056")
    let line = try packed("LINESTRING (7.5 46.5, 8 47)")
    let text = try written(.csv, Self.columns, [[.int(1), line]], in: system)
    let imported = try Imported(text) { $0.coordinateSystem = "EPSG:2056" }
    guard case .geometry(let bytes)? = imported.column("geometry").first else {
      Issue.record("\(imported.rows)")
      return
    }
    Geometry(packed: bytes).withView { view in
      #expect(abs(view.longitude(0) - 7.5) < 1e-7 && abs(view.latitude(1) - 47) < 1e-7)
    }
  }

  // MARK: Maps

  @Test func mapsDrawAreasWithHolesAndLines() throws {
    let columns = Self.columns + [("name", ValueType.string)]
    let rows: [[Value]] = [
      [.int(1), try packed(geometrySamples[2].wkt), .string("a <b>")],
      [.int(2), try packed("LINESTRING (1 2, 8 4)"), .string("line")],
      [.int(3), try packed("MULTIPOINT ((1 2), (2 3))"), .string("points")],
      [.int(4), .null, .string("nowhere")],
    ]
    let svg = try written(.svg, columns, rows)
    #expect(svg.components(separatedBy: "<path class=\"area\"").count == 2)
    #expect(svg.components(separatedBy: "<path class=\"line\"").count == 2)
    #expect(svg.components(separatedBy: "<circle class=\"row\"").count == 4)
    #expect(svg.contains("<title>a &lt;b&gt;\nid: 1</title>"))
    #expect(svg.contains("4 rows, 1 without a location"))
    let area = try #require(svg.firstRange(of: "class=\"area\" d=\"").map { svg[$0.upperBound...] })
    #expect(area.prefix { $0 != "\"" }.count { $0 == "Z" } == 2)
    let html = try written(.html, columns, rows)
    #expect(html.contains("\"shapes\":[[[[0.0,0.0,9.0,0.0,9.0,9.0,0.0,0.0],[4.0,2.0"))
    #expect(html.contains("],[[1.0,2.0,8.0,4.0]],2,\"line\"]"))
    #expect(try written(.map, columns, rows).contains("without a location"))
  }

  @Test func coordinatesAreSimplifiedToPixels() throws {
    let ring = (0...20_000).map { step -> String in
      let angle = Double(step % 20_000) / 20_000 * 2 * .pi
      return "\(cosine(angle)) \(sine(angle))"
    }
    let wkt = "POLYGON ((\(ring.joined(separator: ","))))"
    let svg = try written(.svg, Self.columns, [[.int(1), packed(wkt)]])
    #expect(svg.utf8.count < 200_000)
  }

  private func sine(_ angle: Double) -> Double {
    // Bhaskara's approximation is exact enough for the outline of a picture.
    let turned = angle > .pi ? angle - .pi : angle
    let value = 16 * turned * (.pi - turned) / (5 * .pi * .pi - 4 * turned * (.pi - turned))
    return angle > .pi ? -value : value
  }

  private func cosine(_ angle: Double) -> Double {
    let turned = angle + .pi / 2
    return sine(turned > 2 * .pi ? turned - 2 * .pi : turned)
  }
}
