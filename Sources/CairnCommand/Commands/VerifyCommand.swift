import ArgumentParser
import CairnStorage

/// `cairn verify STORE [--json]`
struct VerifyCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: "Check everything in a store; say what is damaged, where, and what to do.",
      discussion: """
        Pages, checksums, bounds, indexes, R-trees, links and owners are held against one
        another. Nothing is changed. The exit code is 74 when something is damaged.

        EXAMPLES:
          cairn verify world.cairn
          cairn verify world.cairn --json
        """)
  }

  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    let report = try Store.verify(store)
    let listing = IntegrityListing(report)
    try OutputTarget.print(json ? listing.json : listing.text)
    guard report.isSound else {
      throw Failure(
        .io, "\(store) is damaged\(report.advice.map { ": \($0)" } ?? "")")
    }
  }
}
