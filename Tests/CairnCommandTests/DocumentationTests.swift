import Foundation
import Testing

/// The documents say what the command does.
@Suite struct DocumentationTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Command.root.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(arguments: ["import", "query", "count", "stats", "schema", "export", "verify"])
  func everyOptionIsInTheManual(command: String) throws {
    let manual = try Self.text("docs/shell.md")
    #expect(manual.contains("\n## \(command)\n"))
    let help = try Command.run(command, "--help").output
    let options = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
    for option in options where option != "--help" {
      #expect(
        manual.contains("\(option) ") || manual.contains("\(option)`"), "\(option) of \(command)")
    }
  }

  /// Every block marked `sh`, in order, in one folder where `data/` is.
  @Test(arguments: ["README.md", "docs/shell.md"])
  func everyExampleRuns(document: String) throws {
    let scratch = try Scratch()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("data"),
      withDestinationURL: Command.root.appendingPathComponent("data"))
    let blocks = try Self.text(document).matches(of: /```sh\n((?:.|\n)*?)```/).map { $0.1 }
    #expect(!blocks.isEmpty)
    for line in blocks.joined().split(separator: "\n") {
      let outcome = try Command.shell(String(line), in: scratch.url)
      #expect(outcome.code == 0, "\(line): \(outcome.errors)")
    }
  }
}
