import CairnStorage
import CairnValues

/// Copies a class to a table of PostgreSQL, in one transaction: the table changes as a whole or not at
/// all, however the push ends.
package struct PostgresPush {
  /// The result of a push.
  package struct Summary: Sendable {
    /// The number of rows that were sent.
    package var rows = 0
    /// The number of bytes that were sent.
    package var bytes = 0
    /// The number of dates that were rounded to PostgreSQL's microseconds.
    package var roundedDates = 0
    /// Whether rows of an existing table were replaced by key.
    package var isMerged = false
  }

  /// The treatment of an existing table of the same name.
  package enum Existing: Sendable {
    /// Rows with the same key are replaced, and other rows are added; without a key it is an error.
    case merge
    /// The table is replaced.
    case replace
  }

  let connection: PostgresConnection
  let table: Table
  let columns: [PushColumn]
  let target: PostgresName
  let existing: Existing

  /// Prepares the push of a class.
  ///
  /// - Parameters:
  ///   - columns: The properties to send; nil for all.
  ///   - name: The table, perhaps as `schema.table`; nil for the name of the class.
  package init(
    _ table: Table, columns: [ColumnSchema]? = nil, to connection: PostgresConnection,
    name: String? = nil, existing: Existing = .merge
  ) throws(PostgresError) {
    self.connection = connection
    self.table = table
    self.existing = existing
    if let name {
      target = try PostgresName(given: name, in: connection)
    } else {
      target = try PostgresName(table.schema.name, in: connection)
    }
    self.columns = try (columns ?? table.schema.properties).map { (column) throws(PostgresError) in
      try PushColumn(column, of: table)
    }
    for name in [target.name] + self.columns.map(\.schema.name)
    where name.utf8.count > PostgresName.maxBytes {
      throw PostgresError(
        .usage,
        message:
          "'\(name)' is longer than the \(PostgresName.maxBytes) bytes of a name in PostgreSQL"
      )
    }
  }

  /// Sends the rows and publishes them.
  ///
  /// - Parameter progress: Called now and then with the number of rows.
  package func run(progress: (Int) -> Void = { _ in }) throws(PostgresError) -> Summary {
    try requirePostGIS()
    try connection.execute("BEGIN")
    do throws(PostgresError) {
      let summary = try transfer(progress)
      try connection.execute("COMMIT")
      try analyze()
      return summary
    } catch {
      _ = try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private func requirePostGIS() throws(PostgresError) {
    guard columns.contains(where: \.isSpatial) else { return }
    let found = try connection.execute("SELECT FROM pg_extension WHERE extname = 'postgis'")
    guard found.isEmpty else { return }
    throw PostgresError(
      .usage,
      message: "\(connection.address) has no PostGIS, which locations need; "
        + "CREATE EXTENSION postgis adds it to a database")
  }

  private func transfer(_ progress: (Int) -> Void) throws(PostgresError) -> Summary {
    let exists = try exists(target)
    guard exists, existing == .merge else { return try create(replacing: exists, progress) }
    return try merge(progress)
  }

  /// Loads into a table of another name, which then takes the name of the target.
  private func create(
    replacing exists: Bool, _ progress: (Int) -> Void
  ) throws(PostgresError) -> Summary {
    let load = target.renamed("cairn_load_\(UInt32.random(in: 0 ... .max))")
    try connection.execute(
      "CREATE TABLE \(load.quoted) (\(columns.map(\.definition).joined(separator: ", ")))")
    for column in columns {
      guard let note = column.note else { continue }
      try connection.execute(
        "COMMENT ON COLUMN \(load.quoted).\(SQLName.quoted(column.schema.name)) "
          + "IS \(SQLName.literal(note.rawValue))")
    }
    // The table belongs to this transaction, so its rows need not be frozen later.
    let summary = try copy(into: load, options: "FORMAT binary, FREEZE", progress)
    let indexes = try makeIndexes(on: load)
    if exists { try connection.execute("DROP TABLE \(target.quoted)") }
    try connection.execute(
      "ALTER TABLE \(load.quoted) RENAME TO \(SQLName.quoted(target.name))")
    for (made, wanted) in indexes {
      try rename(index: target.renamed(made), to: target.renamed(wanted))
    }
    return summary
  }

  /// Gives an index its usual name, unless that is too long or the name of something else.
  private func rename(index: PostgresName, to name: PostgresName) throws(PostgresError) {
    guard name.name.utf8.count <= PostgresName.maxBytes, try !exists(name) else { return }
    try connection.execute("ALTER INDEX \(index.quoted) RENAME TO \(SQLName.quoted(name.name))")
  }

  private func exists(_ name: PostgresName) throws(PostgresError) -> Bool {
    try connection.execute("SELECT to_regclass($1)", [PostgresParameter(text: name.quoted)])
      != [[nil]]
  }

  /// Makes the primary key and the indexes.
  ///
  /// - Returns: Their names, and the names that they get with the table's own name.
  private func makeIndexes(
    on load: PostgresName
  ) throws(PostgresError) -> [(made: String, wanted: String)] {
    var names: [(made: String, wanted: String)] = []
    for (number, column) in columns.enumerated() {
      let name = SQLName.quoted(column.schema.name)
      let made = "\(load.name)_\(number)"
      if column.schema.isPrimaryKey {
        try connection.execute(
          "ALTER TABLE \(load.quoted) ADD CONSTRAINT \(made) PRIMARY KEY (\(name))")
        names.append((made, "\(target.name)_pkey"))
      } else if column.isSpatial || column.schema.isIndexed && column.schema.collection == .none {
        try connection.execute(
          "CREATE INDEX \(made) ON \(load.quoted) USING \(column.isSpatial ? "gist" : "btree") (\(name))"
        )
        names.append((made, "\(target.name)_\(column.schema.name)_idx"))
      }
    }
    return names
  }

  /// Replaces rows with the same key, and adds the others.
  private func merge(_ progress: (Int) -> Void) throws(PostgresError) -> Summary {
    guard let key = columns.first(where: { $0.schema.isPrimaryKey }) else {
      throw PostgresError(
        .usage,
        message: "\(connection.address) already has a table '\(target.text)', and "
          + "'\(table.schema.name)' has no primary key by which its rows could be replaced")
    }
    try connection.execute(
      "CREATE TEMPORARY TABLE cairn_load (\(columns.map(\.definition).joined(separator: ", "))) "
        + "ON COMMIT DROP")
    var summary = try copy(
      into: PostgresName(schema: "pg_temp", name: "cairn_load"), options: "FORMAT binary", progress)
    let names = columns.map { SQLName.quoted($0.schema.name) }
    let others = columns.filter { !$0.schema.isPrimaryKey }.map { SQLName.quoted($0.schema.name) }
    let action =
      others.isEmpty
      ? "NOTHING"
      : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let list = names.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(target.quoted) (\(list)) SELECT \(list) FROM pg_temp.cairn_load "
        + "ON CONFLICT (\(SQLName.quoted(key.schema.name))) DO \(action)")
    summary.isMerged = true
    return summary
  }

  private static let portion = 1 << 18

  private func copy(
    into load: PostgresName, options: String, _ progress: (Int) -> Void
  ) throws(PostgresError) -> Summary {
    let names = columns.map { SQLName.quoted($0.schema.name) }.joined(separator: ", ")
    let encoder = CopyEncoder(table, columns: columns)
    var summary = Summary()
    try connection.copyIn(
      "COPY \(load.quoted) (\(names)) FROM STDIN (\(options))"
    ) { (input) throws(PostgresError) in
      try CurveOrder(table).forEach { (_, key) throws(PostgresError) in
        try encoder.append(key: key)
        summary.rows += 1
        guard encoder.bytes.count >= Self.portion else { return }
        try Self.send(encoder, to: input, summary: &summary)
        progress(summary.rows)
      }
      encoder.finish()
      try Self.send(encoder, to: input, summary: &summary)
    }
    summary.roundedDates = encoder.roundedDates
    return summary
  }

  private static func send(
    _ encoder: CopyEncoder, to input: CopyInput, summary: inout Summary
  ) throws(PostgresError) {
    summary.bytes += encoder.bytes.count
    let result = encoder.bytes.withUnsafeBytes { bytes -> Result<Void, PostgresError> in
      do throws(PostgresError) { return .success(try input.send(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
    encoder.removeSent()
  }

  /// Gathers the planner's statistics, without which it may not use the indexes.
  private func analyze() throws(PostgresError) {
    try connection.execute("ANALYZE \(target.quoted)")
  }
}

/// The name of a table with its schema.
struct PostgresName: Hashable, Sendable {
  /// The schema; nil for the first one of the search path.
  let schema: String?
  let name: String

  /// The longest name, in UTF-8. The server cuts longer ones.
  static let maxBytes = 63

  init(schema: String?, name: String) {
    self.schema = schema
    self.name = name
  }

  /// Reads `table`, or `schema.table` if the database has that schema.
  init(_ text: String, in connection: PostgresConnection) throws(PostgresError) {
    if let dot = text.firstIndex(of: ".") {
      let schema = String(text[..<dot])
      let found = try connection.execute(
        "SELECT FROM pg_namespace WHERE nspname = $1", [PostgresParameter(text: schema)])
      if !found.isEmpty {
        self.init(schema: schema, name: String(text[text.index(after: dot)...]))
        return
      }
    }
    self.init(schema: nil, name: text)
  }

  /// Reads a name in which a dot always ends the name of a schema.
  init(given text: String, in connection: PostgresConnection) throws(PostgresError) {
    try self.init(text, in: connection)
    guard schema == nil, let dot = text.firstIndex(of: ".") else { return }
    throw PostgresError(
      .usage,
      message: "\(connection.address) has no schema '\(text[..<dot])' for the table '\(text)'; "
        + "CREATE SCHEMA makes one")
  }

  var quoted: String {
    (schema.map { SQLName.quoted($0) + "." } ?? "") + SQLName.quoted(name)
  }

  var text: String { (schema.map { "\($0)." } ?? "") + name }

  func renamed(_ name: String) -> PostgresName { PostgresName(schema: schema, name: name) }
}
