import CairnStorage
import CairnValues

/// Copies a class to a table of PostgreSQL. The table changes as a whole or not at all, however the push
/// ends.
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
    /// The number of partitions; 0 for a table without any.
    package var partitions = 0
    /// Tables of earlier pushes that could not be dropped, with the reasons and their servers.
    package var leftovers: [String] = []
  }

  /// The treatment of an existing table of the same name.
  package enum Existing: Sendable {
    /// Rows with the same key are replaced, and other rows are added; without a key it is an error.
    case merge
    /// The table is replaced.
    case replace
  }

  let connection: PostgresConnection
  let snapshot: Snapshot
  let load: TableLoad
  let target: PostgresName
  let existing: Existing
  let partitioning: Partitioning?

  /// Prepares the push of a class.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot that the table belongs to.
  ///   - columns: The properties to send; nil for all.
  ///   - name: The table, perhaps as `schema.table`; nil for the name of the class.
  ///   - partitioning: The division into partitions; nil for one table.
  package init(
    _ table: Table, of snapshot: Snapshot, columns: [ColumnSchema]? = nil,
    to connection: PostgresConnection, name: String? = nil, existing: Existing = .merge,
    partitioning: Partitioning? = nil
  ) throws(PostgresError) {
    self.connection = connection
    self.snapshot = snapshot
    self.existing = existing
    self.partitioning = partitioning
    if let name {
      target = try PostgresName(given: name, in: connection)
    } else {
      target = try PostgresName(table.schema.name, in: connection)
    }
    let columns = try (columns ?? table.schema.properties).map { (column) throws(PostgresError) in
      try PushColumn(column, of: table)
    }
    load = TableLoad(table: table, columns: columns)
    for name in [target.name] + columns.map(\.schema.name)
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
    try connection.requirePostGIS(for: load)
    guard let partitioning else {
      let summary = try connection.transaction { () throws(PostgresError) in
        try exists ? merge(progress) : create(progress)
      }
      try connection.execute("ANALYZE \(target.quoted)")
      return summary
    }
    if existing == .merge, try connection.hasRelation(target) { throw needsReplacing }
    guard partitioning.servers.isEmpty else {
      return try ServerPush(self, partitioning).run(progress: progress)
    }
    let summary = try connection.transaction { () throws(PostgresError) in
      try create(in: partitioning, progress)
    }
    try connection.execute("ANALYZE \(target.quoted)")
    return summary
  }

  /// Whether rows are merged into an existing table.
  private var exists: Bool {
    get throws(PostgresError) {
      guard existing == .merge, try connection.hasRelation(target) else { return false }
      if try connection.hasChildren(target) { throw needsReplacing }
      return true
    }
  }

  private var needsReplacing: PostgresError {
    PostgresError(
      .usage,
      message: "\(connection.address) already has a table '\(target.text)', and a table with "
        + "partitions can only be replaced as a whole")
  }

  // MARK: Creating

  /// Loads into a table of another name, which then takes the name of the target.
  private func create(_ progress: (Int) -> Void) throws(PostgresError) -> Summary {
    let whole = newName()
    try load.create(whole, in: connection)
    let order = CurveOrder(load.table)
    // The table belongs to this transaction, so its rows need not be frozen later.
    let summary = try load.copy(
      0..<order.count, of: order, into: whole, in: connection, options: "FORMAT binary, FREEZE"
    ) { progress($0) }
    let indexes = try load.makeIndexes(on: whole, target: target, in: connection)
    try publish(whole, indexes: indexes)
    return summary
  }

  /// Loads into partitions in the same database.
  private func create(
    in partitioning: Partitioning, _ progress: (Int) -> Void
  ) throws(PostgresError) -> Summary {
    let (whole, indexes) = try createParent()
    let names = try PartitionNames(of: target, in: connection)
    let order = CurveOrder(load.table)
    var summary = Summary()
    for number in 0..<partitioning.count {
      let partition = target.renamed(names.name(of: number))
      try connection.execute(
        "CREATE TABLE \(partition.quoted) () INHERITS (\(whole.quoted))")
      let sent = summary.rows
      summary += try load.copy(
        partitioning.rows(of: number, among: order.count), of: order, into: partition,
        in: connection, options: "FORMAT binary, FREEZE"
      ) { progress(sent + $0) }
      try load.makeIndexes(on: partition, target: partition, in: connection)
      _ = try load.constrain(partition, in: connection)
      try names.comment(on: partition, in: connection)
      try connection.execute("ANALYZE \(partition.quoted)")
    }
    try publish(whole, indexes: indexes)
    summary.partitions = partitioning.count
    return summary
  }

  /// Makes the empty table that partitions inherit from.
  func createParent() throws(PostgresError) -> (PostgresName, [TableLoad.IndexName]) {
    let whole = newName()
    try load.create(whole, in: connection)
    return (whole, try load.makeIndexes(on: whole, target: target, in: connection))
  }

  /// Replaces the target by a table that was made under another name.
  func publish(_ whole: PostgresName, indexes: [TableLoad.IndexName]) throws(PostgresError) {
    if try connection.hasRelation(target) {
      guard existing == .replace else {
        throw PostgresError(
          .usage,
          message:
            "somebody has made a table '\(target.text)' of \(connection.address) during the push")
      }
      try connection.drop(target)
    }
    try connection.execute(
      "ALTER TABLE \(whole.quoted) RENAME TO \(SQLName.quoted(target.name))")
    for (made, wanted) in indexes {
      try rename(index: target.renamed(made), to: target.renamed(wanted))
    }
  }

  private func newName() -> PostgresName {
    target.renamed("cairn_load_\(UInt32.random(in: 0 ... .max))")
  }

  /// Gives an index its usual name, unless that is too long or the name of something else.
  private func rename(index: PostgresName, to name: PostgresName) throws(PostgresError) {
    guard name.name.utf8.count <= PostgresName.maxBytes, try !connection.hasRelation(name) else {
      return
    }
    try connection.execute("ALTER INDEX \(index.quoted) RENAME TO \(SQLName.quoted(name.name))")
  }

  // MARK: Merging

  /// Replaces rows with the same key, and adds the others.
  private func merge(_ progress: (Int) -> Void) throws(PostgresError) -> Summary {
    guard let key = load.columns.first(where: { $0.schema.isPrimaryKey }) else {
      throw PostgresError(
        .usage,
        message: "\(connection.address) already has a table '\(target.text)', and "
          + "'\(load.table.schema.name)' has no primary key by which its rows could be replaced")
    }
    let name = PostgresName(schema: "pg_temp", name: "cairn_load")
    try load.createTemporary(name, in: connection)
    let order = CurveOrder(load.table)
    var summary = try load.copy(
      0..<order.count, of: order, into: name, in: connection, options: "FORMAT binary"
    ) { progress($0) }
    let others = load.columns.filter { !$0.schema.isPrimaryKey }
      .map { SQLName.quoted($0.schema.name) }
    let action =
      others.isEmpty
      ? "NOTHING"
      : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(target.quoted) (\(load.names)) SELECT \(casts()) FROM \(name.quoted) "
        + "ON CONFLICT (\(SQLName.quoted(key.schema.name))) DO \(action)")
    summary.isMerged = true
    return summary
  }

  /// The columns of a load, those with texts as the types of the target that a pull reads as texts, such
  /// as `jsonb` and enumerations. The types have no modifiers, so that the server does not cut a value.
  private func casts() throws(PostgresError) -> String {
    let rows = try connection.execute(
      """
      SELECT a.attname, format('%I.%I', n.nspname, t.typname)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        JOIN pg_namespace n ON n.oid = t.typnamespace
      WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped AND t.typcategory <> 'S'
      """, [PostgresParameter(text: target.quoted)])
    var types: [String: String] = [:]
    for row in rows { if let name = row[0] { types[name] = row[1] } }
    let found = try PostgresCatalogue(connection).table(target.text)
    return load.columns.map { column in
      let name = SQLName.quoted(column.schema.name)
      guard column.schema.type == .string, column.schema.collection == .none,
        found.column(named: column.schema.name)?.form == .castText,
        let type = types[column.schema.name]
      else { return name }
      return "\(name)::\(type)"
    }.joined(separator: ", ")
  }
}

extension PostgresPush.Summary {
  /// Adds the rows of another table.
  static func += (summary: inout Self, other: Self) {
    summary.rows += other.rows
    summary.bytes += other.bytes
    summary.roundedDates += other.roundedDates
  }
}
