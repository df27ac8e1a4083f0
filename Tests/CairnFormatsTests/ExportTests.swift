import Cairn
import CairnFormats
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

/// Exports of results, projections and joins through the public API.
@Suite struct ExportTests {
  private func realm() throws -> Realm {
    let realm = try TestRealm().realm
    try realm.write {
      for (id, name, population, latitude, longitude) in [
        (1, "Bern", 134_000, 46.948, 7.4474), (2, "Zürich", 421_000, 47.3769, 8.5417),
        (3, "Paris", 2_100_000, 48.8566, 2.3522),
      ] {
        let city = ImportedCity()
        city.id = id
        city.name = name
        city.population = population
        city.location = GeoPoint(latitude: latitude, longitude: longitude)
        realm.add(city)
      }
      let country = ImportedCountry()
      country.name = "CH"
      country.shape = try GeoPolygon(wkt: "POLYGON((6 46, 10 46, 10 47.8, 6 47.8, 6 46))")
      realm.add(country)
    }
    return realm
  }

  @Test func resultsKeepTheirOrderAndCondition() throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let cities = realm.objects(ImportedCity.self).where { $0.population > 200_000 }
      .sorted(by: \.name, ascending: false)
    var options = ExportOptions()
    options.properties = ["name", "population"]
    let file = URL(fileURLWithPath: folder["out.csv"])
    try cities.export(to: file, options: options)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text == "name,population\nZürich,421000\nParis,2100000\n")
    options.delimiter = UInt8(ascii: ";")
    try cities.export(to: file, format: .csv, options: options)
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("name;population\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.csv"])
  }

  @Test func geoJSONIsWhatFoundationReads() throws {
    let realm = try realm()
    let text = try realm.objects(ImportedCity.self).sorted(by: \.id).geoJSON()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let features = try #require(json["features"] as? [[String: Any]])
    #expect(features.count == 3)
    let geometry = features[0]["geometry"] as? [String: Any]
    #expect(geometry?["coordinates"] as? [Double] == [7.4474, 46.948])
    let properties = features[1]["properties"] as? [String: Any]
    #expect(properties?["name"] as? String == "Zürich")
    let empty = try realm.objects(ImportedCity.self).where { $0.id == 9 }.geoJSON()
    #expect(empty.contains("FeatureCollection"))
  }

  @Test func projectionsHaveTheirNames() throws {
    let realm = try realm()
    let summaries = realm.objects(CitySummary.self).sorted(by: \.title)
    let text = try summaries.geoJSON()
    #expect(text.contains(#""title":"Bern""#) && !text.contains("population"))
  }

  @Test func resultsAreSavedAsAClass() throws {
    let realm = try realm()
    let cities = realm.objects(ImportedCity.self).where { $0.population > 200_000 }
    #expect(try cities.save(as: "Large") == 2)
    let saved = realm.dynamicObjects("Large")
    #expect(Set(saved.map { $0["name"] as? String ?? "" }) == ["Zürich", "Paris"])
    #expect(try cities.save(as: "Names", properties: ["name"]) == 2)
    #expect(throws: ExportError.self) { try cities.save(as: "Large") }
    #expect(throws: ExportError.self) { try cities.save(as: "Other", properties: ["nmae"]) }
    try realm.write {
      #expect(throws: Realm.Error.self) { try cities.save(as: "Inside") }
    }
    #expect(throws: Realm.Error.self) { try cities.freeze().save(as: "Frozen") }
    #expect(realm.dynamicObjects("Large").count == 2)
  }

  @Test func joinsHaveBothSides() throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let join = realm.objects(ImportedCity.self).joined(
      to: realm.objects(ImportedCountry.self), on: .within(\.location, \.shape))
    var options = ExportOptions()
    options.properties = ["ImportedCity.name", "ImportedCountry.name"]
    let file = URL(fileURLWithPath: folder["pairs.csv"])
    try join.export(to: file, options: options)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines) == ["ImportedCity.name,ImportedCountry.name", "Bern,CH", "Zürich,CH"])
    #expect(try join.geoJSON().contains(#""ImportedCountry.name":"CH""#))
  }

  @Test func anOpenTransactionIsWrittenAsItIs() throws {
    let realm = try realm()
    realm.beginWrite()
    realm.objects(ImportedCity.self).first?.name = "Changed"
    let city = ImportedCity()
    city.id = 4
    city.name = "New"
    realm.add(city)
    let data = try realm.objects(ImportedCity.self).exportedData(format: .jsonLines)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""Changed""#) && text.contains(#""New""#))
    #expect(text.split(separator: "\n").count == 4)
    realm.cancelWrite()
  }

  @Test func mistakes() throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let cities = realm.objects(ImportedCity.self)
    func message(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return ""
    }
    var options = ExportOptions()
    options.properties = ["nam"]
    #expect(message { _ = try cities.geoJSON(options: options) }.contains("did you mean `name`?"))
    let odd = URL(fileURLWithPath: folder["out.xyz"])
    #expect(message { try cities.export(to: odd) }.contains("pass the format"))
    let nowhere = URL(fileURLWithPath: folder["none/out.csv"])
    #expect(message { try cities.export(to: nowhere) }.contains("cannot write"))
    #expect(
      message { _ = try realm.objects(ImportedRow.self).geoJSON() }.contains("needs a location"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [ExportFormat.csv, .json, .jsonLines, .geoJSON, .geoJSONLines])
  @MainActor func whatIsExportedIsImported(format: ExportFormat) async throws {
    let realm = try realm()
    let data = try realm.objects(ImportedCity.self).exportedData(format: format)
    let copy = try TestRealm().realm
    let summary = try await copy.importData(data, as: ImportedCity.self)
    #expect(summary.inserted == 3 && summary.rejected == 0)
    let (before, after) = (
      realm.objects(ImportedCity.self).sorted(by: \.id),
      copy.objects(ImportedCity.self).sorted(by: \.id)
    )
    for (a, b) in zip(before, after) {
      #expect(a.name == b.name && a.population == b.population && a.location == b.location)
    }
  }

  @Test(arguments: [ExportFormat.csv, .tsv, .json, .jsonLines, .geoJSON, .geoJSONLines])
  @MainActor func everyTypeComesBack(format: ExportFormat) async throws {
    let realm = try TestRealm().realm
    var random = SplitMix64(seed: Soak.seed(148))
    try realm.write {
      for row in 0..<50 {
        let object = ImportedValues()
        object.int = Int.random(in: -9_007_199_254_740_991...9_007_199_254_740_991, using: &random)
        object.small = row % 3 == 0 ? nil : Int8.random(in: .min ... .max, using: &random)
        object.flag = row % 2 == 0
        object.float = Float.random(in: -1e6...1e6, using: &random)
        object.double = row % 5 == 0 ? nil : Double.random(in: -1e9...1e9, using: &random)
        object.decimal = row % 7 == 0 ? nil : try Decimal128(string: "\(row).10000000000000000001")
        object.text = "a \"quoted\", text\n\(row) – é"
        object.data = row % 4 == 0 ? nil : Data((0..<row).map { UInt8($0) })
        object.date = Date(timeIntervalSince1970: Double(row * 100_000))
        object.spot = row % 6 == 0 ? nil : GeoPoint(latitude: Double(row), longitude: Double(-row))
        realm.add(object)
      }
    }
    let data = try realm.objects(ImportedValues.self).exportedData(format: format)
    let copy = try TestRealm().realm
    let extensions: [ExportFormat: String] = [
      .csv: "csv", .tsv: "tsv", .json: "json", .jsonLines: "jsonl", .geoJSON: "geojson",
      .geoJSONLines: "geojsonl",
    ]
    let summary = try await copy.importData(
      data, as: ImportedValues.self, named: "x.\(extensions[format] ?? "")")
    #expect(summary.inserted == 50 && summary.rejected == 0)
    for before in realm.objects(ImportedValues.self) {
      let after = try #require(copy.object(ofType: ImportedValues.self, forPrimaryKey: before.id))
      #expect(after.int == before.int && after.small == before.small && after.flag == before.flag)
      #expect(after.float == before.float && after.double == before.double)
      #expect(after.decimal == before.decimal && after.text == before.text)
      #expect(after.data ?? Data() == before.data ?? Data() && after.date == before.date)
      #expect(after.uuid == before.uuid && after.spot == before.spot)
    }
  }

  @Test(arguments: [
    #"{"type":"Point","coordinates":[7.0,47.0,500.0]}"#,
    #"{"type":"LineString","coordinates":[[8.0,47.0],[9.0,47.0]]}"#,
    #"{"type":"MultiPoint","coordinates":[[8.0,47.0]]}"#,
    #"{"type":"Polygon","coordinates":[[[6.0,46.0],[10.0,46.0],[10.0,47.8],[6.0,46.0]]]}"#,
  ])
  func geometriesReadTheirGeoJSON(text: String) throws {
    let geometry = try Geometry(geoJSON: text)
    #expect(try Geometry(geoJSON: geometry.geoJSON) == geometry)
    #expect(try Geometry(wkt: geometry.wkt) == geometry)
    #expect(try Geometry(wkb: geometry.wkb) == geometry)
    let polygon = try? GeoPolygon(geoJSON: text)
    #expect((polygon != nil) == text.contains("Polygon"))
    if let polygon { #expect(try GeoPolygon(wkb: Geometry(polygon).wkb) == polygon) }
  }

  @Test(arguments: [
    ("", "not a GeoJSON geometry"), (#"{"type":"Circle"}"#, "Circle"),
    (#"{"type":"Point","coordinates":["x"]}"#, "coordinates"),
    (#"{"type":"Point","coordinates":[7,97]}"#, "97"),
  ])
  func geometriesSayWhatIsWrong(text: String, part: String) throws {
    let error = #expect(throws: GeometryError.self) { try Geometry(geoJSON: text) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(throws: GeometryError.self) { try GeoPolygon(wkt: "POINT(1 2)") }
    #expect(throws: GeometryError.self) {
      try GeoPolygon(wkt: "POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))")
    }
  }
}
