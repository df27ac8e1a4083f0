import CairnTestSupport
import Foundation
import Testing

/// Imports into a class whose properties differ from those of the file.
@Suite struct WideningInputTests {
  private let scratch: TemporaryFolder
  private var store: String { scratch["s.cairn"] }

  /// Five thousand rows in more than one chunk, then some of wider types.
  init() throws {
    scratch = try TemporaryFolder()
    let rows = (1...5000).map { "\($0),\($0 % 80),\($0 % 170),\($0 % 50)\n" }.joined()
    try scratch.file("towns.csv", "id,lat,lon,size\n" + rows)
    try scratch.file(
      "wide.csv", "id,lat,lon,size,note\n6001,1,1,0.5,first\n6002,2,2,7,\n6003,3,3,,second\n")
    _ = try Command.lines(
      "import", store, scratch["towns.csv"], "--key", "id", "--index", "size", "--quiet")
  }

  private func add(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(["import", store, scratch["wide.csv"], "--class", "towns"] + arguments)
  }

  @Test func wideningIsReportedAndDone() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let dry = try add("--dry-run")
    #expect(dry.code == 0, "\(dry.errors)")
    #expect(
      dry.errors.hasPrefix(
        "would be widened: towns.size: int -> double\nwould be widened: towns.note: new, string?\n"),
      "\(dry.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    let done = try add()
    #expect(
      done.errors.hasPrefix(
        "widened: towns.size: int -> double\nwidened: towns.note: new, string?\n"),
      "\(done.errors)")
    #expect(try Command.lines("count", store, "towns") == ["5003"])
    #expect(try Command.lines("count", store, "towns", "note == nil") == ["5001"])
    #expect(try Command.lines("count", store, "towns", "size == 7") == ["101"])
    #expect(
      try Command.lines(
        "query", store, "towns", "note != nil", "--sort", "note", "--format", "csv")
        == [
          "id,latitude,longitude,size,note", "6001,1.0,1.0,0.5,first", "6003,3.0,3.0,,second",
        ])
    let indexed = try Command.lines("query", store, "towns", "size == 0.5", "--explain")
    #expect(indexed.contains { $0.contains("value index of size") }, "\(indexed)")
    let explained = try Command.lines("query", store, "towns", "note == 'first'", "--explain")
    #expect(explained.contains("matches     1"), "\(explained)")
    let schema = try Command.lines("schema", store)
    #expect(schema.contains { $0.hasPrefix("note ") && $0.contains("5001") }, "\(schema)")
    #expect(schema.contains { $0.hasPrefix("size ") && $0.contains("double?") }, "\(schema)")
    let before = try Command.lines("query", store, "towns", "--sort", "id", "--format", "csv")
    _ = try Command.lines("verify", store)
    _ = try Command.lines("compact", store, "--quiet")
    _ = try Command.lines("verify", store)
    #expect(try Command.lines("query", store, "towns", "--sort", "id", "--format", "csv") == before)
  }

  @Test func jsonReportsWidening() throws {
    let outcome = try add("--progress", "json")
    let last = try #require(outcome.errors.split(separator: "\n").last)
    let done = try #require(
      try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    #expect(done["widened"] as? [String] == ["size: int -> double", "note: new, string?"])
  }

  @Test func incompatibleValuesAreRefused() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    try scratch.file("wide.csv", "id,lat,lon,size\n6001,1,1,4\n6002,2,2,big\n")
    let refused = try add()
    #expect(refused.code == 65)
    for word in [
      "the class towns: `size` is of type int, but the file has", "wide.csv:3: `size` is `big`",
      "`--type size=int --on-error skip` leaves such rows out", "`--type size=text`",
    ] { #expect(refused.errors.contains(word), "\(refused.errors)") }
    #expect(try add("--dry-run").code == 65)
    // Types are checked against the exact text, including spaces.
    try scratch.file("spaced.csv", "id,lat,lon,size\n6001,1,1, 4\n")
    for type in [[], ["--type", "size=int"]] {
      let spaced = try Command.run(
        ["import", store, scratch["spaced.csv"], "--class", "towns"] + type)
      #expect(
        spaced.code == 65 && spaced.errors.contains("spaced.csv:2: `size` is ` 4`"),
        "\(spaced.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    #expect(try add("--type", "size=bool").code == 64)
    #expect(try add("--type", "id=text").code == 64)
    #expect(try add("--type", "size=int", "--on-error", "skip").code == 0)
    #expect(try Command.lines("count", store, "towns") == ["5001"])
    let text = try add("--type", "size=text", "--on-conflict", "skip", "--key", "id")
    #expect(text.code == 0 && text.errors.contains("towns.size: int -> string"), "\(text.errors)")
    #expect(try Command.lines("count", store, "towns", "size == '4'") == ["101"])
    #expect(try Command.lines("count", store, "towns", "size == 'big'") == ["1"])
    _ = try Command.lines("verify", store)
  }
}
