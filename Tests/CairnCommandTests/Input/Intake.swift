import CairnTestSupport
import Foundation
import Testing

/// The result of `cairn import` of a file, read with `cairn query`.
struct Intake {
  let outcome: Command.Outcome
  /// The rows as CSV, sorted by `id` if there is one; empty if the import failed.
  let lines: [String]

  init(_ text: String, as name: String = "f.csv", _ options: [String] = []) throws {
    try self.init(bytes: Data(text.utf8), as: name, options)
  }

  init(bytes: Data, as name: String = "f.csv", _ options: [String] = []) throws {
    let scratch = try TemporaryFolder()
    let file = scratch.url.appendingPathComponent(name)
    try bytes.write(to: file)
    let store = scratch["s.cairn"]
    outcome = try Command.run(["import", store, file.path, "--class", "f"] + options)
    guard outcome.code == 0 else {
      lines = []
      #expect(!scratch.exists("s.cairn"), "a failed import removes the store that it created")
      return
    }
    let header =
      try Command.lines("query", store, "f", "--limit", "1", "--format", "csv").first ?? ""
    let hasId = header.split(separator: ",").contains("id")
    let order = hasId ? ["--sort", "id"] : []
    let listed = try Command.run(["query", store, "f", "--format", "csv"] + order)
    #expect(listed.code == 0, "\(listed.errors)")
    lines = listed.lines
  }

  /// Expects these rows.
  func expect(_ rows: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(lines == rows, "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// Expects exit code 65, and a message with these parts.
  func expectRefusal(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.code == 65, "\(outcome.errors)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(
        outcome.errors.contains(part), "no `\(part)` in \(outcome.errors)",
        sourceLocation: sourceLocation)
    }
  }
}
