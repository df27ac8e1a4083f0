import CairnTestSupport
import Foundation
import Testing

/// Tables on a terminal, which stop after a few screens, and numbers in tables.
@Suite struct TerminalTableTests {
  /// The number of rows printed, and the messages.
  private func rows(_ options: String..., rows: Int = 24) throws -> (count: Int, errors: String) {
    let store = try SampleStores.citiesStore()
    let outcome = try Command.terminal(
      ["query", store, "cities", "--select", "id"] + options, rows: rows)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return (outcome.output.split(separator: "\n").count - 2, outcome.errors)
  }

  @Test func aTableStopsAfterThreeScreens() throws {
    let short = try rows()
    #expect(short.count == 72)
    #expect(
      short.errors
        == "Note: showing 72 of 34 024 rows; --limit 0 shows all, --output FILE writes all.\n")
    #expect(try rows(rows: 100).count == 300)
    #expect(try rows(rows: 5).count == 50)
    let part = try rows("--offset", "33000")
    #expect(part.count == 72 && part.errors.contains("72 of 1 024 rows"), "\(part.errors)")
  }

  @Test func limitsApply() throws {
    let all = try rows("--limit", "0")
    #expect(all.count == 34024 && all.errors.isEmpty, "\(all.errors)")
    let some = try rows("--limit", "200")
    #expect(some.count == 200 && some.errors.isEmpty)
    let few = try rows("--offset", "34000")
    #expect(few.count == 24 && few.errors.isEmpty)
    let distinct = try rows("--distinct", "country", "--sort", "id")
    #expect(distinct.count == 72 && distinct.errors.contains("of 2"), "\(distinct.errors)")
  }

  /// Only a table on a terminal is truncated.
  @Test func otherOutputIsComplete() throws {
    let store = try SampleStores.citiesStore()
    #expect(try rows("--format", "csv").count == 34024 - 1)
    let piped = try Command.run("query", store, "cities", "--select", "id")
    #expect(piped.lines.count == 34026 && piped.errors.isEmpty)
    let none = try Command.run(
      "query", store, "cities", "--select", "id", "--limit", "0", "--format", "csv")
    #expect(none.lines == ["id"])
  }

  /// Numbers have at most 15 digits in tables, and all digits elsewhere.
  @Test func digits() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "a.csv", "id,v,lat,lon\n1,93.06299999999999,1.1000000000000001,0.30000000000000004\n"
    ).path
    #expect(try Command.run("import", scratch["s"], file).code == 0)
    let table = try Command.lines("query", scratch["s"], "a", "--select", "v,location")
    #expect(table.last == "93.063  1.1, 0.3", "\(table)")
    #expect(
      try Command.lines("query", scratch["s"], "a", "--select", "v", "--format", "csv").last
        == "93.06299999999999")
    #expect(
      try Command.lines("query", scratch["s"], "a", "--select", "v", "--format", "jsonl") == [
        #"{"v":93.06299999999999}"#
      ])
    #expect(try Command.run("schema", scratch["s"]).output.contains(" 93.063 "))
    #expect(try Command.run("schema", scratch["s"], "--json").output.contains("93.06299999999999"))
  }
}
