import CairnTestSupport
import Foundation
import Testing

/// Files without coordinates, and what the command does with their classes.
struct TableInputTests {
  private static let figures = "code,people,when\nbe,1040000,2024-01-01\nzh,1560000,2024-01-02\n"

  @Test func aTableIsAClassLikeOthers() throws {
    let scratch = try TemporaryFolder()
    let (store, file) = (scratch["s.cairn"], try scratch.file("figures.csv", Self.figures).path)
    let imported = try Command.run("import", store, file, "--key", "code")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(
      imported.errors.contains(
        "figures.csv: no columns hold coordinates, so the class figures is a table without locations; "
          + "`--lat COLUMN --lon COLUMN` names some"), "\(imported.errors)")
    #expect(try Command.lines("count", store, "figures", "people > 1050000") == ["1"])
    #expect(
      try Command.lines("query", store, "figures", "--sort", "people:desc", "--format", "csv")
        == ["code,people,when", "zh,1560000,2024-01-02", "be,1040000,2024-01-01"])
    #expect(
      try Command.lines(
        "query", store, "figures", "code == 'be'", "--select", "code,people", "--format", "jsonl")
        == [#"{"code":"be","people":1040000}"#])
    for command in [
      ["schema", store], ["stats", store, "figures"],
      ["stats", store, "figures", "--of", "people"],
      ["query", store, "figures"], ["verify", store], ["compact", store],
    ] {
      let outcome = try Command.run(command)
      #expect(outcome.code == 0, "\(command): \(outcome.errors)")
    }
  }

  @Test func whatNeedsALocationSaysSo() throws {
    let scratch = try TemporaryFolder()
    let (store, file) = (scratch["s.cairn"], try scratch.file("figures.csv", Self.figures).path)
    try #require(try Command.run("import", store, file).code == 0)
    for options in [
      ["--near", "47,8"], ["--bbox", "5,45,11,48"], ["--format", "geojson"], ["--format", "html"],
    ] {
      let outcome = try Command.run(["query", store, "figures"] + options)
      #expect(outcome.code == 64, "\(options): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.contains("location"), "\(options): \(outcome.errors)")
    }
  }

  @Test func aDryRunShowsTheNote() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("figures.csv", Self.figures).path
    let preview = try Command.run("import", scratch["s.cairn"], file, "--dry-run")
    #expect(preview.code == 0)
    #expect(preview.errors.contains("is a table without locations"), "\(preview.errors)")
    #expect(!scratch.exists("s.cairn"))
  }

  @Test func columnsThatMayBeCoordinatesNeedAWord() throws {
    let text = "code,lat\nbe,1\n"
    try Intake(text).expectRefusal(
      "no columns are known to hold the coordinates",
      "or import a table without coordinates with `--no-location`")
    try Intake(text, as: "f.csv", ["--no-location"]).expect(["code,lat", "be,1"])
    let both = try Command.run(
      "import", "s.cairn", "f.csv", "--no-location", "--lat", "a", "--lon", "b")
    #expect(both.code == 64)
    #expect(both.errors.contains("--no-location and --lat cannot be used together"))
  }

  @Test(.enabled(if: GDALTools.hasConverter, "ogr2ogr is not installed"))
  func tablesOfGDALAreClasses() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("figures.csv", Self.figures).path
    for ending in ["dbf", "xlsx", "ods", "gpkg"] {
      let (store, table) = (scratch["\(ending).cairn"], scratch["figures.\(ending)"])
      try GDALTools.convert(file, to: table, "-oo", "AUTODETECT_TYPE=YES")
      let imported = try Command.run("import", store, table, "--class", "figures")
      #expect(imported.code == 0, "\(imported.errors)")
      #expect(imported.errors.contains("is a table without locations"), "\(imported.errors)")
      #expect(
        try Command.lines(
          "query", store, "figures", "--select", "code,people", "--sort", "code", "--format", "csv")
          == ["code,people", "be,1040000", "zh,1560000"])
    }
  }
}
