import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// Help, manual pages and completions.
@Suite struct HelpTests {
  private static let commands = CairnTool.names

  @Test func theCommandsAreKnown() {
    #expect(Set(Self.commands).isSuperset(of: ["import", "query", "count", "stats", "schema"]))
    #expect(Set(Self.commands).isSuperset(of: ["export", "completions", "man"]))
  }

  /// The command can parse every example of its help.
  @Test(arguments: commands + [nil])
  func examplesCanBeParsed(command: String?) throws {
    let help = HelpText(
      try Command.run(
        [command, "--help"].compactMap { $0 }, environment: ["COLUMNS": "1000"]
      ).output)
    #expect(help.examples.count >= 2)
    for example in help.examples {
      let line = try #require(example.firstRange(of: "cairn ").map { example[$0.upperBound...] })
      let words = try Command.shell(
        "printf '%s\\n' \(line.prefix { !"|>".contains($0) || $0 == ">" && line.contains("\"") })")
      let arguments = words.lines
      #expect(throws: Never.self, "\(example)") { _ = try Shell.parse(arguments) }
    }
  }

  /// An example that is copied from a terminal of 80 columns must be complete.
  @Test(arguments: commands + [nil])
  func examplesFitOnOneLine(command: String?) throws {
    let help = try Command.run(
      [command, "--help"].compactMap { $0 }, environment: ["COLUMNS": "80"])
    let examples = help.lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
    #expect(examples.count >= 2 && examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test(arguments: commands)
  func theManualPageHasEveryOption(command: String) throws {
    let page = try Command.run("man", command).output
    let help = HelpText(
      try Command.run([command, "--help"], environment: ["COLUMNS": "10000"]).output)
    #expect(
      page.hasPrefix(".Dd ") && page.contains(".Sh EXIT STATUS") && page.contains(".Sh EXAMPLES"))
    #expect(help.options.count >= 1)
    for option in help.options {
      let name = try #require(option.term.firstMatch(of: /--([a-z-]+)/)).1.replacing(
        "-", with: "\\-")
      #expect(
        page.contains(".It Fl \\-\(name)") || page.contains(", Fl \\-\(name)"), "\(option.term)")
      #expect(!option.meaning.isEmpty)
    }
  }

  @Test(
    .enabled(if: Tool.isInstalled("mandoc"), "mandoc is not installed; the pages were not checked"),
    arguments: commands + [""])
  func theManualPageIsWellFormed(command: String) throws {
    let outcome = try Command.shell("cairn man \(command) | mandoc -T lint -W style")
    let complaints = outcome.lines.filter { !$0.contains("referenced manual not found") }
    #expect(complaints.isEmpty, "\(complaints)")
    let shown = try Command.shell("cairn man \(command) | mandoc -T ascii | col -b").output
    #expect(shown.contains("NAME") && shown.contains("cairn"))
  }

  @Test func bashCompletes() throws {
    let store = try SampleStores.placesStore()
    func offered(_ words: String...) throws -> Set<String> {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try Command.shell(
        """
        source <(cairn completions bash)
        COMP_WORDS=(\(line)); COMP_LINE="${COMP_WORDS[*]}"; COMP_CWORD=\(words.count - 1)
        COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        _cairn cairn "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """)
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      return Set(outcome.lines)
    }
    #expect(try offered("cairn", "qu") == ["query"])
    #expect(try offered("cairn", "query", store, "") == ["places"])
    #expect(try offered("cairn", "query", store, "places", "--sel") == ["--select"])
    #expect(
      try offered("cairn", "query", store, "places", "--format", "ma") == ["markdown", "map"])
    #expect(
      try offered("cairn", "query", store, "places", "--select", "id,po") == ["id,population"])
    #expect(try offered("cairn", "stats", store, "places", "--by", "ki") == ["kind"])
    // No column is offered twice, in one list or in two.
    #expect(try offered("cairn", "query", store, "places", "--select", "kind,k") == [""])
    #expect(
      try offered("cairn", "query", store, "places", "--select", "kind", "--select", "k") == [""])
    #expect(
      try offered("cairn", "stats", store, "places", "--of", "id", "--by", "i") == ["id"])
    // Directions, where bash splits the word at the colon, and the distance.
    #expect(
      try offered("cairn", "query", store, "places", "--sort", "po")
        == ["population", "population:desc"])
    #expect(
      try offered("cairn", "query", store, "places", "--sort", "population", ":", "d") == ["desc"])
    #expect(try offered("cairn", "query", store, "places", "--sort", "kind", ":", "desc,k") == [""])
    #expect(
      try offered("cairn", "query", store, "places", "--sort", "kind", ":", "desc,po")
        == ["desc,population", "desc,population:desc"])
    #expect(try offered("cairn", "query", store, "places", "--sort", "dis") == [""])
    #expect(
      try offered("cairn", "query", store, "places", "--near", "1,2", "--sort", "dis")
        == ["distance", "distance:desc"])
    #expect(
      try offered("cairn", "query", store, "places", "--near", "1,2", "--select", "dis") == [
        "distance"
      ])
    #expect(
      try offered("cairn", "query", store, "places", "--select", "location.l")
        == ["location.latitude", "location.longitude"])
    #expect(
      try offered("cairn", "query", store, "places", "--format", "=", "geoj") == [
        "geojson", "geojsonl",
      ])
    #expect(try offered("cairn", "stats", store, "places", "--of", "=", "po") == ["population"])
    // Files of data have columns too.
    let folder = try TemporaryFolder()
    let towns = try folder.file("towns.csv", "name,people,lat,lon\nA,5,47,8\n").path
    let figures = try folder.file("figures.jsonl", "{\"code\":1,\"share\":2.5}\n").path
    #expect(try offered("cairn", "query", towns, "--select", "pe") == ["people"])
    #expect(
      try offered("cairn", "query", towns, "--near", "1,2", "--sort", "pe")
        == ["people", "people:desc"])
    #expect(try offered("cairn", "stats", towns, "towns", "--of", "pe") == ["people"])
    #expect(try offered("cairn", "stats", figures, "--of", "sh") == ["share"])
    #expect(try offered("cairn", "query", folder.path, "") == ["figures", "towns"])
    #expect(try offered("cairn", "query", folder.path, "towns", "--select", "pe") == ["people"])
    #expect(try offered("cairn", "import", "s", "f", "--encoding", "koi") == ["koi8-r"])
    #expect(try offered("cairn", "import", "s", "f", "--delimiter", "se") == ["semicolon"])
    #expect(try offered("cairn", "count", "/nowhere/at/all", "") == [""])
  }

  /// The completions for the three shells. In zsh, an unescaped colon would start a description.
  @Test(arguments: ["bash", "zsh", "fish"])
  func everyShellIsOfferedNames(shell: String) throws {
    let store = try SampleStores.placesStore()
    func offered(_ option: String, _ words: String...) throws -> Set<String> {
      let line = ["cairn", "query", store, "places"] + words
      let outcome = try Command.run(
        ["---completion", "query", "--", option, "\(line.count - 1)", "\(words.last?.count ?? 0)"]
          + line, environment: ["SAP_SHELL": shell])
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      return Set(outcome.output.split(separator: "\n").map(String.init)).subtracting([" "])
    }
    let colon = shell == "zsh" ? "\\:" : ":"
    let keys = try offered("--sort", "--near", "1,2", "--sort", "id:desc,")
    #expect(
      keys.contains("id\(colon)desc,kind") && keys.contains("id\(colon)desc,kind\(colon)desc"))
    #expect(keys.contains("id\(colon)desc,distance\(colon)desc"), "\(keys)")
    #expect(!keys.contains { $0.hasSuffix(",id") || $0.hasSuffix(",id\(colon)desc") }, "\(keys)")
    let rest = try offered("--select", "--select", "id,name", "--select", "")
    #expect(rest.contains("kind") && rest.contains("location.wkt"))
    #expect(rest.isDisjoint(with: ["id", "name", "distance"]), "\(rest)")
    #expect(try offered("--distinct", "--distinct", "").contains("odd name, really"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsAreWellFormed(shell: String) throws {
    let script = try Command.run("completions", shell)
    #expect(script.code == 0 && script.output.contains("cairn"))
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "no bash on this machine"))
  func bashAcceptsTheCompletions() throws { try checkCompletions("bash") }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "no zsh on this machine"))
  func zshAcceptsTheCompletions() throws { try checkCompletions("zsh") }

  @Test(.enabled(if: Tool.isInstalled("fish"), "no fish on this machine"))
  func fishAcceptsTheCompletions() throws { try checkCompletions("fish") }

  private func checkCompletions(_ shell: String) throws {
    let script = try Command.run("completions", shell)
    let scratch = try TemporaryFolder()
    let file = try scratch.file("script", script.output)
    let outcome = try Command.shell("\(shell) -n \(file.path)")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "fish is not installed"))
  func fishCompletes() throws {
    let outcome = try Command.shell(
      "fish -c 'cairn completions fish | source; complete -C \"cairn qu\"'")
    #expect(
      outcome.lines.contains { $0.hasPrefix("query\t") }, "\(outcome.output) \(outcome.errors)")
  }

  @Test func helpTextIsParsed() {
    let help = HelpText(
      """
      OVERVIEW: Does it.

      More of
      it.

      EXAMPLES:
        cairn it "a: b"

      USAGE: cairn it [<options>] <store> ...

      ARGUMENTS:
        <store>                 The store.

      A GROUP:
        --in-group              Is one of it.

      OPTIONS:
        --sort <key[:desc],...> The order.
        -v, --verbose           Say more. (default: 0)
        --a-very-long-option-indeed <value>
                                What it means.

      """)
    #expect(help.abstract == "Does it." && help.discussion == ["More of it."])
    #expect(
      help.examples == ["cairn it \"a: b\""] && help.usage == "cairn it [<options>] <store> ...")
    #expect(help.arguments.map(\.term) == ["<store>"])
    #expect(
      help.options.map(\.term) == [
        "--in-group", "--sort <key[:desc],...>", "-v, --verbose",
        "--a-very-long-option-indeed <value>",
      ])
    #expect(
      help.options.map(\.meaning) == [
        "Is one of it.", "The order.", "Say more. (default: 0)", "What it means.",
      ])
  }
}
