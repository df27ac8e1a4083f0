/// Transactions and tables.
extension PostgresConnection {
  /// Runs the body in a transaction, which ends with `COMMIT`, or with `ROLLBACK` if the body throws.
  package func transaction<Result>(
    _ body: () throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    try execute("BEGIN")
    do throws(PostgresError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      _ = try? execute("ROLLBACK")
      throw error
    }
  }

  /// Throws if the database lacks PostGIS and the class needs it.
  func requirePostGIS(for load: TableLoad) throws(PostgresError) {
    guard load.columns.contains(where: \.isSpatial) else { return }
    let found = try execute("SELECT FROM pg_extension WHERE extname = 'postgis'")
    guard found.isEmpty else { return }
    throw PostgresError(
      .usage,
      message: "\(address) has no PostGIS, which locations need; "
        + "CREATE EXTENSION postgis adds it to a database")
  }

  /// Whether a table, an index or another relation has that name.
  func hasRelation(_ name: PostgresName) throws(PostgresError) -> Bool {
    try execute("SELECT to_regclass($1)", [PostgresParameter(text: name.quoted)]) != [[nil]]
  }

  /// Whether other tables inherit from the table. Partitions that the server itself keeps do not
  /// count.
  func hasChildren(_ name: PostgresName) throws(PostgresError) -> Bool {
    try !execute(
      """
      SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
      WHERE c.oid = to_regclass($1) AND c.relkind = 'r' LIMIT 1
      """, [PostgresParameter(text: name.quoted)]
    ).isEmpty
  }

  /// Drops a table and the partitions that a push has made for it. Other tables that depend on it are
  /// an error.
  func drop(_ name: PostgresName) throws(PostgresError) {
    // Readers lock the table before its partitions, so another order would be a deadlock.
    let isTable = try !execute(
      "SELECT FROM pg_class WHERE oid = to_regclass($1) AND relkind IN ('r', 'p')",
      [PostgresParameter(text: name.quoted)]
    ).isEmpty
    if isTable { try execute("LOCK TABLE ONLY \(name.quoted) IN ACCESS EXCLUSIVE MODE") }
    let partitions = try execute(
      """
      SELECT CASE c.relkind WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END,
        format('%I.%I', n.nspname, c.relname)
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE i.inhparent = to_regclass($1) AND starts_with(obj_description(c.oid, 'pg_class'), $2)
      """,
      [
        PostgresParameter(text: name.quoted),
        PostgresParameter(text: PartitionNames.mark, type: 25),
      ])
    for kind in ["FOREIGN TABLE", "TABLE"] {
      let names = partitions.filter { $0[0] == kind }.compactMap { $0[1] }
      guard !names.isEmpty else { continue }
      try execute("DROP \(kind) \(names.joined(separator: ", "))")
    }
    try execute("DROP TABLE \(name.quoted)")
  }
}
