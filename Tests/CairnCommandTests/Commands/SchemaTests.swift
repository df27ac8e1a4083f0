import CairnTestSupport
import Foundation
import Testing

@Suite struct SchemaTests {
  private func classes(_ store: String) throws -> [[String: Any]] {
    let outcome = try Command.run("schema", store, "--json")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let top = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect((top["bytes"] as? Int ?? 0) > 0)
    return try #require(top["classes"] as? [[String: Any]])
  }

  private func columns(_ store: String) throws -> [String: [String: Any]] {
    let columns = try #require(try classes(store).first?["columns"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: columns.map { ($0["name"] as? String ?? "", $0) })
  }

  @Test func forPeople() throws {
    let lines = try Command.lines("schema", SampleStores.placesStore())
    #expect(lines[0].hasPrefix("places: 8 rows, ") && lines[0].hasSuffix(" kB"))
    func line(_ name: String) throws -> [String] {
      try #require(lines.first { $0.hasPrefix(name + " ") })
        .split(separator: #/  +/#).map(String.init)
    }
    #expect(
      try line("property") == ["property", "type", "nulls", "range", "index", "bytes", "of index"])
    #expect(try line("id").prefix(5) == ["id", "int", "0", "1 to 8", "primary key"])
    #expect(try line("population").prefix(4) == ["population", "int?", "1", "6330 to 2560720"])
    #expect(try line("founded").prefix(4) == ["founded", "date?", "3", "1038-01-01 to 1957-01-23"])
    #expect(
      try line("location").prefix(5) == [
        "location", "point?", "0", "90°S to 48.8566°N, 171.7667°W to 178.4419°E", "spatial index",
      ])
  }

  @Test func forPrograms() throws {
    let places = try #require(try classes(SampleStores.placesStore()).first)
    #expect(places["name"] as? String == "places")
    #expect(places["rows"] as? Int == 8)
    #expect(places["location"] as? String == "location")
    #expect(places["primaryKey"] as? String == "id")
    #expect((places["bytes"] as? Int ?? 0) > 1000)
    let columns = try columns(SampleStores.placesStore())
    #expect(
      columns.mapValues { $0["type"] as? String ?? "" } == [
        "id": "int", "name": "string", "kind": "string", "location": "point", "population": "int",
        "founded": "date", "open": "bool", "odd name, really": "string",
      ])
    let population = try #require(columns["population"])
    #expect(population["optional"] as? Bool == true && population["nulls"] as? Int == 1)
    #expect(population["min"] as? Int == 6330 && population["max"] as? Int == 2_560_720)
    #expect(columns["founded"]?["min"] as? String == "1038-01-01")
    #expect(
      columns["location"]?["envelope"] as? [Double] == [-171.7667, -90, 178.4419, 48.8566])
    #expect(columns["name"]?["min"] is NSNull && columns["name"]?["envelope"] is NSNull)
    #expect(columns["id"]?["indexBytes"] as? Int ?? 0 > 0)
  }

  @Test func oneClassAlone() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", "id,lat,lon\n1,2,3\n")
    for name in ["here", "there"] {
      #expect(try Command.run("import", scratch["s"], file.path, "--class", name).code == 0)
    }
    let both = try Command.lines("schema", scratch["s"])
    let one = try Command.lines("schema", scratch["s"], "there")
    #expect(one.first?.hasPrefix("there: 1 row") == true && both.suffix(one.count) == one[...])
    #expect(one.contains { $0.contains(#/^location .* 2°N, 3°E +spatial index/#) }, "\(one)")
    let json = try Command.run("schema", scratch["s"], "here", "--json").output
    #expect(json.contains("\"here\"") && !json.contains("\"there\""))
    let none = try Command.run("schema", scratch["s"], "her")
    #expect(none.code == 64 && none.errors.contains("did you mean 'here'?"), "\(none.errors)")
  }

  @Test func indexesAreListed() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "id,kind,lat,lon\n1,x,1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--index", "kind").code == 0)
    let lines = try Command.lines("schema", scratch["s"])
    #expect(lines.contains { $0.contains(#/^kind +string\? +0 +index /#) }, "\(lines)")
  }

  /// Replaced rows do not count, even if the bounds of their chunks still include them.
  @Test func deletedRowsDoNotCount() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s"]
    let before = (0..<5000).map {
      "\($0),\($0 % 7 == 0 ? "" : "\($0 * 10)"),\($0 % 90),\($0 % 180)\n"
    }
    let after = (0..<5000).map { "\($0),\($0 % 5 == 0 ? "" : "\($0)"),1,2\n" }
    let first = try scratch.file("p.csv", "id,v,lat,lon\n" + before.joined())
    #expect(try Command.run("import", store, first.path, "--key", "id").code == 0)
    #expect(try columns(store)["v"]?["nulls"] as? Int == (5000 + 6) / 7)
    #expect(try columns(store)["v"]?["max"] as? Int == 49990)
    let second = try scratch.file("q.csv", "id,v,lat,lon\n" + after.joined())
    let outcome = try Command.run(
      "import", store, second.path, "--class", "p", "--key", "id", "--on-conflict", "replace")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let columns = try columns(store)
    #expect(columns["v"]?["nulls"] as? Int == 1000)
    #expect(columns["v"]?["min"] as? Int == 1 && columns["v"]?["max"] as? Int == 4999)
    #expect(columns["location"]?["envelope"] as? [Double] == [2, 1, 2, 1])
  }

  @Test func anEmptyClass() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "v,lat,lon\n")
    let outcome = try Command.run("import", scratch["s"], file.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try classes(scratch["s"]).first?["rows"] as? Int == 0)
    #expect(try Command.lines("schema", scratch["s"])[0].hasPrefix("a: 0 rows"))
  }
}
