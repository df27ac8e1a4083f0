import CairnTestSupport
import Testing

/// `import --full-text`, `index --full-text`, `unindex --full-text` and `--search`.
@Suite struct FullTextCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let notes = """
    id,lat,lon,title,text,count
    1,47,8,Zürich,"The ferry leaves the old harbour",3
    2,47.1,8.1,Café,"A lighthouse, and no ferry's here",5
    3,10,20,Far,"Harbour lights at night",7
    4,11,21,,,9

    """

  private func store(_ options: String...) throws -> String {
    let file = try folder.write(Array(Self.notes.utf8), as: "notes.csv")
    let store = folder["notes.cairn"]
    let outcome = try Command.run(["import", store, file, "--quiet"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return store
  }

  private func ids(_ store: String, _ options: String...) throws -> [String] {
    let words = ["query", store, "notes", "--select", "id", "--sort", "id", "--format", "csv"]
    return Array(try Command.run(words + options).output.split(separator: "\n").dropFirst())
      .map(String.init)
  }

  @Test func anImportedIndexIsSearched() throws {
    let store = try store("--full-text", "text,title", "--key", "id")
    #expect(try ids(store, "--search", "harbour") == ["1", "3"])
    #expect(try ids(store, "--search", "HARBOUR -night") == ["1"])
    #expect(try ids(store, "--search", "-ferry") == ["1", "2", "3"], "titles have no such word")
    #expect(try ids(store, "--search", "cafe") == ["2"], "every indexed column is searched")
    #expect(try ids(store, "--search", "\"old harb*\"") == ["1"])
    #expect(try ids(store, "count > 3", "--search", "ferry") == ["2"])
    #expect(try ids(store, "--search", "ferry", "--near", "47,8", "--radius", "1km") == ["1"])
    #expect(try ids(store, "text TEXT 'light*'") == ["2", "3"])
    #expect(try Command.lines("count", store, "notes", "--search", "ferry") == ["2"])
    let schema = try Command.run("schema", store, "--json").output
    #expect(schema.contains("\"index\":\"full-text index\""))
    let plan = try Command.run("query", store, "notes", "text TEXT 'ferry'", "--explain").output
    #expect(plan.contains("full-text index of text, 2 candidates"))
    let deleted = try Command.run("delete", store, "notes", "--search", "night")
    #expect(deleted.code == 0 && deleted.errors.hasPrefix("1 row deleted"))
    #expect(try Command.run("verify", store).code == 0)
    #expect(try Command.run("compact", store, "--quiet").code == 0)
    #expect(try ids(store, "--search", "harbour") == ["1"])
    #expect(try Command.run("verify", store).code == 0)
  }

  @Test func theBestMatchesComeFirst() throws {
    let store = try store("--full-text", "text,title", "--key", "id")
    func ranked(_ options: String...) throws -> [String] {
      let words = ["query", store, "notes", "--select", "id", "--format", "csv"]
      return Array(try Command.run(words + options).output.split(separator: "\n").dropFirst())
        .map(String.init)
    }
    #expect(try ranked("--search", "harbour", "--sort", "rank") == ["3", "1"], "a shorter text")
    #expect(try ranked("--search", "harbour", "--sort", "rank:desc") == ["1", "3"])
    #expect(try ranked("--search", "harbour", "--sort", "rank", "-n", "1") == ["3"])
    let plan = try Command.run(
      "query", store, "notes", "--search", "ferry", "--sort", "rank", "--explain")
    #expect(plan.output.contains("order by relevance of title and text descending"))
    let lacking = try Command.run("query", store, "notes", "--sort", "rank")
    #expect(lacking.code == 64 && lacking.errors.contains("--sort rank needs --search"))
  }

  @Test func indexesAreAddedAndRemoved() throws {
    let store = try store()
    let none = try Command.run("query", store, "notes", "--search", "ferry")
    #expect(none.code == 65)
    #expect(
      none.errors.contains(
        "no column of 'notes' has a full-text index; make one with "
          + "'cairn index STORE notes title --full-text'"))
    #expect(try ids(store, "text TEXT 'ferry'") == ["1", "2"], "without an index")
    let added = try Command.run("index", store, "notes", "text", "--full-text")
    #expect(added.code == 0 && added.errors.hasPrefix("text indexed by word in notes"))
    #expect(try ids(store, "--search", "ferry") == ["1", "2"])
    let again = try Command.run("index", store, "notes", "text", "--full-text")
    #expect(again.code == 65 && again.errors.contains("'text' already has a full-text index"))
    let number = try Command.run("index", store, "notes", "count", "--full-text")
    #expect(number.code == 65 && number.errors.contains("'count' is not a column of texts"))
    #expect(try Command.run("index", store, "notes", "text", "--quiet").code == 0)
    #expect(
      try Command.run("schema", store, "--json").output.contains("\"index, full-text index\""))
    let removed = try Command.run("unindex", store, "notes", "text", "--full-text")
    #expect(removed.errors.hasPrefix("text left without a full-text index in notes"))
    let missing = try Command.run("unindex", store, "notes", "text", "--full-text")
    #expect(missing.code == 65 && missing.errors.contains("'text' has no full-text index"))
    #expect(try Command.run("verify", store).code == 0)
  }

  @Test func importsThatCannotHaveTheIndex() throws {
    let file = try folder.write(Array(Self.notes.utf8), as: "notes.csv")
    let store = folder["other.cairn"]
    let place = try Command.run("import", store, file, "--full-text", "location")
    #expect(place.code == 64 && place.errors.contains("a full-text index needs text"))
    let unknown = try Command.run("import", store, file, "--full-text", "texts")
    #expect(unknown.code == 64 && unknown.errors.contains("texts"))
    // Numbers become texts, because the user asked for their words.
    #expect(try Command.run("import", store, file, "--full-text", "count", "--quiet").code == 0)
    #expect(try Command.lines("count", store, "notes", "--search", "7") == ["1"])
    let late = try Command.run("import", store, file, "--full-text", "text")
    #expect(late.code == 64 && late.errors.contains("does not add a full-text index"))
  }
}
