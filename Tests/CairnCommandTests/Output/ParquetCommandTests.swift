import CairnTestSupport
import Foundation
import Testing

/// Parquet through the command, in and out.
@Suite struct ParquetCommandTests {
  private static let columns = "id,name,flag,number,day,moment,location,altitude"

  private func rows(
    _ store: String, _ name: String, _ columns: String = Self.columns
  ) throws -> [String] {
    try Command.lines(
      "query", store, name, "--sort", "id", "--select", columns, "--format", "jsonl")
  }

  /// A store with values of every type that a column of Parquet has, and nulls among them.
  private func store(_ scratch: TemporaryFolder) throws -> String {
    var text = "id,name,flag,number,day,moment,lat,lon,altitude\n"
    for id in 0..<3000 {
      let isNull = id % 7 == 3
      text += "\(id),"
      text += isNull ? ",,,,," : "name \(id % 40),\(id % 2 == 0),\(Double(id) / 8 - 3),"
      if !isNull { text += "19\(10 + id % 80)-02-03,2024-01-01T00:00:\(10 + id % 50).25Z," }
      text +=
        "\(Double(id % 170) - 85.5),\(Double(id % 357) - 178.25),\(id % 5 == 0 ? "" : "\(id % 90).5")\n"
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: scratch["rows.csv"]))
    let outcome = try Command.run("import", scratch["s"], scratch["rows.csv"], "--class", "rows")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return scratch["s"]
  }

  @Test(arguments: [[], ["--row-group-size", "1"], ["--row-group-size", "1000"]])
  func rowsAreReadBack(options: [String]) throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    let limited = options == ["--row-group-size", "1"] ? ["--limit", "20"] : []
    let written = try Command.run(
      ["query", store, "rows", "--output", scratch["a.parquet"]] + options + limited)
    #expect(written.code == 0, "\(written.errors)")
    let outcome = try Command.run("import", scratch["t"], scratch["a.parquet"], "--class", "rows")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let wanted = Set(try rows(store, "rows"))
    let found = try rows(scratch["t"], "rows")
    #expect(found.count == (limited.isEmpty ? wanted.count : 20))
    #expect(wanted.isSuperset(of: found))
  }

  @Test func computedAndSortedRowsAreWritten() throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    let selection = [
      "number > 0", "--select", "id, number * 2 AS twice, location", "--sort", "id",
    ]
    let written = try Command.run(
      ["query", store, "rows"] + selection + ["--output", scratch["a.parquet"]])
    #expect(written.code == 0, "\(written.errors)")
    let outcome = try Command.run("import", scratch["t"], scratch["a.parquet"], "--class", "b")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let wanted = try Command.run(["query", store, "rows"] + selection + ["--format", "jsonl"])
    let found = try rows(scratch["t"], "b", "id,twice,location")
    #expect(found == wanted.output.split(separator: "\n").map(String.init))
    #expect(found.count > 2000)
  }

  @Test func shapesAndAnotherSystemAreReadBack() throws {
    let scratch = try TemporaryFolder()
    let shape = Repository.data("south-africa.geojson")
    #expect(try Command.run("import", scratch["s"], shape, "--class", "lands").code == 0)
    let written = try Command.run(
      "export", scratch["s"], "lands", "--crs", "EPSG:6933", "--output", scratch["a.parquet"])
    #expect(written.code == 0, "\(written.errors)")
    let outcome = try Command.run("import", scratch["t"], scratch["a.parquet"], "--class", "a")
    #expect(outcome.code == 0 && outcome.errors.contains("EASE-Grid"), "\(outcome.errors)")
    let areas = try [(scratch["s"], "lands"), (scratch["t"], "a")].map { store, name in
      try Command.lines("query", store, name, "--select", "area", "--format", "csv")[1]
    }
    let numbers = areas.compactMap(Double.init)
    #expect(numbers.count == 2 && abs(numbers[0] / numbers[1] - 1) < 1e-6, "\(areas)")
  }

  @Test func aTableWithoutLocationGoesThroughAPipe() throws {
    let scratch = try TemporaryFolder()
    let cairn = Command.executable.path
    try Data("id,name\n1,a\n2,\n".utf8).write(to: URL(fileURLWithPath: scratch["t.csv"]))
    #expect(try Command.run("import", scratch["s"], scratch["t.csv"], "--class", "t").code == 0)
    let outcome = try Command.launch(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "'\(cairn)' query '\(scratch["s"])' t --format parquet | '\(cairn)' import '\(scratch["t"])' - --class t",
      ], input: nil, environment: [:], folder: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try rows(scratch["t"], "t", "id,name") == rows(scratch["s"], "t", "id,name"))
  }

  @Test func damageIsNamedWithItsPlace() throws {
    let scratch = try TemporaryFolder()
    let file = Repository.data("foreign/parquet/rle-dict-uncompressed-corrupt-checksum.parquet")
    let outcome = try Command.run("import", scratch["s"], file, "--class", "x", "--no-location")
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains("column `"), "\(outcome.errors)")
    #expect(outcome.errors.contains("checksum"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch["s"]))
  }

  @Test func otherFormatsHaveNoRowGroups() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "query", try store(scratch), "rows", "--format", "csv", "--row-group-size", "5")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("--row-group-size applies only to the format parquet"))
  }

  @Test(arguments: [
    "example.parquet", "data-multipolygon-encoding_wkb.parquet", "crs-geography.parquet",
    "crs-srid.parquet", "geospatial.parquet",
  ])
  func filesOfOthersAreRead(file: String) throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "import", scratch["s"], Repository.data("foreign/parquet/\(file)"), "--class", "x",
      "--location-optional", "--repair")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }
}

/// Tables in Parquet, whose columns have names that the file gives them.
@Suite struct ParquetTableTests {
  @Test(arguments: ["null_list.parquet", "nulls.snappy.parquet", "rle_boolean_encoding.parquet"])
  func aTableOfOneColumnNeedsNoOption(file: String) throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "import", scratch["s"], Repository.data("foreign/parquet/\(file)"), "--class", "x")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("table without locations"), "\(outcome.errors)")
  }
}
