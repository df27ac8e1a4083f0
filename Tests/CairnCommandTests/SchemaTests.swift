import Foundation
import Testing

@Suite struct SchemaTests {
  @Test func forPeople() throws {
    let lines = try Command.lines("schema", World.placesStore())
    #expect(lines[0] == "places: 8 rows")
    #expect(
      lines.contains { $0.contains("id") && $0.contains("int") && $0.contains("primary key") })
    #expect(lines.contains { $0.contains("location") && $0.contains("spatial index") })
    #expect(lines.contains { $0.contains("founded") && $0.contains("date?") })
  }

  @Test func forPrograms() throws {
    let outcome = try Command.run("schema", World.placesStore(), "--json")
    let top = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let places = try #require((top["classes"] as? [[String: Any]])?.first)
    #expect(places["name"] as? String == "places")
    #expect(places["rows"] as? Int == 8)
    #expect(places["location"] as? String == "location")
    #expect(places["primaryKey"] as? String == "id")
    let columns = try #require(places["columns"] as? [[String: Any]])
    let types = Dictionary(
      uniqueKeysWithValues: columns.map {
        ($0["name"] as? String ?? "", $0["type"] as? String ?? "")
      })
    #expect(
      types == [
        "id": "int", "name": "string", "kind": "string", "location": "point", "population": "int",
        "founded": "date", "open": "bool", "odd name, really": "string",
      ])
    #expect(columns.first { $0["name"] as? String == "population" }?["optional"] as? Bool == true)
  }

  @Test func indexesShow() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.csv", "id,kind,lat,lon\n1,x,1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--index", "kind").code == 0)
    let lines = try Command.lines("schema", scratch["s"])
    #expect(lines.contains { $0.hasSuffix("  index") && $0.contains("kind") })
  }
}
