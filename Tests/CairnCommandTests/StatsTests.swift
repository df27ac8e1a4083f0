import Foundation
import Testing

@Suite struct StatsTests {
  private func json(_ options: String...) throws -> Any {
    let outcome = try Command.run(
      ["stats", World.placesStore(), "places", "--format", "json"] + options)
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

  @Test func nothingHasNoValues() throws {
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

  @Test func areasCount() throws {
    let stats = try #require(
      try json("--of", "population", "--near", "-27.5,153", "--radius", "50km") as? [String: Any])
    #expect(stats["sum"] as? Int == 2_560_720 + 229_208)
  }

  @Test func tablesForPeople() throws {
    let lines = try Command.lines(
      "stats", World.placesStore(), "places", "--of", "population", "--by", "kind")
    #expect(lines.count == 5)
    #expect(lines[0].hasPrefix("kind"))
    for word in ["column", "count", "sum", "min", "max", "avg"] { #expect(lines[0].contains(word)) }
  }
}
