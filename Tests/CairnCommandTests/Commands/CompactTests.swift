import CairnTestSupport
import Foundation
import Testing

/// `cairn compact`.
@Suite struct CompactTests {
  private func copy(_ scratch: TemporaryFolder) throws -> String {
    try FileManager.default.copyItem(
      atPath: SampleStores.citiesStore(), toPath: scratch["cities.cairn"])
    return scratch["cities.cairn"]
  }

  @Test func compactionKeepsRowsAndFreesSpace() throws {
    let scratch = try TemporaryFolder()
    let store = try copy(scratch)
    // Every row is replaced, so half of the stored rows are deleted ones.
    let cities = try String(contentsOfFile: Repository.data("cities.csv"), encoding: .utf8)
      .split(separator: "\n").prefix(Soak.count(5_000, long: .max)).joined(separator: "\n")
    let again = ["import", store, try scratch.file("cities.csv", cities).path, "--key", "id"]
    let first = try Command.run(again + ["--on-conflict", "replace", "--class", "other"])
    #expect(first.code == 0, "\(first.errors)")
    try scratch.file("cities.csv", cities.replacing(/\d\n/) { $0.output.dropLast() + "0\n" })
    #expect(try Command.run(again + ["--on-conflict", "replace", "--class", "other"]).code == 0)
    let rows = try Command.lines("query", store, "other", "--sort", "id", "--format", "csv")
    let near = ["--near", "48.85,2.35", "--radius", "50km"]
    let count = try Command.run(["count", store, "other"] + near).output
    let outcome = try Command.run("compact", store)
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains(" bytes before, "), "\(outcome.errors)")
    #expect(outcome.errors.contains(" unused row numbers removed"), "\(outcome.errors)")
    #expect(try Command.run("verify", store).code == 0)
    #expect(try Command.lines("query", store, "other", "--sort", "id", "--format", "csv") == rows)
    #expect(try Command.run(["count", store, "other"] + near).output == count)
    #expect(try Command.run("compact", store, "--quiet").errors.isEmpty)
  }

  @Test func missingForeignAndDamagedFilesAreNotCompacted() throws {
    let scratch = try TemporaryFolder()
    #expect(try Command.run("compact", scratch["none"]).code == 66)
    try scratch.file("text", "not a store at all")
    #expect(try Command.run("compact", scratch["text"]).code == 74)
    #expect(try scratch.text("text") == "not a store at all")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SampleStores.citiesStore()))
    let name = try #require(bytes.range(of: Data("Zürich".utf8)))
    bytes[name.lowerBound] ^= 1
    try bytes.write(to: scratch.url.appendingPathComponent("bad.cairn"))
    let outcome = try Command.run("compact", scratch["bad.cairn"])
    #expect(outcome.code == 74 && outcome.errors.contains("nothing was changed"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch["bad.cairn"])) == bytes)
  }
}
