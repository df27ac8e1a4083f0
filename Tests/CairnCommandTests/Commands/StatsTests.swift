import CairnTestSupport
import Foundation
import Testing

@Suite struct StatsTests {
  private func json(_ options: String...) throws -> Any {
    let outcome = try Command.run(
      ["stats", SampleStores.placesStore(), "places", "--format", "json"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
  }

  @Test func oneColumnIsOneObject() throws {
    let stats = try #require(try json("kind == 'city'", "--of", "population") as? [String: Any])
    #expect(stats["column"] as? String == "population")
    #expect(stats["count"] as? Int == 5)
    #expect(stats["sum"] as? Int == 5_023_939)
    #expect(stats["min"] as? Int == 37391)
    #expect(stats["max"] as? Int == 2_560_720)
    #expect(stats["avg"] as? Double == 1_004_787.8)
  }

  @Test func emptyResultsHaveNoValues() throws {
    let stats = try #require(try json("id == 8", "--of", "population") as? [String: Any])
    #expect(stats["count"] as? Int == 0)
    #expect(stats["sum"] as? Int == 0)
    for name in ["min", "max", "avg"] { #expect(stats[name] is NSNull) }
  }

  @Test func groupsAreAnArray() throws {
    let rows = try #require(
      try json("--of", "population", "--by", "kind") as? [[String: Any]])
    #expect(rows.map { $0["kind"] as? String } == ["city", "station", "town"])
    #expect(rows.map { $0["count"] as? Int } == [5, 0, 2])
    let two = try #require(
      try json("--of", "id,population", "--by", "kind,open") as? [[String: Any]])
    #expect(two.allSatisfy { $0.keys.contains("open") && $0.keys.contains("column") })
  }

  @Test func severalColumnsAreAnArray() throws {
    let rows = try #require(try json("--of", "id,population") as? [[String: Any]])
    #expect(rows.map { $0["column"] as? String } == ["id", "population"])
    #expect(rows.map { $0["count"] as? Int } == [8, 7])
  }

  @Test func areasFilterRows() throws {
    let stats = try #require(
      try json("--of", "population", "--near", "-27.5,153", "--radius", "50km") as? [String: Any])
    #expect(stats["sum"] as? Int == 2_560_720 + 229_208)
  }

  @Test func tablesForPeople() throws {
    let lines = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--of", "population", "--by", "kind")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("kind"))
    for word in ["column", "count", "sum", "min", "max", "avg"] { #expect(lines[0].contains(word)) }
  }

  @Test func severalColumnsAndGroupsAreReadable() throws {
    let lines = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "id < 6", "--of", "population,id", "--by",
      "kind,open"
    )
    let words = lines.map { $0.split(separator: " ").map(String.init) }
    #expect(
      words == [
        ["kind", "open", "column", "count", "sum", "min", "max", "avg"],
        ["----", "-----", "----------", "-----", "-------", "------", "-------", "-----------"],
        ["city", "true", "population", "3", "4892578", "229208", "2560720", "1630859.333"],
        ["id", "3", "7", "1", "4", "2.333"],
        ["town", "false", "population", "1", "6330", "6330", "6330", "6330.0"],
        ["id", "1", "3", "3", "3", "3.0"],
        ["town", "true", "population", "1", "84808", "84808", "84808", "84808.0"],
        ["id", "1", "5", "5", "5", "5.0"],
      ], "\(lines.joined(separator: "\n"))")
  }

  @Test func otherFormats() throws {
    let store = try SampleStores.placesStore()
    func stats(_ format: String) throws -> [String] {
      try Command.lines(
        "stats", store, "places", "kind == 'town'", "--of", "id", "--by", "kind", "--format", format
      )
    }
    #expect(try stats("csv") == ["kind,column,count,sum,min,max,avg", "town,id,2,8,3,5,4.0"])
    #expect(try stats("tsv")[1] == "town\tid\t2\t8\t3\t5\t4.0")
    #expect(try stats("jsonl").count == 1)
    #expect(try stats("markdown")[0].hasPrefix("| kind |"))
  }
}
