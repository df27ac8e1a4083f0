import ArgumentParser
import CairnIO
import CairnPostgres
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// `cairn pull ADDRESS TABLE STORE`
struct PullCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "pull",
      abstract: "Copy a table of PostgreSQL into a class, all or nothing.",
      discussion: """
        The store is created if it does not exist. If the class exists, rows with the
        same primary key are replaced, and others are added.

        EXAMPLES:
          cairn pull postgres://db.example.com/world cities world.cairn
          cairn pull postgres:///world staging.cities world.cairn --class cities
          cairn pull postgres:///world cities world.cairn --on-error skip
        """)
  }

  @Argument(help: "The database, as in postgres://user@host/database.")
  var address: String

  @Argument(
    help: ArgumentHelp("The table or view; 'cairn schema ADDRESS' lists them.", valueName: "table"))
  var table: String

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("The class (default: the name of the table).", valueName: "name"))
  var className: String?

  @Option(
    help: ArgumentHelp("The columns to copy (default: all).", valueName: "col,..."))
  var select: [String] = []

  @Flag(help: "Repair invalid geometries.")
  var repair = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    if className == "" { throw ValidationError("--class must not be empty") }
  }

  func run() throws {
    let start = MonotonicClock.seconds
    let address = try DatabaseArgument.address(address)
    let connection = try PostgresConnection(address)
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let source = try PostgresSource(table, in: connection)
    let columns = try chosen(of: source.table)
    let name = className ?? source.table.name
    let progress = progressOptions.reporter()
    let isNew = !System.exists(store)
    defer { progress.clear() }
    do {
      let target = try OpenedClass.reading(store) { () throws(StoreError) in
        try Store.open(store, mode: .create)
      }
      try requireKey(name, in: target, columns: columns)
      var pull = try source.pull(columns)
      pull.repairs = repair
      pull.leavesOut = reading.leavesOut
      let summary = try pull.run(into: target, className: name, hasKey: true) {
        progress.show(WorkProgress(phase: "receiving", rows: $0))
      }
      progress.clear()
      progress.finish(
        TransferReport.summary(
          rows: summary.rows, verb: summary.rows > summary.inserted ? "merged into" : "copied to",
          target: "\(name) of \(store)", leftOut: LeftOutReport(summary.leftOut), since: start))
    } catch {
      progress.clear()
      if isNew { NewStore.removeIfEmpty(store) }
      throw error
    }
  }

  private func chosen(of table: PostgresTable) throws -> [PostgresColumn] {
    guard !select.isEmpty else { return table.columns }
    let names = select.flatMap { $0.split(separator: ",") }.map { String($0.trimmingSpaces()) }
    return try names.map { name in
      guard let column = table.column(named: name) else {
        throw Failure(
          .usage,
          message: "--select: '\(table.name)' has no column '\(name)'"
            + Hint.text(name, among: table.columns.map(\.name)))
      }
      return column
    }
  }

  /// Throws if the class has rows that the table's rows would repeat.
  private func requireKey(
    _ name: String, in store: Store, columns: [PostgresColumn]
  ) throws {
    guard let table = try store.snapshot().table(name), table.liveCount > 0 else { return }
    let key = table.schema.primaryKey.map { table.schema.columns[$0].name }
    guard key == nil || !columns.contains(where: { $0.name == key }) else { return }
    throw Failure(
      .usage,
      message:
        "\(store.path) already has rows of '\(name)', and no primary key by which they could "
        + "be replaced; give --class another name, or drop the class first")
  }
}
