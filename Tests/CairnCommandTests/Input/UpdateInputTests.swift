import CairnTestSupport
import Foundation
import Testing

/// `cairn import --update-by`.
struct UpdateInputTests {
  @Test func figuresAreAddedToPlaces() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let zones = try scratch.file("zones.csv", "code,name,lat,lon\na,Alpha,47,8\nb,Beta,46,7\n").path
    let figures = try scratch.file("figures.csv", "code,people\na,10\nx,1\n").path
    try #require(try Command.run("import", store, zones).code == 0)
    let dry = try Command.run(
      "import", store, figures, "--class", "zones", "--update-by", "code", "--dry-run")
    #expect(
      dry.output.hasPrefix("2 rows would change those of the class zones with the same code\n"))
    let updated = try Command.run(
      "import", store, figures, "--class", "zones", "--update-by", "code")
    #expect(updated.code == 0, "\(updated.errors)")
    #expect(
      updated.errors.contains(
        "1 row of zones updated by code, 1 row of the files without a partner, 2 in all"),
      "\(updated.errors)")
    #expect(updated.errors.contains("widened: zones.people: new, int?"))
    #expect(
      try Command.lines(
        "query", store, "zones", "--select", "name,people,location", "--sort", "code", "--format",
        "csv")
        == ["name,people,latitude,longitude", "Alpha,10,47.0,8.0", "Beta,,46.0,7.0"])
    let twice = try scratch.file("twice.csv", "code,people\na,1\na,2\n").path
    let failed = try Command.run(
      "import", store, twice, "--class", "zones", "--update-by", "code")
    #expect(failed.code == 65)
    #expect(failed.errors.contains("twice.csv:2: `code` is a, and "), "\(failed.errors)")
    #expect(failed.errors.contains("twice.csv:3: `code` is a; a value may occur once"))
    #expect(try Command.lines("count", store, "zones", "people == 10") == ["1"])
    for option in [["--key", "code"], ["--on-conflict", "skip"], ["--deduplicate", "5m"]] {
      let usage = try Command.run(
        ["import", store, figures, "--class", "zones", "--update-by", "code"] + option)
      #expect(usage.code == 64, "\(option)")
    }
  }
}
