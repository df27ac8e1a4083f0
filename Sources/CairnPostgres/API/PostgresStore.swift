import CairnQuery
import CairnSQL
import CairnStorage
import CairnSystem

/// A database of PostgreSQL that is read with Cairn's predicates.
///
/// Every operation has a connection and a thread of its own, so that no task waits in Swift's pool of
/// threads. The cancellation of a task cancels the statement that the server runs for it.
///
///     let store = PostgresStore(PostgresAddress("postgres://db.example.com/world"))
///     for try await row in store.rows(of: "cities", where: try Predicate("population > %@", 1e6)) {
///       print(row["name"])
///     }
public struct PostgresStore: Sendable {
  /// The address of the database.
  public let address: PostgresAddress

  /// Makes a store. It connects when it is first used.
  public init(_ address: PostgresAddress) { self.address = address }

  /// Returns the names of the tables and views; those outside of the search path as `schema.table`.
  ///
  /// - Throws: ``PostgresError``, `CancellationError`.
  public func tables() async throws -> [String] {
    let address = address
    return try await PostgresThread.run { operation in
      try PostgresCatalogue(operation.connect(address)).names()
    }
  }

  /// Returns the number of rows that meet a condition. The server counts all rows that it can decide
  /// as Cairn does; only the others travel.
  ///
  /// - Throws: ``PostgresError``, `PredicateError`, `SQLError`, `CancellationError`.
  public func count(of table: String, where predicate: Predicate? = nil) async throws -> Int {
    let address = address
    return try await PostgresThread.run { operation in
      let request = try PostgresRequest(
        table, where: predicate ?? .true, in: operation.connect(address), columns: nil)
      return try request.count()
    }
  }

  /// Returns the rows that meet a condition, in no order.
  ///
  /// - Parameter columns: The columns to fetch; nil for all. Those of the condition are fetched too.
  public func rows(
    of table: String, where predicate: Predicate? = nil, columns: [String]? = nil
  ) -> PostgresRows {
    PostgresRows(address: address, table: table, predicate: predicate ?? .true, columns: columns)
  }
}

/// A condition on the rows of a table, prepared for the server and for the rows that it leaves open.
struct PostgresRequest {
  private let source: PostgresSource
  private let condition: SQLCondition
  private let test: RowsTest
  private let schema: TableSchema
  private let wanted: Set<String>?

  init(
    _ table: String, where predicate: Predicate, in connection: PostgresConnection,
    columns: [String]?
  ) throws {
    let source = try PostgresSource(table, in: connection)
    let schema = TableSchema(
      id: 1, name: source.table.name, columns: source.properties(hasKey: false))
    let bound = try predicate.bound(to: schema)
    let named = Self.columns(of: "\(predicate)", in: source.table)
    let arrays = schema.properties.filter { $0.collection != .none }.map(\.name)
    guard let test = bound.rowsTest, !arrays.contains(where: named.contains) else {
      throw PostgresError(.usage, message: "a condition on columns that are not arrays is needed")
    }
    let missing = (columns ?? []).first { source.table.column(named: $0) == nil }
    if let missing {
      throw PostgresError(.usage, message: "'\(source.table.name)' has no column '\(missing)'")
    }
    (self.source, self.schema, self.test) = (source, schema, test)
    condition = try source.condition(bound)
    wanted = columns.map { Set($0).union(named) }
  }

  /// The columns whose names are a part of a condition's text, and perhaps others.
  private static func columns(of text: String, in table: PostgresTable) -> [String] {
    table.columns.map(\.name).filter { text.contains($0) }
  }

  func count() throws -> Int {
    // Both parts of the count are of one state of the table.
    try source.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let certain = try source.count(condition.certain)
    if condition.isExact { return certain }
    var doubtful = condition
    (doubtful.possible, doubtful.certain) = (condition.doubtful, "FALSE")
    var count = certain
    try forEachBatch(of: doubtful) { _, rows in
      count += rows.count
      return true
    }
    return count
  }

  /// Calls `body` with the columns of each batch and the rows of it that meet the condition, until it
  /// returns false.
  func forEachBatch(
    of other: SQLCondition? = nil, body: (FetchedColumns, [Int]) throws -> Bool
  ) throws {
    let condition = other ?? condition
    let fetch = try source.fetch(wanted, where: condition)
    let statement = fetch.select.fragment.statement(.postgis)
    let decides = !condition.isExact
    func newReader(after rows: Int) -> RowReader {
      RowReader(fetch.columns, of: source.table.name, after: rows)
    }
    var (rowsRead, reader) = (0, newReader(after: 0))
    var failure: (any Error)?
    func flush() throws(PostgresError) {
      let columns = FetchedColumns(reader.batch, names: fetch.columns.map(\.name), schema: schema)
      let rows =
        decides
        ? test.matches(columns).enumerated().filter(\.element).map(\.offset)
        : Array(0..<columns.rowCount)
      // The batch belongs to its rows from now on.
      rowsRead += columns.rowCount
      reader = newReader(after: rowsRead)
      do {
        if try body(columns, rows) { return }
      } catch { failure = error }
      throw PostgresError(.cancelled, message: "no more rows are wanted")
    }
    var isStopped = false
    do throws(PostgresError) {
      try source.connection.forEachRow(
        statement.text, statement.parameters.map { PostgresParameter($0) }
      ) { (row) throws(PostgresError) in
        try reader.append(row)
        guard reader.rowCount == 4096 || reader.byteCount > 16 << 20 else { return }
        isStopped = true
        try flush()
        isStopped = false
      }
      isStopped = true
      if reader.rowCount > 0 { try flush() }
    } catch {
      if let failure { throw failure }
      if !isStopped { throw error }
    }
  }
}
