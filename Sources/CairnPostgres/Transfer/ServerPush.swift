import CairnStorage
import CairnSystem

/// A push whose partitions are on other servers.
///
/// Each server loads its partitions in a transaction of its own, into tables that belong to this push
/// alone. Once all servers have committed, one transaction makes the whole table of the partitions as
/// foreign tables, in place of an older one. A push that fails before drops what it has made; what a killed one
/// leaves behind, the next push drops.
struct ServerPush {
  private let push: PostgresPush
  private let partitioning: Partitioning
  /// The load of a table that several threads can read.
  private let load: TableLoad
  /// The snapshot of that table.
  private let shared: Snapshot

  init(_ push: PostgresPush, _ partitioning: Partitioning) throws(PostgresError) {
    self.push = push
    self.partitioning = partitioning
    do throws(StoreError) {
      shared = try Snapshot(sharing: push.snapshot)
      load = TableLoad(
        table: shared.table(push.load.table.schema), columns: push.load.columns)
    } catch {
      throw PostgresError(.data, message: error.message)
    }
  }

  private var connection: PostgresConnection { push.connection }

  func run(progress: (Int) -> Void) throws(PostgresError) -> PostgresPush.Summary {
    try lock()
    defer { unlock() }
    // The connection waits while the servers load. Servers before version 14 have no such limit.
    _ = try? connection.execute("SET idle_session_timeout = 0")
    try ForeignServer.requireWrapper(in: connection)
    let names = try PartitionNames(of: push.target, in: connection)
    let loads = try connect(names)
    try rehearse(loads)
    var summary: PostgresPush.Summary
    do throws(PostgresError) {
      summary = try load(loads, progress)
      try connection.transaction { () throws(PostgresError) in try publish(loads, names: names) }
    } catch {
      // If the connection was lost, the transaction may have been committed.
      if connection.isAlive { for load in loads { load.drop(.own) } }
      throw error
    }
    summary.partitions = partitioning.count
    if let used = try? names.used(in: connection) {
      summary.leftovers = loads.flatMap { $0.drop(.others(except: used)) }
    }
    return summary
  }

  // MARK: Locking

  private static let lockKey =
    "hashtextextended('cairn push ' || to_regnamespace($1) || '.' || $2, 0)"

  private var lockParameters: [PostgresParameter] {
    get throws(PostgresError) {
      let found = try connection.execute(
        "SELECT quote_ident(coalesce($1, current_schema()))",
        [PostgresParameter(text: push.target.schema, type: 25)])
      guard let schema = found.first?.first.flatMap({ $0 }) else {
        throw PostgresError(
          .usage,
          message: "the search path of \(connection.address) has no schema for new tables")
      }
      return [
        PostgresParameter(text: schema, type: 25),
        PostgresParameter(text: push.target.name, type: 25),
      ]
    }
  }

  /// Keeps other pushes to the same table from dropping the partitions of this one.
  private func lock() throws(PostgresError) {
    let isLocked = try connection.execute(
      "SELECT pg_try_advisory_lock(\(Self.lockKey))", lockParameters)
    guard isLocked == [["t"]] else {
      throw PostgresError(
        .usage,
        message: "another push to '\(push.target.text)' of \(connection.address) is running; "
          + "start this one after it has ended")
    }
  }

  /// The end of the connection would unlock as well.
  private func unlock() {
    _ = try? connection.execute("SELECT pg_advisory_unlock(\(Self.lockKey))", lockParameters)
  }

  // MARK: Loading

  private func connect(_ names: PartitionNames) throws(PostgresError) -> [ServerLoad] {
    var loads: [ServerLoad] = []
    for (number, address) in partitioning.servers.enumerated() {
      let load = try ServerLoad(
        load, names: names, partitions: partitioning.partitions(ofServer: number),
        address: address)
      if let other = loads.first(where: { $0.server.name == load.server.name }) {
        throw PostgresError(
          .usage, message: "\(address) and \(other.server.address) are the same server")
      }
      loads.append(load)
    }
    return loads
  }

  /// Makes the foreign servers and reads a table of each, and takes that back: a right that is missing
  /// should show before hours of loading.
  private func rehearse(_ loads: [ServerLoad]) throws(PostgresError) {
    try connection.execute("BEGIN")
    defer { _ = try? connection.execute("ROLLBACK") }
    for (number, load) in loads.enumerated() {
      try load.server.define(in: connection)
      let table = push.target.renamed("cairn_probe_\(number)_\(UInt32.random(in: 0 ... .max))")
      try connection.execute(
        """
        CREATE FOREIGN TABLE \(table.quoted) (relname name) SERVER \(SQLName.quoted(load.server.name))
        OPTIONS (schema_name 'pg_catalog', table_name 'pg_class')
        """)
      try load.server.requireReadable(table, in: connection)
    }
  }

  /// Loads all servers at once.
  private func load(
    _ loads: [ServerLoad], _ progress: (Int) -> Void
  ) throws(PostgresError) -> PostgresPush.Summary {
    let order = CurveOrder(load.table)
    let state = LoadState(waiting: loads.count)
    let partitioning = partitioning
    for load in loads {
      let thread = Threads.startIfPossible { [load] in
        let result = Result { () throws(PostgresError) in
          try load.run(partitioning, of: order, state: state)
        }
        // An error ends the other loads, too. Their connections are used again once all have ended.
        if case .failure(let error) = result {
          state.note(error)
          loads.forEach { $0.cancel() }
        }
        state.finish(result)
      }
      guard let thread else {
        let reason = errorText(errno)
        let error = PostgresError(.noThread, message: "cannot start a thread: \(reason)")
        state.note(error)
        loads.forEach { $0.cancel() }
        state.finish(.failure(error))
        continue
      }
      thread.detach()
    }
    var lastSign = MonotonicClock.seconds
    while state.wait(milliseconds: 100) {
      progress(state.rows)
      guard MonotonicClock.seconds > lastSign + 30 else { continue }
      // A sign of life, because firewalls forget quiet connections.
      do throws(PostgresError) { try connection.execute("SELECT 1") } catch {
        state.note(error)
        loads.forEach { $0.cancel() }
      }
      lastSign = MonotonicClock.seconds
    }
    return try state.result.get()
  }

  // MARK: Publishing

  private func publish(_ loads: [ServerLoad], names: PartitionNames) throws(PostgresError) {
    let (whole, indexes) = try push.createParent()
    for load in loads {
      try load.server.define(in: connection)
      for partition in load.loaded {
        let remote = names.name(of: partition.number)
        // The database may be one of the servers, so the foreign table has a name of its own.
        let table = push.target.renamed("\(remote)_foreign")
        let check = partition.bounds.map { "CONSTRAINT bounds CHECK (\($0))" } ?? ""
        try connection.execute(
          """
          CREATE FOREIGN TABLE \(table.quoted) (\(check)) INHERITS (\(whole.quoted))
          SERVER \(SQLName.quoted(load.server.name))
          OPTIONS (schema_name \(SQLName.literal(partition.schema)), table_name \(SQLName.literal(remote)))
          """)
        try names.comment(on: table, kind: "FOREIGN TABLE", in: connection)
        try load.server.requireReadable(table, in: connection)
      }
    }
    try push.publish(whole, indexes: indexes)
  }
}

/// The progress of the loads of all servers.
// Sendable: `lock` guards the other properties.
private final class LoadState: @unchecked Sendable {
  private let lock = Lock()
  private let ended = ConditionVariable()
  private var waiting: Int
  private var sent = 0
  private var summary = PostgresPush.Summary()
  private var failure: PostgresError?

  init(waiting: Int) { self.waiting = waiting }

  /// The number of rows that were sent.
  var rows: Int { lock.withLock { sent } }

  /// Whether a load has failed.
  var hasFailed: Bool { lock.withLock { failure != nil } }

  func add(rows: Int) { lock.withLock { sent += rows } }

  /// Notes a failure. The first one counts, because the others follow from it.
  func note(_ error: PostgresError) {
    lock.withLock { if failure == nil { failure = error } }
  }

  /// Notes the end of a load.
  func finish(_ result: Result<PostgresPush.Summary, PostgresError>) {
    if case .failure(let error) = result { note(error) }
    lock.withLock {
      waiting -= 1
      if case .success(let part) = result { summary += part }
      ended.signalAll()
    }
  }

  /// Waits until a load ends, for at most the given time.
  ///
  /// - Returns: Whether loads are still running.
  func wait(milliseconds: Int) -> Bool {
    lock.withLock {
      if waiting > 0 { ended.wait(lock, milliseconds: milliseconds) }
      return waiting > 0
    }
  }

  var result: Result<PostgresPush.Summary, PostgresError> {
    lock.withLock { failure.map { .failure($0) } ?? .success(summary) }
  }
}

/// The load of one server's partitions.
private final class ServerLoad: @unchecked Sendable {
  // Sendable: one thread at a time runs statements; `cancel` may come from any.

  /// A partition that was loaded.
  struct Partition {
    let number: Int
    let schema: String
    let bounds: String?
  }

  let server: ForeignServer
  /// The partitions, once the load has ended.
  private(set) var loaded: [Partition] = []
  private let load: TableLoad
  private let names: PartitionNames
  private let partitions: [Int]
  private let connection: PostgresConnection

  init(
    _ load: TableLoad, names: PartitionNames, partitions: [Int], address: PostgresAddress
  ) throws(PostgresError) {
    self.load = load
    self.names = names
    self.partitions = partitions
    do throws(PostgresError) { connection = try PostgresConnection(address) } catch {
      throw error.prefixed("\(address)")
    }
    server = ForeignServer(connection)
    try connection.requirePostGIS(for: load)
  }

  func cancel() { connection.cancel() }

  /// Loads the partitions in one transaction.
  func run(
    _ partitioning: Partitioning, of order: CurveOrder, state: LoadState
  ) throws(PostgresError) -> PostgresPush.Summary {
    do throws(PostgresError) {
      return try connection.transaction { () throws(PostgresError) in
        var summary = PostgresPush.Summary()
        for number in partitions {
          summary += try run(
            number, rows: partitioning.rows(of: number, among: order.count), of: order, state: state
          )
        }
        return summary
      }
    } catch {
      throw error.prefixed("\(server.address)")
    }
  }

  private func run(
    _ number: Int, rows: Range<Int>, of order: CurveOrder, state: LoadState
  ) throws(PostgresError) -> PostgresPush.Summary {
    // The transaction also ends if the error came while this load ran no statement.
    guard !state.hasFailed else {
      throw PostgresError(.cancelled, message: "another server has failed")
    }
    let schema = try connection.execute("SELECT current_schema()").first?.first.flatMap { $0 }
    let table = PostgresName(schema: schema, name: names.name(of: number))
    try load.create(table, in: connection)
    try names.comment(on: table, in: connection)
    var sent = 0
    let summary = try load.copy(
      rows, of: order, into: table, in: connection, options: "FORMAT binary, FREEZE"
    ) { (count) throws(PostgresError) in
      state.add(rows: count - sent)
      sent = count
    }
    state.add(rows: summary.rows - sent)
    try load.makeIndexes(on: table, target: table, in: connection)
    let bounds = try load.constrain(table, in: connection)
    try connection.execute("ANALYZE \(table.quoted)")
    loaded.append(Partition(number: number, schema: schema ?? "public", bounds: bounds))
    return summary
  }

  /// Drops partitions, if the server answers.
  ///
  /// - Returns: The tables that remain, with the server.
  @discardableResult
  func drop(_ generations: PartitionNames.Generations) -> [String] {
    do throws(PostgresError) {
      return try names.drop(generations, in: connection).map { "\($0) of \(server.address)" }
    } catch {
      return ["partitions on \(server.address) (\(error.message))"]
    }
  }
}
