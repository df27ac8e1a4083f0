import Foundation
import Testing

/// What is exported and imported again is the same.
@Suite struct RoundTripTests {
  @Test(arguments: ["csv", "geojson", "geojsonl"])
  func places(ending: String) throws {
    let scratch = try Scratch()
    try roundTrip(try World.placesStore(), "places", scratch, ending, key: "id")
  }

  @Test(arguments: ["csv", "geojson", "geojsonl"])
  func cities(ending: String) throws {
    let scratch = try Scratch()
    try roundTrip(try World.citiesStore(), "cities", scratch, ending, key: "id")
  }

  @Test(arguments: ["geojson", "geojsonl"])
  func earthquakes(ending: String) throws {
    let scratch = try Scratch()
    let store = scratch["first.cairn"]
    let outcome = try Command.run("import", store, Command.data("earthquakes.geojson"))
    #expect(outcome.code == 0, "\(outcome.errors)")
    try roundTrip(store, "earthquakes", scratch, ending, key: "id")
  }

  private func roundTrip(
    _ store: String, _ name: String, _ scratch: Scratch, _ ending: String, key: String
  ) throws {
    let file = scratch["\(name).\(ending)"]
    let again = scratch["again.cairn"]
    let export = ["export", store, name, "--sort", key, "--output"]
    #expect(try Command.run(export + [file]).code == 0)
    let imported = try Command.run("import", again, file)
    #expect(imported.code == 0, "\(imported.errors)")
    let second = scratch["second.\(ending)"]
    #expect(try Command.run(["export", again, name, "--sort", key, "--output", second]).code == 0)
    #expect(try scratch.text("\(name).\(ending)") == scratch.text("second.\(ending)"))
  }
}
