import CairnFormats
import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The documents agree with the command.
@Suite struct DocumentationTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(name), encoding: .utf8)
  }

  /// The manual's chapter of that name.
  private static func chapter(_ name: String) throws -> String {
    let manual = try text("docs/shell.md")
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
      #expect(table.contains("| [`\(command)`](#\(command)) |"), "\(command)")
      #expect(!(try Self.chapter(command)).isEmpty)
    }
  }

  @Test(arguments: CairnTool.names)
  func everyOptionIsInTheManual(command: String) throws {
    let manual = try Self.text("docs/shell.md")
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
    let manual = try Self.text("docs/shell.md")
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
    "README.md", "docs/shell.md", "docs/cookbook.md",
    "Sources/Cairn/Cairn.docc/Tutorials/AnalysingAFile.md",
  ])
  func everyExampleRuns(document: String) throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("data"),
      withDestinationURL: Repository.root.appendingPathComponent("data"))
    let blocks = try Self.text(document).matches(of: /```(sh|text)\n((?:.|\n)*?)```/)
    #expect(!blocks.isEmpty)
    var output = ""
    for block in blocks {
      if block.1 == "text" {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        let trimmed = lines.map { $0.replacing(/[ ]+$/, with: "") }.joined(separator: "\n")
        #expect(trimmed == block.2, "\(document)")
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
