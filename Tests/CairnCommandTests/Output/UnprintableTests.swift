import CairnTestSupport
import Foundation
import Testing

/// Control characters and bidirectional overrides in names, values and arguments never reach a
/// terminal.
@Suite struct UnprintableTests {
  private static let unsafe: Set<UInt32> = Set(
    Array(0x00...0x1F) + Array(0x7F...0x9F) + Array(0x2028...0x202E) + Array(0x2066...0x2069))

  /// A colour escape, a C1 control that clears the screen, an override, and a line break in the
  /// middle.
  private static let evil = "a\u{1B}[31mb\u{9B}2Jc\u{202E}d\ne"
  private static let shown = #"a\u{1b}[31mb\u{9b}2Jc\u{202e}d\ne"#

  private static func unsafeCharacters(_ text: String, lines: Bool = true) -> [String] {
    text.unicodeScalars.filter { unsafe.contains($0.value) && !(lines && $0 == "\n") }
      .map { "U+" + String($0.value, radix: 16) }
  }

  /// A store with a class, a column and a value of that name.
  private static func store(_ scratch: TemporaryFolder) throws -> String {
    let file = try scratch.file("e.csv", "id,lat,lon,\"\(evil)\"\n1,1,2,\"\(evil)\"\n2,3,4,x\n")
    let outcome = try Command.run("import", scratch["s"], file.path, "--class", evil, "--key", "id")
    #expect(outcome.code == 0 && unsafeCharacters(outcome.errors).isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains("imported into " + shown), "\(outcome.errors)")
    return scratch["s"]
  }

  @Test(arguments: [
    ["query", "S", evil], ["query", "S", evil, "--format", "markdown"], ["schema", "S"],
    ["schema", "S", evil], ["stats", "S", evil, "--of", evil],
    ["stats", "S", evil, "--of", evil, "--histogram"],
    ["stats", "S", evil, "--of", "id", "--by", evil, "--histogram"], ["verify", "S"],
    ["query", "S", evil, "--format", "svg"], ["query", "S", evil, "--format", "html"],
    ["query", "S", evil, "--explain"], ["query", "S", evil, "--format", "map"],
    ["import", "S", "F", "--class", evil, "--dry-run"],
  ])
  func outputForPeople(line: [String]) throws {
    let scratch = try TemporaryFolder()
    let store = try Self.store(scratch)
    let outcome = try Command.run(
      line.map { $0 == "S" ? store : $0 == "F" ? scratch["e.csv"] : $0 })
    #expect(outcome.code == 0, "\(outcome.errors)")
    let rows = outcome.output.replacing("\t", with: "")
    #expect(Self.unsafeCharacters(rows).isEmpty, "\(line): \(Self.unsafeCharacters(rows))")
    #expect(Self.unsafeCharacters(outcome.errors).isEmpty, "\(outcome.errors)")
  }

  @Test(arguments: [
    ["query", "S", "no\u{1B}class\u{9B}\n"], ["query", "\u{1B}[2J\u{202E}.cairn", "x"],
    ["query", "S", "e", "--select", "\u{1B}x\n"], ["query", "S", "e", "na\u{1B}me == 5"],
    ["query", "S", "e", "name == '\u{9B}' AND"], ["query", "S", "e", "--\u{1B}x"],
    ["query", "S", "e", "--near", "\u{1B}1"], ["query", "S", "e", "--within", "\u{1B}1"],
    ["query", "S", "e", "--output", "\u{1B}1.csv\u{202E}x"], ["\u{1B}x"], ["man", "\u{1B}x"],
    ["query", "S", "e", "--format", "\u{1B}"],
    ["query", "S", "e", "--limit", "1", "--limit", "\u{1B}"],
    ["query", "S", "e", "--within", "POLYGON ((1 2, \u{1B} 3))"], ["query", "S", "e", "@\u{1B}"],
    ["import", "S", "\u{1B}.csv"], ["import", "S", "F", "--lat", "\u{1B}", "--lon", "\u{9B}"],
    ["import", "S", "F", "--class", "z", "--key", "\u{1B}\n"], ["compact", "\u{1B}"],
    ["verify", "\u{202E}"],
    ["query", "S", "e", "--crs", "\u{1B}"], ["schema", "S", "\u{1B}"],
    ["import", "S", "F", "--type", "a=\u{1B}"], ["import", "S", "F", "--encoding", "\u{1B}"],
    ["completions", "\u{1B}"],
  ])
  func messages(line: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("e.csv", "id,name,lat,lon\n1,a,1,2\n").path
    #expect(try Command.run("import", scratch["s"], file, "--class", "e").code == 0)
    let words = line.map { $0 == "S" ? scratch["s"] : $0 == "F" ? file : $0 }
    let outcome = try Command.run(words)
    #expect(outcome.code >= 64, "\(line)")
    #expect(Self.unsafeCharacters(outcome.errors).isEmpty, "\(line): \(outcome.errors)")
    #expect(outcome.errors.contains("\\u{"), "\(line): \(outcome.errors)")
  }

  /// A value that cannot be stored is shown in the message of an import, and in the progress for programs.
  @Test(arguments: ["auto", "json"])
  func importsShowNoControls(progress: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("e.csv", "id,lat,lon\n1,\u{1B}[31m\u{9B},2\n2,1,2\n").path
    let failed = try Command.run("import", scratch["s"], file, "--lat", "lat", "--lon", "lon")
    #expect(failed.code == 65 && Self.unsafeCharacters(failed.errors).isEmpty, "\(failed.errors)")
    let outcome = try Command.run(
      "import", scratch["s"], file, "--lat", "lat", "--lon", "lon", "--on-error", "skip",
      "--progress",
      progress, "--class", Self.evil)
    #expect(outcome.code == 0 && Self.unsafeCharacters(outcome.errors).isEmpty, "\(outcome.errors)")
    guard progress == "json" else { return }
    let line = try #require(outcome.errors.split(separator: "\n").last)
    let done = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(done?["class"] as? String == Self.evil)
  }

  /// Formats for programs contain the text unchanged.
  @Test func dataIsUnchanged() throws {
    let scratch = try TemporaryFolder()
    let store = try Self.store(scratch)
    let csv = try Command.run(
      "query", store, Self.evil, "id == 1", "--select", Self.evil, "--format", "csv")
    #expect(csv.output == "\"\(Self.evil)\"\n\"\(Self.evil)\"\n")
    let json = try Command.run("query", store, Self.evil, "id == 1", "--format", "json").output
    let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(rows?.first?[Self.evil] as? String == Self.evil)
    let schema = try Command.run("schema", store, "--json").output
    let classes = try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any]
    let names = (classes?["classes"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == [Self.evil] && Self.unsafeCharacters(schema).isEmpty)
  }

  /// Names that are not UTF-8 are escaped into valid UTF-8.
  @Test(arguments: [
    #"cairn query $'caf\xe9.cairn' x"#, #"cairn import s.cairn $'caf\xe9.csv'"#,
    #"cairn count s.cairn c --within $'\xff.geojson'"#, #"cairn verify $'\xfe'"#,
    #"cairn count s.cairn $'c\xe9' "#, #"cairn export s.cairn c --output $'\xe9/x.csv'"#,
  ])
  func namesThatAreNotUTF8(line: String) throws {
    let scratch = try TemporaryFolder()
    try scratch.file("c.csv", "lat,lon\n1,2\n")
    let outcome = try Command.shell(
      "cairn import s.cairn c.csv --quiet && \(line) 2> errors; code=$?; iconv -f utf-8 -t utf-8 errors >&2 || exit 99; exit $code",
      in: scratch.url)
    #expect([64, 65, 66, 74].contains(outcome.code), "\(outcome.code): \(outcome.errors)")
    #expect(
      outcome.errors.split(separator: "\n").first?.hasPrefix("Error: ") == true, "\(outcome.errors)"
    )
  }
}
