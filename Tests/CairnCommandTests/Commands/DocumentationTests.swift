import CairnIO
import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The documents agree with the command.
@Suite struct DocumentationTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(name), encoding: .utf8)
  }

  /// The pages of the manual, in the order in which their examples run.
  private static let pages =
    [
      "import", "query", "join", "stats", "shapes", "export", "files", "databases", "change",
      "watch", "maintenance",
    ].map { "docs/shell/\($0).md" } + ["docs/shell.md"]

  /// The pages of the manual as one text.
  private static func manual() throws -> String {
    try pages.map(text).joined(separator: "\n")
  }

  /// The manual's chapter of that name.
  private static func chapter(_ name: String) throws -> String {
    let manual = try manual()
    let start = try #require(manual.firstRange(of: "\n## \(name)\n"), "no chapter '\(name)'")
    let rest = manual[start.upperBound...]
    return String(rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)])
  }

  @Test func everyCommandIsInTheManual() throws {
    let listed = try Command.run(["--help"], environment: ["COLUMNS": "200"]).lines
      .drop { !$0.hasPrefix("SUBCOMMANDS") }.dropFirst()
      .compactMap { $0.prefixMatch(of: #/  ([a-z]+) /#).map { String($0.1) } }
    #expect(listed == CairnTool.names)
    let table = try Self.text("docs/shell.md")
    for command in listed {
      let page = try Self.pages.first { try Self.text($0).contains("\n## \(command)\n") }
      let link = page.map { $0 == "docs/shell.md" ? "" : String($0.dropFirst("docs/".count)) }
      #expect(table.contains("| [`\(command)`](\(link ?? "no page")#\(command)) |"), "\(command)")
      #expect(!(try Self.chapter(command)).isEmpty)
    }
  }

  /// Every page of the manual is tested, and a link leads to a page and a heading that exist.
  @Test func linksLeadSomewhere() throws {
    let folder = Repository.root.appendingPathComponent("docs/shell").path
    let found = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(found.map { "docs/shell/\($0)" } + ["docs/shell.md"]) == Set(Self.pages))
    let others =
      ["README.md", "CONTRIBUTING.md"]
      + ["cookbook", "predicates", "serve", "sql", "scale", "testing", "other-tools"]
      .map { "docs/\($0).md" }
    for page in Self.pages + others {
      let own = Repository.root.appendingPathComponent(page)
      for link in try Self.text(page).matches(of: /\]\(([^)\s:]+)\)/) {
        let parts = link.1.split(separator: "#", omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty
          ? own : own.deletingLastPathComponent().appendingPathComponent(String(parts[0]))
        guard let text = try? String(contentsOf: target.standardized, encoding: .utf8) else {
          #expect(
            FileManager.default.fileExists(atPath: target.standardized.path), "\(page): \(link.1)")
          continue
        }
        guard parts.count > 1 else { continue }
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
        #expect(headings.contains(String(parts[1])), "\(page): \(link.1)")
      }
    }
  }

  /// The anchor of a heading: its letters, digits, hyphens and blanks, which become hyphens.
  private static func anchor(_ heading: Substring) -> String {
    heading.drop { $0 == "#" }.dropFirst().lowercased()
      .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
  }

  @Test(arguments: CairnTool.names)
  func everyOptionIsInTheManual(command: String) throws {
    let manual = try Self.manual()
    let help = try Command.run(command, "--help").output
    let options = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
    for option in options where option != "--help" {
      #expect(
        manual.contains("\(option) ") || manual.contains("\(option)`"), "\(option) of \(command)")
    }
  }

  /// The values of options are `csv`, `planar`, `replace` and so on.
  @Test(arguments: CairnTool.names)
  func everyValueOfAnOptionIsInTheManual(command: String) throws {
    let manual = try Self.manual()
    let help = try Command.run([command, "--help"], environment: ["COLUMNS": "1000"]).output
    for list in help.matches(of: /\(values: ([^;)]*)/) {
      for value in list.1.split(separator: ", ") {
        let pattern = try Regex("[`|\\\\ ]\(value)[`|\\\\ ]")
        #expect(manual.contains(pattern), "\(value) of \(command)")
      }
    }
  }

  @Test func everyFormatIsInTheManual() throws {
    let chapter = try Self.chapter("query")
    for format in OutputFormat.allCases {
      #expect(chapter.contains("| `\(format.rawValue)` |"), "\(format)")
    }
    let fileExtensions = chapter.matches(of: /`((?:\.[a-z]+ ?)+)` \|/).flatMap {
      $0.1.split(separator: " ")
    }
    #expect(fileExtensions.count > 12)
    for fileExtension in fileExtensions {
      #expect(OutputFormat(extensionOf: "file\(fileExtension)") != nil, "\(fileExtension)")
    }
  }

  /// Runs every block marked `sh`, in order, in one folder that contains `data/`. A block marked
  /// `text` is the output of the line before it.
  @Test(arguments: [
    ["README.md"], pages, ["docs/cookbook.md"],
    ["Sources/Cairn/Cairn.docc/Tutorials/AnalysingAFile.md"],
  ])
  func everyExampleRuns(documents: [String]) throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("data"),
      withDestinationURL: Repository.root.appendingPathComponent("data"))
    let text = try documents.map(Self.text).joined(separator: "\n")
    let blocks = text.matches(of: /```(sh|text)\n((?:.|\n)*?)```/)
    #expect(!blocks.isEmpty)
    var output = ""
    for block in blocks {
      if block.1 == "text" {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map { $0.replacing(/[ ]+$/, with: "") }.joined(separator: "\n")
        #expect(trimmed == block.2, "\(documents)")
        continue
      }
      for line in block.2.split(separator: "\n") {
        let outcome = try Command.shell(String(line), in: scratch.url)
        #expect(outcome.code == 0, "\(line): \(outcome.errors)")
        output = outcome.output
      }
    }
  }

  @Test func theCookbookHasThirtyRecipes() throws {
    let recipes = try Self.text("docs/cookbook.md").split(separator: "\n### ").dropFirst()
    #expect(recipes.map { $0.prefix { $0 != "." } } == (1...30).map { "\($0)" })
    for recipe in recipes {
      #expect(recipe.contains("```sh\n"), "\(recipe.prefix(40))")
      #expect(recipe.contains(/pandas|PostGIS|PostgreSQL|DuckDB|Excel|jq/), "the other tool")
    }
  }
}
