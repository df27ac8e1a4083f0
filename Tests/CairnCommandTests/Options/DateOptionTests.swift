import CairnTestSupport
import Foundation
import Testing

/// Rows of a time: `--datetime`.
@Suite struct DateOptionTests {
  private static let csv = """
    id,lat,lon,time,changed
    1,47,8,2024-01-31T12:00:00Z,2030-01-01
    2,47,9,2024-01-31T23:59:59Z,2030-01-01
    3,47,10,2024-02-01T00:00:00Z,2030-01-01
    4,47,11,,2024-01-31
    """

  private func ids(_ folder: borrowing TemporaryFolder, _ options: String...) throws -> [String] {
    let outcome = try Command.run(
      ["query", folder["s"], "a", "--select", "id", "--sort", "id", "--format", "csv"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return Array(outcome.lines.dropFirst())
  }

  @Test func daysTimesAndIntervals() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a.csv", Self.csv).path
    #expect(try Command.run("import", folder["s"], file).code == 0)
    #expect(try ids(folder, "--datetime", "2024-01-31") == ["1", "2"])
    #expect(try ids(folder, "--datetime", "2024-01-31T12:00:00Z") == ["1"])
    #expect(try ids(folder, "--datetime", "2024-01-31T13:00:00Z/2024-02-01") == ["2", "3"])
    #expect(try ids(folder, "--datetime", "2024-02-01/..") == ["3"])
    #expect(try ids(folder, "--datetime", "../2024-01-31", "id > 1") == ["2"])
    #expect(try ids(folder, "--datetime", "2024-01-31", "--bbox", "8.5,40,12,50") == ["2"])
    #expect(
      try Command.lines("count", folder["s"], "a", "--datetime", "2024-01-31") == ["2"])
    let sql = try Command.run("sql", folder["s"], "a", "--datetime", "2024-02-01", "--count")
    #expect(sql.output.contains(#""time" >= '2024-02-01"#), "\(sql.output)\(sql.errors)")
    let deleted = try Command.run("delete", folder["s"], "a", "--datetime", "2024-01-31")
    #expect(deleted.code == 0 && deleted.errors.contains("2 rows deleted"), "\(deleted.errors)")
  }

  /// A condition in a pipe can be read only once.
  @Test(arguments: [
    ["count"], ["query"], ["stats", "--by", "id"], ["stats", "--of", "id", "--histogram"],
  ])
  func aConditionIsReadOnce(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a.csv", Self.csv).path
    #expect(try Command.run("import", folder["s"], file).code == 0)
    let pipe = folder["p"]
    #expect(mkfifo(pipe, 0o600) == 0)
    Thread.detachNewThread { try? Data("id > 1".utf8).write(to: URL(fileURLWithPath: pipe)) }
    let outcome = try Command.run(
      [arguments[0], folder["s"], "a", "@\(pipe)"] + arguments.dropFirst())
    #expect(outcome.code == 0 && outcome.output.contains("3"), "\(outcome.errors)")
  }

  @Test func mistakesAreExplained() throws {
    let store = try SampleStores.placesStore()
    let text = try Command.run("count", store, "places", "--datetime", "soon")
    #expect(text.code == 64 && text.errors.contains("'soon' is not a date"), "\(text.errors)")
    for command in [["delete"], ["update", "--set", "name = 'x'"]] {
      // Two empty variables of a script must not select every row.
      let all = try Command.run(
        [command[0], store, "places", "--datetime", "/"] + command.dropFirst())
      #expect(all.code == 64 && all.errors.contains("neither a start nor an end"), "\(all.errors)")
    }
    let folder = try TemporaryFolder()
    let file = try folder.file("b.csv", "id,lat,lon\n1,47,8\n").path
    #expect(try Command.run("import", folder["s"], file).code == 0)
    let dateless = try Command.run("count", folder["s"], "b", "--datetime", "2024-01-31")
    #expect(dateless.code == 64 && dateless.errors.contains("--datetime: 'b' has no date"))
  }
}
