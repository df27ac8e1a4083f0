import ArgumentParser
import CairnIO
import CairnPostgres
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// `cairn push STORE CLASS ADDRESS`
struct PushCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "push",
      abstract: "Copy a class to a table of PostgreSQL, all or nothing.",
      discussion: """
        The table gets the types, the primary key and the indexes of the class. If it
        exists, rows with the same primary key are replaced, and others are added.

        With --partitions, rows that are close to each other are in the same partition,
        and a query skips the partitions that it does not meet. With --server, the
        partitions are on these servers, which the database reads.

        EXAMPLES:
          cairn push world.cairn cities postgres://db.example.com/world
          cairn push world.cairn cities postgres:///world --table staging.cities
          cairn push world.cairn cities postgres:///world --replace
          cairn push world.cairn cities postgres:///world --partitions 16
          cairn push world.cairn cities postgres:///world --server postgres://b.org/w
        """)
  }

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class; 'cairn schema' lists them.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String

  @Argument(help: "The database, as in postgres://user@host/database.")
  var address: String

  @Option(
    help: ArgumentHelp(
      "The table, perhaps with its schema (default: the name of the class).", valueName: "name"))
  var table: String?

  @Option(
    help: ArgumentHelp("The columns to copy (default: all).", valueName: "col,..."))
  var select: [String] = []

  @Flag(help: "Replace an existing table instead of the rows with the same primary key.")
  var replace = false

  @Option(
    help: ArgumentHelp(
      "Divide the table into partitions (with --server, default: 4 for each server).",
      valueName: "n"))
  var partitions: Int?

  @Option(
    help: ArgumentHelp(
      "A server that keeps partitions. May be repeated.", valueName: "address"))
  var server: [String] = []

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    if table == "" { throw ValidationError("--table must not be empty") }
    if let partitions, !(1...Partitioning.maxCount).contains(partitions) {
      throw ValidationError("--partitions must be between 1 and \(Partitioning.maxCount)")
    }
  }

  private func partitioning() throws -> Partitioning? {
    guard partitions != nil || !server.isEmpty else { return nil }
    return try Partitioning(count: partitions, servers: server.map(DatabaseArgument.address))
  }

  func run() throws {
    let start = MonotonicClock.seconds
    let address = try DatabaseArgument.address(address)
    let partitioning = try partitioning()
    let source = try OpenedClass(
      OpenedClass.open(store, untrusted: false), className: className)
    let columns = try ColumnList.columns(select, of: source.schema, option: "--select")
    let connection = try PostgresConnection(address)
    let progress = progressOptions.reporter()
    let push = try PostgresPush(
      source.table, of: source.snapshot, columns: columns.isEmpty ? nil : columns, to: connection,
      name: table, existing: replace ? .replace : .merge, partitioning: partitioning)
    defer { progress.clear() }
    let summary = try push.run { progress.show(WorkProgress(phase: "sending", rows: $0)) }
    progress.clear()
    if summary.roundedDates > 0 {
      Console.printMessage(
        "Note: \(Quantity.counted(summary.roundedDates, noun: "date")) rounded to microseconds.")
    }
    for table in summary.leftovers {
      Console.printMessage("Note: a partition of an earlier push remains: \(table)")
    }
    let name = table ?? className
    progress.finish(
      TransferReport.summary(
        rows: summary.rows,
        verb: summary.isMerged
          ? "merged into"
          : "copied to"
            + (summary.partitions > 0
              ? " \(Quantity.counted(summary.partitions, noun: "partition")) of" : ""),
        target: "\(name) of \(address)", bytes: summary.bytes, since: start))
  }
}

/// The argument of a command that is the address of a database.
enum DatabaseArgument {
  /// - Throws: A usage failure if the text is not a URL of PostgreSQL.
  static func address(_ text: String) throws -> PostgresAddress {
    guard PostgresAddress.isURL(text) else {
      throw Failure(
        .usage,
        message: "'\(text)' is not an address of a database; expected postgres://host/database")
    }
    return PostgresAddress(text)
  }
}

/// The summary of a copy between a store and a database.
enum TransferReport {
  /// - Parameters:
  ///   - verb: The beginning of the fate of the rows, such as `copied to`.
  ///   - leftOut: The rows that were left out; nil for a copy that leaves out none.
  ///   - notes: Notes on the copy.
  static func summary(
    rows: Int, verb: String, target: String, bytes: Int? = nil, leftOut: LeftOutReport? = nil,
    notes: [String] = [], since start: Double
  ) -> WorkSummary {
    let seconds = MonotonicClock.seconds - start
    let size = bytes.map { ", \(Quantity.bytes($0))" } ?? ""
    let without =
      leftOut.map { $0.count > 0 ? ", \(Quantity.grouped($0.count)) left out" : "" } ?? ""
    let line =
      "\(Quantity.counted(rows, noun: "row")) \(verb) \(target)\(without)\(size) in \(Quantity.seconds(seconds))"
    var members: [(key: String, value: String)] = [("rows", "\(rows)")]
    if let bytes { members.append(("bytes", "\(bytes)")) }
    if let leftOut {
      let list = notes.map(JSONBuilder.string).joined(separator: ",")
      members += leftOut.members + [("notes", "[\(list)]")]
    }
    members.append(("seconds", "\((seconds * 1000).rounded() / 1000)"))
    let lines = notes.map { "note: \($0)" } + (leftOut?.lines ?? []) + [line]
    return WorkSummary(
      text: lines.map { PrintableText.escaped($0) }.joined(separator: "\n"), members: members)
  }
}
