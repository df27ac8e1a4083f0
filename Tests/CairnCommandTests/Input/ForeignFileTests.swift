import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

/// Files that other programs wrote (`data/foreign`), compared with the values that they were made
/// of, as geopandas wrote these to GeoJSON and Foundation reads them there.
@Suite(.enabled(if: GDALTools.hasLibrary, "libgdal is not installed")) struct ForeignFileTests {
  /// The rows of a file after an import, as the command writes them to GeoJSON.
  private func rows(_ file: String, _ options: String...) throws -> [[String: Any]] {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      ["import", scratch["s.cairn"], Repository.data("foreign/\(file)"), "--class", "C"] + options)
    try #require(outcome.code == 0, "\(file): \(outcome.errors)")
    let text = try Command.run(
      "query", scratch["s.cairn"], "C", "--format", "geojson", "--limit", "1000"
    ).output
    return try features(Data(text.utf8))
  }

  private func features(_ data: Data) throws -> [[String: Any]] {
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(json["features"] as? [[String: Any]])
  }

  private func properties(_ feature: [String: Any]) -> [String: Any] {
    feature["properties"] as? [String: Any] ?? [:]
  }

  private func kind(_ feature: [String: Any]) -> String? {
    (feature["geometry"] as? [String: Any])?["type"] as? String
  }

  /// All numbers of a geometry, in order.
  private func numbers(_ value: Any?) -> [Double] {
    switch value {
    case let geometry as [String: Any]:
      numbers(geometry["coordinates"]) + numbers(geometry["geometries"])
    case let list as [Any]: list.flatMap { numbers($0) }
    case let number as NSNumber: [number.doubleValue]
    default: []
    }
  }

  /// A value as a text that does not depend on how a format spells it.
  private func text(_ value: Any?) -> String {
    guard let value, !(value is NSNull) else { return "null" }
    if let text = value as? String {
      let plain = ISO8601DateFormatter()
      let fractions = ISO8601DateFormatter()
      fractions.formatOptions.insert(.withFractionalSeconds)
      if let date = plain.date(from: text) ?? fractions.date(from: text) {
        return "\((date.timeIntervalSince1970 * 1000).rounded())"
      }
      // The command writes a time at midnight as a day.
      if text.count == 10, let day = plain.date(from: text + "T00:00:00Z") {
        return "\((day.timeIntervalSince1970 * 1000).rounded())"
      }
      return text
    }
    guard let number = value as? NSNumber else { return "\(value)" }
    let double = number.doubleValue
    guard double != 0, double == double.rounded() else { return double == 0 ? "0" : "\(double)" }
    return number.stringValue
  }

  @Test(arguments: [
    ("geopandas-kinds.gpkg", 8), ("geopandas-kinds.fgb", 7), ("geopandas.geojson", 8),
  ])
  func rowsOfGeopandas(file: String, count: Int) throws {
    let truth = try features(
      Data(contentsOf: URL(fileURLWithPath: Repository.data("foreign/geopandas.geojson"))))
    let byRatio = Dictionary(
      uniqueKeysWithValues: truth.map { (text(properties($0)["small"]), $0) })
    let rows = try rows(file)
    #expect(rows.count == count)
    for row in rows {
      let found = properties(row)
      let expected = try #require(byRatio[text(found["small"])])
      for (name, value) in properties(expected) {
        #expect(text(found[name]) == text(value), "\(name)")
      }
      #expect(kind(row) == kind(expected))
      let (a, b) = (numbers(row["geometry"]).sorted(), numbers(expected["geometry"]).sorted())
      #expect(a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-7 })
    }
  }

  /// The values that QGIS wrote, by area: name, people, open, day, time, and coordinates.
  private static let qgis: [String: (values: [String: (any Sendable)?], place: [Double])] = [
    "87.88": (
      [
        "name": "Zürich ‘Höngg’", "people": 421_000, "open": 1, "day": "1999-12-31",
        "at": "2024-02-29T23:59:58Z",
      ], [8.4977, 47.4021, 530.5]
    ),
    "null": (
      [
        "name": "Genève", "people": nil, "open": nil, "day": nil, "at": nil,
      ], [6.1432, 46.2044, 375]
    ),
    "-0.125": (
      [
        "name": nil, "people": 9_007_199_254_740_993, "open": 0, "day": "1582-10-15",
        "at": "1970-01-01",
      ], [-179.5, -89.5, -10]
    ),
    "1e-07": (
      [
        "name": "ohne \"Ort\"; & <Zeichen>", "people": 0, "open": 1, "day": "2026-11-23",
        "at": "2026-11-23T06:40:00Z",
      ], []
    ),
  ]

  /// QGIS 3.22 writes integers of 64 bits as doubles and times as text to a Shapefile, and neither times
  /// nor null geometries to KML.
  @Test(arguments: [
    ("qgis.gpkg", 4, true), ("qgis.geojson", 4, true), ("qgis.fgb", 3, true),
    ("qgis.csv", 4, true), ("qgis-points.shp", 4, false), ("qgis.kml", 4, false),
  ])
  func rowsOfQGIS(file: String, count: Int, isWhole: Bool) throws {
    let rows = try rows(file, "--location-optional")
    #expect(rows.count == count)
    for row in rows {
      var found = properties(row)
      found["name"] = found["name"] ?? found["Name"]
      let expected = try #require(Self.qgis[text(found["area"])])
      let isNowhere = expected.place.isEmpty && file == "qgis.kml"
      for (name, value) in expected.values {
        guard isWhole || name == "name" || name == "open" else { continue }
        #expect(text(found[name]) == text(value), "\(name)")
      }
      #expect(numbers(row["geometry"]) == (isNowhere ? [0, 0, 0] : expected.place))
    }
  }

  @Test func areasOfQGISInTheSwissSystem() throws {
    let rows = try rows("qgis-areas-lv95.fgb")
    #expect(Set(rows.map { text(properties($0)["name"]) }) == ["Fläche", "Küste"])
    let area = try #require(rows.first { text(properties($0)["name"]) == "Fläche" })
    let expected = [
      7, 47, 8, 47, 8, 48, 7, 48, 7, 47, 7.2, 47.2, 7.4, 47.2, 7.4, 47.4, 7.2, 47.2,
    ].sorted()
    let found = numbers(area["geometry"]).sorted()
    #expect(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-7 })
  }

  @Test func areasOfGeopandas() throws {
    let rows = try rows("geopandas-areas.shp")
    #expect(Set(rows.map { text(properties($0)["name"]) }) == ["日本", "null"])
    #expect(rows.allSatisfy { properties($0)["größe"] as? Double == 1.5 })
    #expect(rows.map(kind) == ["Polygon", "Polygon"])
    #expect(rows.contains { properties($0)["ratio"] as? Double == 2.5 })
  }

  @Test func listsOfGeopandas() throws {
    let rows = try rows("geopandas-lists.geojson")
    let lists = rows.map { row in
      ["tags", "nums"].map { name -> [String] in
        let text = properties(row)[name] as? String ?? ""
        let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
        return (list ?? []).map { "\($0)" }
      }
    }
    #expect(Set(lists) == [[["a", "b"], ["1", "2"]], [[], ["3"]]])
  }

  @Test func altitudesAndLayersOfGeopandas() throws {
    let scratch = try TemporaryFolder()
    let unclear = try Command.run(
      "import", scratch["s.cairn"], Repository.data("foreign/geopandas-z.gpkg"))
    #expect(unclear.code == 64 && unclear.errors.contains("`peaks` (3), `lines` (1)"))
    let lines = try rows("geopandas-z.gpkg", "--layer", "lines")
    #expect(numbers(lines.first?["geometry"]) == [7, 46, 1, 8, 47, 2])
    let peaks = try rows("geopandas-z.gpkg", "--layer", "peaks", "--location-optional")
    #expect(peaks.count == 3 && peaks.compactMap(kind) == ["Point", "Point"])
  }

  @Test func everyKindOfOGR() throws {
    let rows = try rows("ogr-geometries.gpkg")
    let kinds = Dictionary(
      uniqueKeysWithValues: rows.map { (properties($0)["id"] as? Int ?? 0, kind($0)) })
    #expect(
      kinds == [
        1: "Point", 2: "Point", 3: "Point", 4: "Point", 5: "LineString", 6: "Polygon",
        7: "MultiPoint", 8: "LineString", 9: "Polygon", 10: "MultiPolygon", 11: nil,
        12: "GeometryCollection", 13: "MultiPolygon", 14: "MultiPolygon",
      ])
    func numbers(_ id: Int) -> [Double] {
      self.numbers(rows.first { properties($0)["id"] as? Int == id }?["geometry"])
    }
    #expect(numbers(2) == [8, 47, 5] && numbers(4) == [8, 47, 5] && numbers(3) == [8, 47])
    #expect(numbers(5) == [8, 47, 1, 9, 48, 3] && numbers(7) == [8, 47, 1, 9, 48, 2])
    // The arc goes through its middle, on either side of which it has points.
    #expect(numbers(8).count > 20 && numbers(8).prefix(2) == [8, 47])
  }

  @Test func tablesOfPostGIS() throws {
    let rows = try rows("postgis-sites.gpkg")
    let byId = Dictionary(uniqueKeysWithValues: rows.map { ("\(properties($0)["id"] ?? "")", $0) })
    let site = try #require(byId["9223372036854775807"])
    let expected: [(String, String)] = [
      ("name", "Zürich"), ("amount", "1234567.125"), ("tm", "12:30:00"),
      ("d", text("2024-02-29")), ("tz", text("2024-05-01T08:00:00Z")),
      ("t", text("2024-05-01T10:00:00.500Z")), ("n", "1"), ("b", "AAH/"),
      ("u", "12345678-1234-5678-1234-567812345678"),
    ]
    for (name, value) in expected { #expect(text(properties(site)[name]) == value, "\(name)") }
    #expect(properties(site)["ok"] as? Bool == true)
    let place = numbers(site["geometry"])
    // The origin of the Swiss system, as swisstopo gives it.
    #expect(abs(place[0] - 7.4386325) < 1e-6 && abs(place[1] - 46.9510828) < 1e-6 && place[2] == 5)
    let empty = try #require(byId["-9223372036854775808"])
    #expect(kind(empty) == nil && text(properties(empty)["name"]) == "null")
    let old = try #require(byId["3"])
    #expect(text(properties(old)["tz"]) == text("1970-01-01T04:59:59Z"))
    #expect(kind(old) == "LineString" && properties(old)["amount"] as? Double == -0.001)

  }

  @Test func areasOfPostGIS() throws {
    let rows = try rows("postgis-areas.fgb")
    #expect(Set(rows.map { properties($0)["id"] as? Int }) == [1, 2, 3])
    // Eight vertices and the first one again.
    #expect(rows.allSatisfy { kind($0) == "Polygon" && numbers($0["geometry"]).count == 18 })
  }
}
