import CairnTestSupport
import Foundation
import Testing

/// Arrow's files and streams through the command.
@Suite struct ArrowCommandTests {
  private static let types = Repository.data("foreign/arrow/types.arrow")

  /// A store with the rows of a file of every type.
  private func store(_ scratch: TemporaryFolder) throws -> String {
    let outcome = try Command.run("import", scratch["s"], Self.types, "--class", "rows")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return scratch["s"]
  }

  private func rows(_ store: String, _ name: String) throws -> [String] {
    try Command.lines("query", store, name, "--format", "jsonl").sorted()
  }

  @Test(arguments: ["rows.arrow", "rows.feather", "rows.arrows", "rows.arrows.gz"])
  func aFileIsReadBack(name: String) throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    #expect(try Command.run("export", store, "rows", "--output", scratch[name]).code == 0)
    let outcome = try Command.run("import", scratch["t"], scratch[name], "--class", "rows")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try rows(scratch["t"], "rows") == rows(store, "rows"))
  }

  @Test func aStreamGoesThroughAPipe() throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    let cairn = Command.executable.path
    let outcome = try Command.launch(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "'\(cairn)' query '\(store)' rows --format arrow | '\(cairn)' import '\(scratch["t"])' - --class rows",
      ], input: nil, environment: [:], folder: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try rows(scratch["t"], "rows") == rows(store, "rows"))
  }

  @Test func anotherCoordinateSystemIsReadBack() throws {
    let scratch = try TemporaryFolder()
    let file = Repository.data("foreign/arrow/geopandas.feather")
    let read = try Command.run("import", scratch["s"], file, "--class", "towns")
    #expect(read.code == 0 && read.errors.contains("CH1903+ / LV95"), "\(read.errors)")
    let written = try Command.run(
      "query", scratch["s"], "towns", "--crs", "EPSG:2056", "--output", scratch["a.feather"])
    #expect(written.code == 0, "\(written.errors)")
    let again = try Command.run("import", scratch["t"], scratch["a.feather"], "--class", "a")
    #expect(again.code == 0 && again.errors.contains("CH1903+ / LV95"), "\(again.errors)")
    let rows = try Command.lines(
      "query", scratch["t"], "a", "name == 'a'", "--crs", "EPSG:2056", "--format", "csv")
    #expect(rows.last?.hasPrefix("a,2600000.00") == true, "\(rows)")
  }

  @Test func aUnionIsNamedWithItsRemedy() throws {
    let scratch = try TemporaryFolder()
    let file = Repository.data("foreign/arrow/union.arrow")
    let refused = try Command.run("import", scratch["s"], file, "--class", "a")
    #expect(refused.code == 65 && refused.errors.contains("--drop u"), "\(refused.errors)")
    #expect(try Command.run("import", scratch["s"], file, "--class", "a", "--drop", "u").code == 0)
    #expect(
      try Command.lines("query", scratch["s"], "a", "--select", "after", "--format", "csv").count
        == 3)
  }

  @Test func aDamagedFileNamesColumnAndBatch() throws {
    let scratch = try TemporaryFolder()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.types))
    // The first offsets of a column of texts.
    let offsets = try #require(bytes.range(of: Data([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0])))
    bytes[offsets.lowerBound + 4] = 9
    let file = scratch["a.arrow"]
    try bytes.write(to: URL(fileURLWithPath: file))
    let outcome = try Command.run("import", scratch["s"], file, "--class", "a")
    #expect(outcome.code == 65 && outcome.errors.contains("batch 1: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("column `"), "\(outcome.errors)")
  }
}
