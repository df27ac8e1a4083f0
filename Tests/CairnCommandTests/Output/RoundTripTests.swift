import CairnTestSupport
import Foundation
import Testing

/// Exported rows are unchanged after they are imported again.
@Suite struct RoundTripTests {
  @Test(arguments: ["csv", "geojson", "geojsonl"])
  func places(fileExtension: String) throws {
    let scratch = try TemporaryFolder()
    try roundTrip(try SampleStores.placesStore(), "places", scratch, fileExtension, key: "id")
  }

  @Test(arguments: ["csv", "geojson", "geojsonl"])
  func cities(fileExtension: String) throws {
    let scratch = try TemporaryFolder()
    try roundTrip(try SampleStores.citiesStore(), "cities", scratch, fileExtension, key: "id")
  }

  @Test(arguments: ["geojson", "geojsonl"])
  func earthquakes(fileExtension: String) throws {
    let scratch = try TemporaryFolder()
    let store = scratch["first.cairn"]
    let outcome = try Command.run("import", store, Repository.data("earthquakes.geojson"))
    #expect(outcome.code == 0, "\(outcome.errors)")
    try roundTrip(store, "earthquakes", scratch, fileExtension, key: "id")
  }

  private func roundTrip(
    _ store: String, _ name: String, _ scratch: TemporaryFolder, _ fileExtension: String,
    key: String
  ) throws {
    let file = scratch["\(name).\(fileExtension)"]
    let again = scratch["again.cairn"]
    let export = ["export", store, name, "--sort", key, "--output"]
    #expect(try Command.run(export + [file]).code == 0)
    let imported = try Command.run("import", again, file)
    #expect(imported.code == 0, "\(imported.errors)")
    let second = scratch["second.\(fileExtension)"]
    #expect(try Command.run(["export", again, name, "--sort", key, "--output", second]).code == 0)
    #expect(try scratch.text("\(name).\(fileExtension)") == scratch.text("second.\(fileExtension)"))
  }
}
