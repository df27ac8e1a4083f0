import Cairn
import CairnFormats
import CairnTestSupport
import Foundation
import Testing

/// The Swift code of docs/import-export.md: the page shows the code that runs here, and its comments
/// show the output.
@Suite struct ImportGuideTests {
  @Test @MainActor func thePageRunsAsShown() async throws {
    let code = try DocumentedCode(of: ["docs/import-export.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 6)
    #expect(try await runGuide() == code.expected)
  }
}

// The guide begins
class Town: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var population: Int?
  @Persisted var location: GeoPoint?
}
// The guide ends

/// Runs the code of the page and returns the lines that it prints.
@MainActor private func runGuide() async throws -> [String] {
  let folder = try TemporaryFolder()
  let file = try folder.file(
    "towns.csv",
    "id,name,population,lat,lon\n1,Bern,134000,46.95,7.45\n2,Thun,44000,46.75,7.63\n"
      + "3,Bienne,55000,47.14,7.25\n")
  let output = folder.url.appendingPathComponent("towns.geojson")
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  // The guide begins
  let realm = try await Realm.open(configuration: .init(inMemoryIdentifier: "towns"))
  let summary = try await realm.importFile(file, as: Town.self)
  print(summary.inserted)  // 3
  print(realm.objects(Town.self).sorted(by: \.id).first?.name ?? "")  // Bern

  var options = ImportOptions()
  options.condition = try Predicate("population > 10000")
  options.onConflict = .replace
  options.onError = .skip
  let text = """
    id,name,population,lat,lon
    3,Biel,56000,47.14,7.25
    4,Rom,x,41.9,12.5
    5,Erlach,1500,47.04,7.1
    """
  let second = try await realm.importData(
    Data(text.utf8), as: Town.self, named: "more.csv", options: options)
  print(second.replaced, second.unmatched, second.rejected)  // 1 1 1
  print(second.rejects[0].line ?? 0, second.rejects[0].property ?? "")  // 3 population

  let preview = try await realm.previewImport(of: file, into: "Place")
  let types = preview.columns.map { "\($0.propertyType)" }
  print(types.joined(separator: " "))  // int string int geoPoint

  for try await record in RecordReader(file) where record["population"].int ?? 0 > 50_000 {
    let latitude = record.location?.latitude ?? 0
    print(record.line ?? 0, record["name"].string ?? "", latitude)  // 2 Bern 46.95
    break
  }

  let towns = realm.objects(Town.self).where { $0.population > 50_000 }.sorted(by: \.name)
  try towns.export(to: output)
  let features = try towns.geoJSON()
  print(features.contains("\"Biel\""), features.contains("\"Erlach\""))  // true false

  print(try towns.save(as: "LargeTown"))  // 2
  print(realm.dynamicObjects("LargeTown").count)  // 2

  let lake = try GeoPolygon(wkt: "POLYGON((7.1 47, 7.3 47, 7.3 47.2, 7.1 47.2, 7.1 47))")
  print(realm.objects(Town.self).where { $0.location.geoWithin(lake) }.count)  // 1
  print(try Geometry(geoJSON: lake.geoJSON).kind)  // polygon
  // The guide ends
  #expect(FileManager.default.fileExists(atPath: output.path))
  return printed
}
