import CairnTestSupport
import Foundation
import Testing

/// `cairn join --on 'zones.code == figures.code'` on classes whose pairs are known.
@Suite struct KeyJoinCommandTests {
  private static let store = Result {
    let scratch = try TemporaryFolder()
    let path = scratch["join.cairn"]
    for (file, text) in [
      ("zones.csv", "code,name,lat,lon\na,Alpha,47,8\nb,Beta,46,7\nc,Gamma,45,6\n,Nil,1,2\n"),
      ("figures.csv", "code,year,value\na,2023,1\na,2024,2.5\nc,2024,3\nx,2024,9\n,2024,7\n"),
    ] {
      let outcome = try Command.run("import", path, try scratch.file(file, text).path)
      try #require(outcome.code == 0, "\(outcome.errors)")
    }
    return (scratch, path)
  }

  private func join(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(["join", Self.store.get().1] + arguments)
  }

  /// The rows after the heading, sorted.
  private func rows(_ arguments: String...) throws -> [String] {
    let outcome = try Command.run(
      ["join", Self.store.get().1, "zones", "figures"] + arguments + ["--format", "csv"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines.dropFirst().sorted()
  }

  private static let on = ["zones.code == figures.code", "figures.code = zones.code"]

  @Test(arguments: on) func rowsWithEqualValuesArePairs(on: String) throws {
    #expect(
      try rows("--on", on, "--select", "zones.name,figures.year,figures.value")
        == ["Alpha,2023,1.0", "Alpha,2024,2.5", "Gamma,2024,3.0"])
    #expect(
      try rows("--on", on, "--select", "zones.name,figures.value", "--outer")
        == ["Alpha,1.0", "Alpha,2.5", "Beta,", "Gamma,3.0", "Nil,"])
    #expect(
      try rows("--on", on, "figures.year = 2024 AND figures.value > 2.6", "--select", "zones.name")
        == ["Gamma"])
    #expect(
      try rows("--on", on, "--by", "zones.name", "--of", "figures.value", "--outer")
        == ["Alpha,2,3.5,1.0,2.5,1.75", "Beta,0,0,,,", "Gamma,1,3.0,3.0,3.0,3.0", "Nil,0,0,,,"])
    #expect(try rows("--on", on, "--sort", "figures.value:desc", "--limit", "1").count == 1)
  }

  @Test func theQueryPlanNamesTheHashTable() throws {
    let outcome = try join("zones", "figures", "--on", Self.on[0], "--explain")
    #expect(outcome.output.contains("zones.code == figures.code\n"))
    #expect(outcome.output.contains("in a hash table in memory"))
    #expect(outcome.output.contains("pairs 3"))
  }

  @Test func classesAreJoinedWithThemselves() throws {
    let pairs = try join(
      "figures", "figures", "--on", "a.code == b.code AND a.year == b.year", "--as", "a,b",
      "--select", "a.code,b.year", "--format", "csv")
    #expect(pairs.lines.dropFirst().sorted() == ["a,2023", "a,2024", "c,2024", "x,2024"])
    let unnamed = try join("figures", "figures", "--on", "figures.code == figures.code")
    #expect(unnamed.code == 64)
  }

  @Test func mapsTakeTheLocationOfEitherClass() throws {
    for (left, right) in [("zones", "figures"), ("figures", "zones")] {
      let outcome = try join(left, right, "--on", Self.on[0], "--format", "geojsonl")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.lines.count == 3)
      #expect(outcome.output.contains(#""coordinates":[8.0,47.0]"#))
    }
  }

  @Test func pairsBecomeAClass() throws {
    let scratch = try TemporaryFolder()
    let path = scratch["copy.cairn"]
    try FileManager.default.copyItem(atPath: Self.store.get().1, toPath: path)
    let made = try Command.run(
      "join", path, "zones", "figures", "--on", Self.on[0], "--into", "joined")
    #expect(made.code == 0, "\(made.errors)")
    #expect(try Command.lines("count", path, "joined", "value > 2") == ["2"])
  }

  @Test(arguments: ["postgis", "duckdb", "sedona"]) func statements(dialect: String) throws {
    let outcome = try join(
      "zones", "figures", "figures.year > 2023", "--on", Self.on[0], "--select", "zones.name",
      "--sql", dialect)
    let expected =
      #"SELECT "zones"."name" AS "zones.name" FROM "zones" AS "zones", "figures" AS "figures" "#
      + #"WHERE ("zones"."code" = "figures"."code" AND "figures"."year" > 2023);"#
    #expect(
      outcome.output.replacing("`", with: "\"").trimmingCharacters(in: .newlines) == expected)
    let numbers = try join(
      "zones", "figures", "--on", "figures.year == figures2.value", "--as", "figures2,figures",
      "--sql", dialect)
    #expect(numbers.code == 64, "zones has no value")
  }

  @Test(arguments: [
    (
      "zones.code == figures.value",
      "'zones.code' is of type string and 'figures.value' of type double"
    ),
    (
      "zones.code < figures.code", "--on takes a relation, or a column of each class that are equal"
    ),
    ("zones.code == figures.code AND figures.year == 2024", "--on takes a relation"),
    ("zones.code == figures.nope", "nope"),
    ("zones.code == code", "must begin with zones. or figures."),
    ("zones.code ==", "zones.code =="), ("zones", "Please provide one of"),
  ])
  func otherConditionsAreErrors(on: String, message: String) throws {
    let outcome = try join("zones", "figures", "--on", on)
    #expect(outcome.code == 64, "\(on): \(outcome.code)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func optionsOfPlacesDoNotApply() throws {
    for option in [["--edges", "planar"], ["--geometry", "zones.location"], ["--radius", "5km"]] {
      let outcome = try Command.run(
        ["join", Self.store.get().1, "zones", "figures", "--on", Self.on[0]] + option)
      #expect(outcome.code == 64, "\(option)")
    }
  }
}
