import Cairn
import CairnFormats
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL
@testable import CairnIO

/// Exports from Swift to formats that GDAL writes, read again with GDAL.
@Suite struct LayerExportTests {
  private static let hasGDAL = (try? GDALLibrary()) != nil

  private static var options: ExportOptions {
    var options = ExportOptions()
    options.gdalWriter = Command.executable.path
    return options
  }

  private static let formats: [(ExportFormat, String)] = [
    (.geoPackage, "gpkg"), (.flatGeobuf, "fgb"), (.shapefile, "shp"), (.kml, "kml"),
    (.gpx, "gpx"),
  ]

  private func realm() throws -> Realm {
    let realm = try TestRealm().realm
    try realm.write {
      for id in 1...300 {
        let city = ImportedCity()
        city.id = id
        city.name = "Zürich \(id)"
        city.population = id % 7 == 0 ? nil : id * 1000
        city.isCapital = id % 3 == 0
        city.founded = Date(timeIntervalSince1970: Double(id) * 86_400)
        city.area = Double(id) / 8
        city.location = GeoPoint(
          latitude: Double(id % 80) + 0.25, longitude: Double(id % 170) - 0.5)
        realm.add(city)
      }
      let country = ImportedCountry()
      country.name = "XX"
      country.shape = try GeoPolygon(wkt: "POLYGON((-1 0, 30 0, 30 40, -1 40, -1 0))")
      realm.add(country)
    }
    return realm
  }

  /// The rows of a file, imported under the name of a class.
  @MainActor private func imported(
    _ file: URL, into className: String = "Back"
  ) async throws -> Results<DynamicObject> {
    let realm = try TestRealm().realm
    var options = ImportOptions()
    options.gdalReader = Command.executable.path
    options.layer = file.pathExtension == "gpx" ? "waypoints" : nil
    try await realm.importFile(file, into: className, options: options)
    return realm.dynamicObjects(className)
  }

  @Test(.enabled(if: hasGDAL, "libgdal is not installed"), arguments: formats)
  @MainActor func resultsComeBack(format: ExportFormat, ending: String) async throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let cities = realm.objects(ImportedCity.self).where { $0.id > 100 }.sorted(by: \.name)
    let file = URL(fileURLWithPath: folder["cities.\(ending)"])
    let summary = try cities.export(to: file, options: Self.options)
    #expect(summary.count == 200 && summary.bytes > 1000)
    let rows = try await imported(file)
    #expect(rows.count == 200)
    let key = ending == "kml" ? "Name" : "name"
    let named = Dictionary(uniqueKeysWithValues: rows.map { ("\($0[key] ?? "")", $0) })
    for city in cities {
      let row = try #require(named[city.name])
      #expect(row["location"] as? GeoPoint == city.location)
      if ending == "gpkg" || ending == "fgb" {
        #expect(row["population"] as? Int == city.population)
        #expect(row["isCapital"] as? Bool == city.isCapital)
        #expect(row["founded"] as? Date == city.founded)
        #expect(row["area"] as? Double == city.area)
      }
    }
  }

  @Test(.enabled(if: hasGDAL, "libgdal is not installed")) @MainActor
  func joinsProjectionsAndSections() async throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let cities = realm.objects(ImportedCity.self)
    let join = cities.joined(
      to: realm.objects(ImportedCountry.self), on: .within(\.location, \.shape))
    let pairs = URL(fileURLWithPath: folder["pairs.gpkg"])
    var options = Self.options
    options.properties = ["ImportedCity.name", "ImportedCity.location", "ImportedCountry.name"]
    let inside = cities.filter { city in
      guard let place = city.location else { return false }
      return (0...40).contains(place.latitude) && (-1...30).contains(place.longitude)
    }
    #expect(!inside.isEmpty)
    #expect(try join.export(to: pairs, options: options).count == inside.count)
    let rows = try await imported(pairs)
    #expect(
      Set(rows.map { "\($0["ImportedCity.name"] ?? "")" }) == Set(inside.map(\.name)))
    #expect(rows.allSatisfy { $0["ImportedCountry.name"] as? String == "XX" })

    let titles = URL(fileURLWithPath: folder["titles.fgb"])
    let projected = realm.objects(CitySummary.self).sorted(by: \.title)
    #expect(try projected.export(to: titles, options: Self.options).count == 300)
    let back = try await imported(titles)
    #expect(Set(back.map { "\($0["title"] ?? "")" }) == Set(cities.map(\.name)))

    let sections = cities.sectioned(by: \.isCapital, ascending: true)
    let capitals = try #require(sections.first { $0.key == true })
    let part = URL(fileURLWithPath: folder["capitals.fgb"])
    #expect(try capitals.export(to: part, options: Self.options).count == 100)
    #expect(try await imported(part).allSatisfy { $0["isCapital"] as? Bool == true })
    let text = try String(
      decoding: Data(capitals.geoJSON().utf8), as: UTF8.self)
    #expect(text.components(separatedBy: "\"Feature\"").count == 101)
  }

  @Test(.enabled(if: hasGDAL, "libgdal is not installed")) func namesThatAFormatShortensAreRemarks()
    throws
  {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let values = ImportedValues()
    values.spot = GeoPoint(latitude: 1, longitude: 2)
    try realm.write { realm.add(values) }
    let file = URL(fileURLWithPath: folder["a.shp.zip"])
    let join = realm.objects(ImportedCity.self).where { $0.id == 1 }.joined(
      to: realm.objects(ImportedCountry.self), on: .intersects(\.location, \.shape))
    let summary = try join.export(to: file, options: Self.options)
    #expect(summary.remarks.contains { $0.contains("`ImportedCity.name` as `") })
    #expect(try folder.names() == ["a.shp.zip"])
  }

  @Test func mistakesAndBrokenProcesses() throws {
    let (realm, folder) = try (realm(), TemporaryFolder())
    let cities = realm.objects(ImportedCity.self)
    func error(_ name: String, _ change: (inout ExportOptions) -> Void = { _ in }) -> ExportError? {
      var options = Self.options
      change(&options)
      return #expect(throws: ExportError.self, "\(name)") {
        try cities.export(to: URL(fileURLWithPath: folder[name]), options: options)
      }
    }
    #expect(error("a.gpkg.gz")?.message.contains("is not compressed") == true)
    #expect(error("none/a.gpkg")?.kind == .io)
    // A process that ends at once closes its pipe, which must not end this program.
    for program in ["/bin/false", "/bin/true"] {
      let broken = error("a.fgb") { $0.gdalWriter = program }
      #expect(broken?.kind == .io, "\(broken?.message ?? "")")
    }
    #expect(error("a.fgb") { $0.gdalWriter = folder["nothing"] }?.kind == .io)
    let text = #expect(throws: ExportError.self) {
      try cities.exportedData(format: .geoPackage)
    }
    #expect(text?.message == "the format gpkg is written to a file only")
    #expect(try folder.names() == [])
  }
}
