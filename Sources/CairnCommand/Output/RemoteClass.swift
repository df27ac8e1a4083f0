import CairnPostgres
import CairnQuery
import CairnSQL
import CairnStorage

/// A database that a command reads like a store. The rows that a command needs are fetched into a
/// store in memory, where the command then runs as on a file.
final class RemoteDatabase {
  let connection: PostgresConnection
  private let store: Store

  /// Connects to a database. All that the command reads is of one state of the database.
  init(_ address: String) throws {
    connection = try PostgresConnection(PostgresAddress(address))
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    store = try Self.emptyStore()
  }

  private static func emptyStore() throws -> Store {
    try Store.openInMemory(identifier: "database \(UInt64.random(in: 0 ... .max))")
  }

  /// A table as a class, without rows.
  func `class`(_ name: String) throws -> OpenedClass { try self.class(name, in: store) }

  /// A table as a class with the rows that meet a condition, and perhaps others. Its store is its own,
  /// so that a fetch of the same table does not add rows to these.
  func `class`(_ name: String, holding predicate: Predicate) throws -> OpenedClass {
    try self.class(name, in: Self.emptyStore()).fetched(predicate)
  }

  /// - Parameter hasKey: Whether the class has the primary key of the table, which is then fetched.
  private func `class`(
    _ name: String, in store: Store, hasKey: Bool = false
  ) throws -> OpenedClass {
    let source = try PostgresSource(name, in: connection)
    if try store.snapshot().table(name) == nil {
      let transaction = try store.beginWrite()
      defer { transaction.rollback() }
      _ = try transaction.createTable(name, columns: source.properties(hasKey: hasKey))
      try transaction.commit()
    }
    var opened = try OpenedClass(store, className: name)
    opened.remote = RemoteClass(database: self, source: source)
    return opened
  }

  /// The two classes of a join, with the rows that have to be looked at.
  func classes(
    _ left: String, _ right: String, needs: RowNeeds
  ) throws -> (left: OpenedClass, right: OpenedClass) {
    func fetched(_ name: String) throws -> OpenedClass {
      try self.class(name, in: store, hasKey: needs.needsKey).fetched(.true, needs)
    }
    let opened = try fetched(left)
    if left == right { return (opened, opened) }
    let other = try fetched(right)
    // Both sides must be of the same state of the store in memory.
    return (other.sameState(left, remote: opened.remote), other)
  }
}

/// The table of a database behind a class.
struct RemoteClass {
  let database: RemoteDatabase
  let source: PostgresSource
}

extension OpenedClass {
  /// Opens a class of a store, or a table of a database as a class without rows.
  init(describing target: TargetArguments) throws {
    self =
      try PostgresAddress.isURL(target.store)
      ? RemoteDatabase(target.store).class(target.className) : OpenedClass(target)
  }

  /// Opens a class of a store, or a table of a database with the rows that the options may select.
  ///
  /// - Parameter needs: The columns that the command reads.
  init(_ target: TargetArguments, area: AreaOptions, needs: RowNeeds) throws {
    self = try OpenedClass(describing: target).selected(target, area, needs)
  }

  /// The class of a file as it is, or one with the rows of a database that the options may select.
  func selected(
    _ target: TargetArguments, _ area: AreaOptions, _ needs: RowNeeds
  ) throws -> OpenedClass {
    if remote == nil { return self }
    var needs = needs
    let area = try area.resolved(in: self)
    try needs.add(target, area: area)
    let request = try QueryRequest(self, target: target, area: area, advises: false)
    return try fetch(request, needs: needs).map(fetched) ?? self
  }

  /// The fetch of the rows that a request may select; nil for a class of a file.
  ///
  /// - Parameter sort: The order of the rows, for a limit.
  func fetch(
    _ request: QueryRequest, sort: [SortKey] = [], needs: RowNeeds
  ) throws -> PostgresSource.Fetch? {
    guard let source = remote?.source else { return nil }
    return try source.fetch(
      needs.columns(of: source.table), where: source.condition(request.condition), sort: sort,
      limit: needs.limit)
  }

  /// The class with the rows of the table that may meet a condition.
  ///
  /// - Parameter needs: The columns that are needed; nil for all.
  fileprivate func fetched(_ predicate: Predicate, _ needs: RowNeeds? = nil) throws -> OpenedClass {
    guard let source = remote?.source else { return self }
    let condition = try source.condition(predicate.bound(to: schema, in: snapshot.schema))
    return try fetched(
      source.fetch(needs.flatMap { $0.columns(of: source.table) }, where: condition))
  }

  /// The class with the rows of a fetch.
  func fetched(_ fetch: PostgresSource.Fetch) throws -> OpenedClass {
    guard let remote, table.liveCount == 0 else { return self }
    try remote.source.run(fetch, into: store, className: schema.name)
    var opened = try OpenedClass(store, className: schema.name)
    opened.remote = remote
    return opened
  }

  /// Another class in the state of this one.
  fileprivate func sameState(_ className: String, remote: RemoteClass?) -> OpenedClass {
    guard let table = snapshot.table(className) else { return self }
    var opened = OpenedClass(store: store, snapshot: snapshot, table: table)
    opened.remote = remote
    return opened
  }
}

extension PostgresSource {
  /// The statements that are sent to the server, what is decided here, and the server's plan.
  func explanation(of fetch: Fetch) throws -> String {
    let here = fetch.select.undecided.map { "  \($0)\n" }.joined()
    let sent = fetch.statements.map { "  \($0.text(.postgis))\n" }.joined()
    return "sent to the server:\n\(sent)"
      + (here.isEmpty ? "decided by the server\n" : "decided here:\n\(here)")
      + "plan of the server:\n" + (try plan(fetch).map { "  \($0)\n" }.joined())
  }
}

/// The number of rows of a database that meet the conditions of a command line. The server counts all
/// rows that it can decide; only the others travel.
struct RemoteCount {
  let target: TargetArguments
  let area: AreaOptions

  func count() throws -> Int {
    let described = try OpenedClass(describing: target)
    guard let source = described.remote?.source else { return 0 }
    let area = try area.resolved(in: described)
    let request = try QueryRequest(described, target: target, area: area)
    let condition = try source.condition(request.condition)
    let certain = try source.count(condition.certain)
    if condition.isExact { return certain }
    var needs = RowNeeds()
    try needs.add(target, area: area)
    let doubtful = try described.fetched(
      source.fetch(needs.columns(of: source.table), where: condition.doubts))
    return try certain
      + QueryRequest(doubtful, target: target, area: area, advises: false).execution().count()
  }
}

extension SQLCondition {
  /// The condition that selects the doubtful rows, for a fetch.
  fileprivate var doubts: SQLCondition {
    var condition = self
    condition.possible = doubtful
    condition.certain = "FALSE"
    return condition
  }
}
