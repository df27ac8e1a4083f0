import CairnTestSupport
import Foundation
import Testing

/// Latitude and longitude in the wrong order: a query without results says so if the other order
/// has results.
@Suite struct SwappedCoordinatesTests {
  private static let near = ["--near", "2.35,48.85", "--radius", "50km"]
  private static let box = ["--bbox", "-30,150,-25,155"]

  private func run(_ command: String, _ options: [String]) throws -> Command.Outcome {
    try Command.run([command, SampleStores.placesStore(), "places"] + options)
  }

  @Test(arguments: [
    ("query", []), ("count", []), ("stats", ["--of", "id"]),
    ("stats", ["--of", "id", "--by", "kind"]), ("stats", ["--of", "id", "--histogram"]),
    ("export", ["--output", "-", "--format", "csv"]),
  ])
  func aSwappedCircleIsSuggested(command: String, options: [String]) throws {
    let outcome = try run(command, options + Self.near)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors
        == "Note: no rows match, but 2 rows would with latitude and longitude swapped: --near takes LATITUDE,LONGITUDE.\n"
    )
    let right = try run(command, options + ["--near", "48.85,2.35", "--radius", "50km"])
    #expect(right.code == 0 && right.errors.isEmpty, "\(right.errors)")
  }

  /// Byron Bay and its neighbours lie at 28° south, 153° east. No row lies 50 degrees north of
  /// them.
  @Test func aSwappedBoxIsSuggested() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "id,lat,lon\n1,47.5,8.5\n2,10,60\n").path
    #expect(try Command.run("import", scratch["s"], file).code == 0)
    let outcome = try Command.run("count", scratch["s"], "a", "--bbox", "47,8,48,9")
    #expect(
      outcome.output == "0\n" && outcome.errors.contains("1 row would")
        && outcome.errors.contains("--bbox takes WEST,SOUTH,EAST,NORTH"), "\(outcome.errors)")
    #expect(try Command.run("count", scratch["s"], "a", "--bbox", "8,47,9,48").errors.isEmpty)
  }

  /// The command prints no note if the other order is empty too, if a condition excludes its rows,
  /// or if an option skips rows.
  @Test(arguments: [
    ["--near", "10,20", "--radius", "5km"], near + ["name == 'Brisbane'"], ["id == 99"],
    near + ["--limit", "0"], near + ["--offset", "5"], ["--near", "20,120", "--radius", "1km"],
  ])
  func noNoteIsPrintedOtherwise(options: [String]) throws {
    let outcome = try run("query", options)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
