import CairnQuery
import CairnSQL
import CairnStorage
import CairnValues

/// A table of a database as the source of queries: compiles conditions to SQL, counts rows on the
/// server, and fetches rows into a class of a store with the same properties.
package struct PostgresSource {
  /// The connection that reads the table.
  package let connection: PostgresConnection
  /// The table.
  package let table: PostgresTable

  /// Finds a table.
  ///
  /// - Throws: ``PostgresError`` with the nearest name if the table does not exist.
  package init(_ name: String, in connection: PostgresConnection) throws(PostgresError) {
    self.connection = connection
    table = try PostgresCatalogue(connection).table(name)
  }

  /// The class that has the columns of the table. Every property may be null, because a query fetches
  /// only some columns.
  ///
  /// - Parameter hasKey: Whether the primary key becomes that of the class, if its type can be one.
  ///   Then every query fetches it.
  package func properties(hasKey: Bool) -> [ColumnSchema] {
    let key = hasKey ? table.columns.firstIndex { $0.isPrimaryKey && $0.canBeKey } : nil
    return table.columns.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(clamping: position), name: column.name, type: column.type,
        collection: column.collection, isOptional: position != key, isPrimaryKey: position == key,
        position: position)
    }
  }

  /// The table as the compiler of conditions knows it.
  package var sqlTable: SQLTable {
    SQLTable(
      name: table.name, schema: table.schema,
      columns: table.columns.map { column in
        SQLColumn(
          column.name, type: SQLColumnType(column),
          expression: column.form == .castText ? SQLFragment(sql: column.expression) : nil)
      },
      key: table.columns.filter(\.isPrimaryKey).map(\.name), hasPartitions: table.hasPartitions)
  }

  var compiler: SQLCompiler { SQLCompiler(sqlTable, dialect: .postgis) }

  /// Compiles a condition that is bound to the class of the table.
  package func condition(_ predicate: BoundPredicate) throws(SQLError) -> SQLCondition {
    try compiler.condition(predicate)
  }

  /// Counts the rows that meet a condition.
  package func count(_ condition: SQLFragment) throws(PostgresError) -> Int {
    let rows = try run(compiler.count(condition))
    return rows.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
  }

  /// Runs a statement, and returns its rows as texts.
  func run(_ fragment: SQLFragment) throws(PostgresError) -> [[String?]] {
    let statement = fragment.statement(.postgis)
    return try connection.execute(statement.text, statement.parameters.map(PostgresParameter.init))
  }

  /// The rows and columns that a query fetches.
  package struct Fetch {
    /// The columns, in the order of the statement.
    package let columns: [PostgresColumn]
    /// The statement that ran first, to find how far away the nearest rows are; nil without it.
    package let bound: SQLFragment?
    /// The statement, and the conditions and steps that it leaves to the caller.
    package let select: SQLSelect

    /// The statements in the order in which they run.
    package var statements: [SQLFragment] { (bound.map { [$0] } ?? []) + [select.fragment] }
  }

  /// Prepares the fetch of the rows of a query, and perhaps of others that the query then leaves out.
  ///
  /// The nearest rows take two statements, of which the first one runs here. The transaction of the
  /// connection must show both the same state of the table.
  ///
  /// - Parameters:
  ///   - names: The columns that are needed; nil for all. At least one column is fetched.
  ///   - condition: The condition of the rows.
  ///   - sort: The keys of the order that a limit refers to.
  ///   - limit: The most rows; nil for all.
  /// - Throws: `SQLError`, or ``PostgresError``.
  package func fetch(
    _ names: Set<String>?, where condition: SQLCondition, sort: [SortKey] = [], limit: Int? = nil
  ) throws -> Fetch {
    let needed = table.columns.filter { names?.contains($0.name) ?? true }
    let columns = needed.isEmpty ? Array(table.columns.prefix(1)) : needed
    let list = columns.map(\.name)
    if let limit, let bound = try bound(condition, sort: sort, count: limit) {
      let rows = try compiler.nearestRows(
        condition, columns: list, sort: sort, haversine: bound.haversine)
      if let rows { return Fetch(columns: columns, bound: bound.statement, select: rows) }
    }
    return Fetch(
      columns: columns, bound: nil,
      select: try compiler.select(
        condition, columns: list, sort: limit == nil ? [] : sort, limit: limit))
  }

  /// Finds how far away the last of the nearest rows may be, and returns the statement that found it.
  ///
  /// In the order of distances, the server would let every partition sort all of its rows. So rows are
  /// looked for in a circle that grows until it has enough of them, and partitions outside are skipped.
  private func bound(
    _ condition: SQLCondition, sort: [SortKey], count: Int
  ) throws -> (statement: SQLFragment, haversine: Double?)? {
    var reach = table.hasPartitions ? firstReach(count) : nil
    while true {
      let statement = try compiler.nearestBound(
        condition, sort: sort, count: count, within: reach)
      guard let statement else { return nil }
      let haversine = try run(statement).first?.first.flatMap { $0 }.flatMap { Double($0) }
      guard haversine == nil, let tried = reach else { return (statement, haversine) }
      reach = tried < 0.05 ? tried * 16 : nil
    }
  }

  /// The haversine of the angle within which a few times as many rows are expected if they are spread
  /// evenly: it is the share of the globe within the angle.
  private func firstReach(_ count: Int) -> Double {
    let rows = Double(table.estimatedRows ?? 1_000_000)
    return min(max(4 * Double(count) / max(rows, 1), 1e-12), 0.05)
  }

  /// The server's plan for the statements of a fetch, by line.
  package func plan(_ fetch: Fetch) throws(PostgresError) -> [String] {
    var lines: [[String?]] = []
    for statement in fetch.statements { lines += try run("EXPLAIN \(statement)") }
    return lines.compactMap { $0.first.flatMap { $0 } }
  }
}

extension PostgresParameter {
  /// Makes a parameter whose type the cast next to its placeholder names.
  init(_ value: SQLValue) { self.init(text: value.parameterText) }
}

extension SQLColumnType {
  /// The type of a column of PostgreSQL.
  fileprivate init(_ column: PostgresColumn) {
    guard column.collection == .none else {
      self = .other
      return
    }
    self =
      switch column.form {
      case .bool: .bool
      case .int16, .int32, .int64, .oid: .int
      case .float: .float
      case .double: .double
      case .numeric: .decimal
      case .text: column.comparesBytes ? .text : .other
      case .bytes: .data
      case .date: .date(.day)
      case .timestamp: .date(.timestamp(hasZone: column.hasZone))
      case .uuid: .uuid
      case .objectId: .objectId
      case .geometry where column.type == .point:
        .location(column.isGeography ? .geography : .geometry(srid: column.srid))
      case .geometry:
        .geometry(column.isGeography ? .geography : .geometry(srid: column.srid))
      case .castText, .array, .set: .other
      }
  }
}
