import CairnTestSupport
import Foundation
import Testing

/// `cairn drop`, `rename`, `index`, `unindex` and `key`.
@Suite struct ClassChangeTests {
  /// A copy of the sample places.
  private func copy(_ body: (String) throws -> Void) throws {
    let scratch = try TemporaryFolder(inMemory: true)
    let store = scratch["places.cairn"]
    try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: store)
    try body(store)
    #expect(try Command.run("verify", store).code == 0)
  }

  /// The index of a column, as `schema` shows it.
  private func index(_ store: String, _ column: String) throws -> String {
    let json = try Command.run("schema", store, "--json").output
    let line = try #require(
      json.split(separator: "\n").first { $0.contains("\"name\":\"\(column)\"") })
    return try #require(line.firstMatch(of: /"index":"?([a-z ]*)/)).1.description
  }

  @Test func dropRemovesAClass() throws {
    try copy { store in
      let dry = try Command.run("drop", store, "places", "--dry-run")
      #expect(dry.code == 0 && dry.output.hasPrefix("places would be dropped with 8 rows and "))
      #expect(try Command.lines("count", store, "places") == ["8"])
      let wrong = try Command.run("drop", store, "place")
      #expect(wrong.code == 64 && wrong.errors.contains("did you mean 'places'?"))
      let outcome = try Command.run("drop", store, "places")
      #expect(outcome.code == 0 && outcome.errors.hasPrefix("places dropped with 8 rows and "))
      #expect(try Command.lines("schema", store) == ["No classes."])
    }
  }

  @Test func renameKeepsRowsAndIndexes() throws {
    try copy { store in
      let rows = try Command.lines("query", store, "places", "--format", "csv")
      #expect(try Command.run("rename", store, "places", "spots", "--dry-run").code == 0)
      let outcome = try Command.run("rename", store, "places", "spots")
      #expect(outcome.errors.hasPrefix("places renamed to spots, in "))
      #expect(try Command.lines("query", store, "spots", "--format", "csv") == rows)
      #expect(try Command.run("rename", store, "spots.population", "people").code == 0)
      #expect(try Command.run("rename", store, "spots.location", "at", "--quiet").errors.isEmpty)
      let renamed = try Command.lines("query", store, "spots", "--format", "csv")
      #expect(renamed[0].contains(",people,"))
      #expect(renamed.dropFirst() == rows.dropFirst())
      #expect(try Command.lines("count", store, "spots", "people > 1000000") == ["2"])
      let near = ["--near", "48.85,2.35", "--radius", "50km", "--geometry", "at"]
      #expect(try Command.run(["count", store, "spots"] + near).output == "2\n")
      #expect(try index(store, "id") == "primary key")
    }
  }

  @Test func namesMayContainDots() throws {
    try copy { store in
      #expect(try Command.run("rename", store, "places", "a.b").code == 0)
      #expect(try Command.run("rename", store, "a.b.name", "c.d").code == 0)
      #expect(try Command.run("rename", store, "a.b.c.d", "title").code == 0)
      #expect(try Command.run("rename", store, "a.b", "a").code == 0)
      let count = try Command.lines("count", store, "a", "title == 'Paris'")
      #expect(count == ["1"])
    }
  }

  @Test(
    arguments: [
      (["rename", "places", "places"], 65, "class 'places' exists already"),
      (["rename", "places.name", "kind"], 65, "already has a property 'kind'"),
      (["rename", "places", ""], 65, "empty name"),
      (["rename", "places.name", ""], 65, "empty name"),
      (["rename", "places.nme", "x"], 64, "has no column 'nme'; did you mean 'name'?"),
      (["rename", "plces", "x"], 64, "did you mean 'places'?"),
      (["index", "places", "nme"], 64, "did you mean 'name'?"),
      (["index", "places", "location"], 65, "'location' always has a spatial index"),
      (["index", "places", "name", "id"], 65, "'id' is the primary key of"),
      (["unindex", "places", "name"], 65, "'name' has no index"),
      (["unindex", "places", "id"], 65, "'id' is the primary key"),
      (["key", "places"], 64, "--none"), (["key", "places", "id", "--none"], 64, "either"),
      (["key", "places", "id"], 65, "already the primary key"),
      (["key", "places", "open"], 65, "must be an int, a string"),
      (
        ["key", "places", "population"], 65,
        "1 row has none, such as the row with the id 8"
      ),
      (
        ["key", "places", "kind"], 65,
        "2 values occur more than once, such as city (5 rows) or town (2"
      ),
    ] as [([String], Int32, String)])
  func errors(words: [String], code: Int32, message: String) throws {
    let store = try SampleStores.placesStore()
    let outcome = try Command.run([words[0], store] + words.dropFirst())
    #expect(outcome.code == code, "\(words): \(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(try Command.run("verify", store).code == 0)
  }

  @Test func indexesAreBuiltAndRemoved() throws {
    try copy { store in
      let outcome = try Command.run("index", store, "places", "kind", "population")
      #expect(outcome.errors.hasPrefix("kind, population indexed in places, "))
      #expect(try index(store, "kind") == "index")
      #expect(try index(store, "population") == "index")
      #expect(try Command.lines("count", store, "places", "kind == 'city'") == ["5"])
      #expect(try Command.run("verify", store).code == 0)
      #expect(try Command.run("unindex", store, "places", "kind", "--dry-run").code == 0)
      #expect(try index(store, "kind") == "index")
      #expect(try Command.run("unindex", store, "places", "kind").code == 0)
      #expect(try index(store, "kind") == "null")
      #expect(try Command.lines("count", store, "places", "kind == 'city'") == ["5"])
    }
  }

  @Test func theKeyMovesToAnotherColumn() throws {
    try copy { store in
      #expect(try Command.run("key", store, "places", "name", "--dry-run").code == 0)
      #expect(try index(store, "id") == "primary key")
      let outcome = try Command.run("key", store, "places", "name")
      #expect(outcome.errors.hasPrefix("name made the primary key of places in place of id"))
      #expect(try index(store, "name") == "primary key")
      #expect(try index(store, "id") == "null")
      #expect(try Command.run("verify", store).code == 0)
      // An import now replaces rows by name.
      let more = try Command.run(
        ["import", store, "-", "--class", "places", "--format", "csv", "--on-conflict", "replace"],
        input: "name,population,lat,lon\nParis,7,48.8566,2.3522\n")
      #expect(more.code == 0, "\(more.errors)")
      #expect(try Command.lines("count", store, "places", "population == 7") == ["1"])
      #expect(try Command.lines("count", store, "places") == ["8"])
      let none = try Command.run("key", store, "places", "--none")
      #expect(none.errors.hasPrefix("name left as an ordinary column of places"))
      #expect(try index(store, "name") == "null")
      #expect(try Command.run("key", store, "places", "--none").code == 65)
    }
  }
}
