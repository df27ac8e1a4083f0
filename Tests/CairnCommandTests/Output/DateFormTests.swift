import CairnTestSupport
import Foundation
import Testing

/// The dates of a column, which are written alike.
@Suite struct DateFormTests {
  private static let text = """
    id,lat,lon,day,at
    1,1,2,2024-03-01,2024-03-01T00:00:00Z
    2,1,3,2024-03-02,2024-03-02T12:30:00Z
    3,1,4,2024-03-03,2024-03-03T00:00:00Z

    """

  private let scratch: TemporaryFolder
  private let store: String

  init() throws {
    scratch = try TemporaryFolder()
    store = scratch["s.cairn"]
    let file = scratch.url.appendingPathComponent("f.csv")
    try Data(Self.text.utf8).write(to: file)
    let outcome = try Command.run(["import", store, file.path])
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  /// Midnight among times has a time, whatever rows are asked for, and days have none.
  @Test(arguments: ["csv", "tsv", "jsonl", "table", "markdown"])
  func aColumnHasOneForm(format: String) throws {
    let lines = try Command.lines(
      "query", store, "f", "id = 1", "--select", "day,at", "--format", format)
    let row = try #require(lines.first { $0.contains("2024") })
    #expect(row.contains("2024-03-01T00:00:00Z"), "\(row)")
    #expect(row.components(separatedBy: "2024-03-01").count == 3, "\(row)")
    #expect(row.components(separatedBy: "T00").count == 2, "\(row)")
  }

  @Test func groupsHaveOneForm() throws {
    let byTime = try Command.lines("count", store, "f", "--by", "at", "--format", "csv")
    #expect(
      byTime.dropFirst().map { $0.prefix(20) } == [
        "2024-03-01T00:00:00Z", "2024-03-02T12:30:00Z", "2024-03-03T00:00:00Z",
      ])
    let byDay = try Command.lines("count", store, "f", "--by", "day", "--format", "csv")
    #expect(byDay.dropFirst() == ["2024-03-01,1", "2024-03-02,1", "2024-03-03,1"])
  }

  /// The form follows the rows that are there, so the deletion of the only time changes it.
  @Test func deletedTimesDoNotCount() throws {
    #expect(try Command.run("delete", store, "f", "id = 2").code == 0)
    let lines = try Command.lines("query", store, "f", "--select", "at", "--format", "csv")
    #expect(lines == ["at", "2024-03-01", "2024-03-03"])
  }

  @Test func computedDatesHaveTimes() throws {
    let lines = try Command.lines(
      "query", store, "f", "--select", "at - 45000 AS a", "--sort", "id", "--format", "csv")
    #expect(
      lines == ["a", "2024-02-29T11:30:00Z", "2024-03-02T00:00:00Z", "2024-03-02T11:30:00Z"])
  }
}
