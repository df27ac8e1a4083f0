import ArgumentParser
import CairnIO
import CairnPostgres
import CairnRequest
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
          cairn schema survey.gpkg
        """)
  }

  @Argument(
    help: "The store, or a file or folder of data, such as cities.csv.", completion: .file())
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
    let listing = try listing()
    let target = try OutputTarget(nil)
    if json { target.sink.append(listing.json) } else { try listing.write(to: target) }
    try target.finish()
  }
}

extension SchemaCommand {
  /// The listing of `STORE`, `STORE:CLASS`, `FILE`, `FILE:LAYER` or `FOLDER`.
  private func listing() throws -> SchemaListing {
    if let file = DataFile(store) {
      return try SchemaListing(DataStores.open(file), path: store, of: className)
    }
    let parts = DataFile.split(store)
    let path = parts?.path ?? store
    return try SchemaListing(
      OpenedClass.open(path, untrusted: checking.untrusted), path: path,
      of: className ?? parts?.name)
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

/// `cairn compact STORE [--wait TIME] [--online]`
struct CompactCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compact",
      abstract: "Rewrite a store without deleted rows, in spatial order.",
      discussion: """
        The new file is written next to the old one, checked, and then replaces it
        atomically; until then nothing is changed. Damaged indexes are rebuilt.

        No other process may have the store open, unless --wait or --online is given.
        With --wait, commands that start meanwhile wait, and those that run get the
        time to finish. With --online, readers go on with the old file, and writers
        wait; a server moves to the new file.

        EXAMPLES:
          cairn compact world.cairn
          cairn compact world.cairn --wait 30s
          cairn compact world.cairn --online --quiet
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "Wait this long for others to close the store, as in 30s or 5m.", valueName: "time"))
  var wait: Duration?

  @Flag(help: "Compact while others use the store.")
  var online = false

  @Flag(help: "Do not print a summary.")
  var quiet = false

  func validate() throws {
    if online, wait != nil {
      throw ValidationError("--online does not wait until others close the store; leave out --wait")
    }
  }

  func run() throws {
    CrashGuard.watch(store)
    let summary = online ? try Store.compactOnline(store) : try compactAlone()
    if !quiet { Console.printMessage(CompactionReport(summary, of: store).text) }
  }

  private func compactAlone() throws -> CompactionSummary {
    do { return try Store.compact(store, waitingFor: wait?.seconds ?? 0) } catch {
      guard error.kind == .inUse, wait == nil else { throw error }
      throw Failure(
        .io,
        message: "\(error.message), or give it time with --wait 30s, or compact it with --online")
    }
  }
}

extension CompactCommand {
  /// A length of time with a unit; seconds without one.
  struct Duration: ExpressibleByArgument {
    let seconds: Double

    private static let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("s", 1), ("min", 60), ("m", 60), ("h", 3600), ("", 1),
    ]

    init?(argument text: String) {
      for unit in Self.units where text.hasSuffix(unit.suffix) {
        guard let number = Double(text.dropLast(unit.suffix.count)) else { continue }
        guard number >= 0, number.isFinite else { return nil }
        seconds = number * unit.seconds
        return
      }
      return nil
    }
  }
}
