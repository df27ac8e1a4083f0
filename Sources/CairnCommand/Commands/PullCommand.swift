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
      abstract: "Copy a table of PostgreSQL, or its matching rows, into a class.",
      discussion: """
        The store is created if it does not exist. If the class exists, rows with the
        same primary key are replaced, and others are added: all or nothing.

        EXAMPLES:
          cairn pull postgres://db.example.com/world cities world.cairn
          cairn pull postgres:///world staging.cities world.cairn --class cities
          cairn pull postgres:///world cities world.cairn "country == 'FR'"
          cairn pull postgres:///world cities world.cairn --bbox 5,45,11,48
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

  @Argument(
    help:
      "A condition, as in \"population > 1000 AND country == 'FR'\", or @FILE to read it from FILE."
  )
  var predicate: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("The class (default: the name of the table).", valueName: "name"))
  var className: String?

  @Option(
    help: ArgumentHelp("The columns to copy (default: all).", valueName: "col,..."))
  var select: [String] = []

  @OptionGroup var dates: DateOptions
  @OptionGroup var place: PlaceOptions

  @Flag(help: "Repair invalid geometries of rows, and of shapes as of --within.")
  var repair = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    if className == "" { throw ValidationError("--class must not be empty") }
    try place.requireRadius()
  }

  func run() throws {
    let start = MonotonicClock.seconds
    _ = try DatabaseArgument.address(address)
    let database = try PostgresDatabase(address)
    let source = try database.source(table)
    let columns = try chosen(of: source.table)
    let pull = try pull(columns, of: source, in: database)
    let name = className ?? source.table.name
    let progress = progressOptions.reporter()
    let isNew = !System.exists(store)
    defer { progress.clear() }
    do {
      let target = try OpenedClass.reading(store) { () throws(StoreError) in
        try Store.open(store, mode: .create)
      }
      try requireKey(name, in: target, columns: columns)
      let summary = try pull.run(into: target, className: name, hasKey: true) {
        progress.show(WorkProgress(phase: "receiving", rows: $0))
      }
      progress.clear()
      progress.finish(
        TransferReport.summary(
          rows: summary.rows, verb: summary.rows > summary.inserted ? "merged into" : "copied to",
          target: "\(name) of \(store)", leftOut: LeftOutReport(summary.leftOut),
          notes: Self.notes(summary), since: start))
    } catch {
      progress.clear()
      if isNew { NewStore.removeIfEmpty(store) }
      throw error
    }
  }

  /// Prepares the load. The server selects the rows, as for a query.
  private func pull(
    _ columns: [PostgresColumn], of source: PostgresSource, in database: PostgresDatabase
  ) throws -> PostgresPull {
    let arguments = RowArguments(
      reference: ClassReference(.database(address), className: table), predicate: predicate,
      area: place.arguments(repairing: repair), dates: dates.interval)
    var pull = try source.pull(columns)
    if !arguments.isEmpty {
      let request = try QueryRequest(database.class(table), arguments)
      pull = try source.pull(
        columns, where: request.condition, of: request.source.schema,
        reading: request.fetch(RowNeeds()).columns ?? [])
    }
    pull.repairs = repair
    pull.leavesOut = reading.leavesOut
    return pull
  }

  private static func notes(_ summary: PostgresPull.Summary) -> [String] {
    [("columns of other types", summary.types), ("changed values", summary.changes)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: "; "))" }
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
