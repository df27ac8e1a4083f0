import CairnQuery
import CairnRequest
import CairnStorage

/// A database that is read like a store. The rows that a query needs are fetched into a store in memory,
/// where the query then runs as on a file.
package final class PostgresDatabase {
  private let connection: PostgresConnection
  private let store: Store
  /// Whether rows with a value that cannot be read are left out; otherwise they are errors.
  let leavesOut: Bool
  private let report: (String, PostgresPull.Summary) -> Void

  /// Connects to a database. All that is read is of one state of the database.
  ///
  /// - Parameters:
  ///   - leavesOut: Whether rows with a value that cannot be read are left out; otherwise they are errors.
  ///     Then every fetch reads all columns, so that the same rows are left out whatever is asked of a
  ///     table.
  ///   - report: Receives the name of a table, and the rows of it that were left out and the values that were
  ///     changed, after a fetch with such rows or values.
  package init(
    _ address: String, leavesOut: Bool = false,
    report: @escaping (String, PostgresPull.Summary) -> Void = { _, _ in }
  ) throws {
    connection = try PostgresConnection(PostgresAddress(address))
    self.leavesOut = leavesOut
    self.report = report
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    store = try Self.emptyStore()
  }

  /// Reports the rows of a fetch that were left out, and the values that were changed.
  func report(_ summary: PostgresPull.Summary, of table: String) {
    if summary.leftOut.count > 0 || !summary.changes.isEmpty { report(table, summary) }
  }

  /// A table.
  package func source(_ name: String) throws -> PostgresSource {
    try PostgresSource(name, in: connection)
  }

  private static func emptyStore() throws -> Store {
    // A store in memory with the same identifier would be the same store.
    try Store.openInMemory(identifier: "database \(UInt64.random(in: 0 ... .max))")
  }

  /// A table as a class, without rows.
  package func `class`(_ name: String) throws -> OpenedClass { try self.class(name, in: store) }

  /// A table as a class with the rows that meet a condition, and perhaps others. Its store is its own,
  /// so that a fetch of the same table does not add rows to these.
  func `class`(_ name: String, holding predicate: Predicate) throws -> OpenedClass {
    let opened = try newClass(name)
    return try opened.holding(
      RowFetch(predicate.bound(to: opened.schema, in: opened.snapshot.schema)))
  }

  /// A table as a class without rows, in a store of its own.
  func newClass(_ name: String) throws -> OpenedClass {
    try self.class(name, in: Self.emptyStore())
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
    return try OpenedClass(
      store, className: name, backend: PostgresBackend(database: self, source: source))
  }

  /// Two tables as classes in one state, with all their rows.
  ///
  /// - Parameters:
  ///   - hasKeys: Whether the classes have the primary keys of the tables.
  ///   - columns: The columns that are needed of a class; nil for all.
  package func classes(
    _ left: String, _ right: String, hasKeys: Bool, columns: (TableSchema) -> Set<String>?
  ) throws -> (left: OpenedClass, right: OpenedClass) {
    func fetched(_ name: String) throws -> OpenedClass {
      let opened = try self.class(name, in: store, hasKey: hasKeys)
      let all = try Predicate.true.bound(to: opened.schema, in: opened.snapshot.schema)
      return try opened.holding(RowFetch(all, columns: columns(opened.schema)))
    }
    let opened = try fetched(left)
    if left == right { return (opened, opened) }
    let other = try fetched(right)
    // Both must be of the same state of the store in memory.
    let same = try other.other(left)
    return (
      OpenedClass(
        store: store, snapshot: same.snapshot, table: same.table, backend: opened.backend), other
    )
  }
}
