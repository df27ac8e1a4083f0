import ArgumentParser
import CairnFormats
import CairnPostgres
import CairnStorage

/// `cairn schema STORE [CLASS] [--json] [--untrusted]`
struct SchemaCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schema",
      abstract:
        "Show the classes of a store: properties, types, ranges, indexes and sizes.",
      discussion: """
        A ? after a type means that the property may be null.

        EXAMPLES:
          cairn schema world.cairn
          cairn schema world.cairn cities
          cairn schema world.cairn --json
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("Show only this class.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var checking: CheckingOptions

  func run() throws {
    if PostgresAddress.isURL(store) {
      return try RemoteListing(store, of: className).write(asJSON: json)
    }
    let listing = try SchemaListing(
      try OpenedClass.open(store, untrusted: checking.untrusted), of: className)
    let target = try OutputTarget(nil)
    if json { target.sink.append(listing.json) } else { try listing.write(to: target) }
    try target.finish()
  }
}

/// `cairn verify STORE [--json]`
struct VerifyCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: "Check a store for damage; report what is damaged, where, and the remedy.",
      discussion: """
        Pages, checksums, bounds, indexes, R-trees, links and owners are
        cross-checked. The store is not modified. The exit code is 74 if anything is
        damaged.

        EXAMPLES:
          cairn verify world.cairn
          cairn verify world.cairn --json
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let report = try Store.verify(store)
    let listing = IntegrityListing(report)
    try OutputTarget.print(json ? listing.json : listing.text)
    guard report.isSound else {
      throw Failure(
        .io, message: "\(store) is damaged\(report.shellAdvice.map { ": \($0)" } ?? "")")
    }
  }
}

/// `cairn compact STORE`
struct CompactCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compact",
      abstract: "Rewrite a store without deleted rows, in spatial order.",
      discussion: """
        No other process may have the store open. The new file is written next to
        the old one, checked, and then replaces it atomically; until then nothing is
        changed. Damaged indexes are rebuilt.

        EXAMPLES:
          cairn compact world.cairn
          cairn compact world.cairn --quiet && cairn verify world.cairn
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Do not print a summary.")
  var quiet = false

  func run() throws {
    CrashGuard.watch(store)
    let summary = try Store.compact(store)
    if !quiet { Console.printMessage(CompactionReport(summary, of: store).text) }
  }
}
