import CairnStorage
import CairnValues

/// Reads the tables of a database from its catalogue.
package struct PostgresCatalogue {
  private let connection: PostgresConnection

  /// Makes a reader of a connection's database.
  package init(_ connection: PostgresConnection) { self.connection = connection }

  /// Returns the table of that name: one that the search path finds, or `schema.table`.
  ///
  /// - Throws: ``PostgresError`` with the nearest name if the table does not exist.
  package func table(_ name: String) throws(PostgresError) -> PostgresTable {
    let rows = try connection.execute(
      Self.relations + """
         AND ((c.relname = $1 AND pg_table_is_visible(c.oid)) OR n.nspname || '.' || c.relname = $1)
        ORDER BY pg_table_is_visible(c.oid) DESC LIMIT 1
        """, [PostgresParameter(text: name)])
    guard let row = rows.first, let table = try tables(rows: [row]).first else {
      let names = try names()
      let nearest = NearestName.of(name, among: names)
      let list = names.isEmpty ? "; it has no tables" : "; it has \(Self.list(names))"
      throw PostgresError(
        .usage,
        message: "\(connection.address) has no table '\(name)'"
          + (nearest.map { "; did you mean '\($0)'?" } ?? list))
    }
    return table
  }

  /// Returns the tables and views of all users, without those of extensions.
  package func tables() throws(PostgresError) -> [PostgresTable] {
    try tables(rows: connection.execute(Self.relations + Self.usersOwn))
  }

  /// Returns the names of the tables and views of all users; those outside of the search path with
  /// their schema.
  package func names() throws(PostgresError) -> [String] {
    try connection.execute(Self.relations + Self.usersOwn).compactMap { row in
      guard let schema = row[1], let name = row[2] else { return nil }
      return row[6] == "t" ? name : "\(schema).\(name)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  private static let relations = """
    SELECT c.oid, n.nspname, c.relname, c.relkind,
      CASE WHEN i.children = 0 THEN c.reltuples WHEN c.reltuples < 0 OR i.least < 0 THEN -1
        ELSE c.reltuples + i.rows END::int8,
      CASE WHEN c.relkind IN ('r', 'm') THEN pg_total_relation_size(c.oid) ELSE 0 END + i.bytes,
      pg_table_is_visible(c.oid), i.children > 0
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL (
        SELECT count(*) AS children, min(p.reltuples) AS least, sum(p.reltuples) AS rows,
          coalesce(sum(CASE WHEN p.relkind IN ('r', 'm') THEN pg_total_relation_size(p.oid) END), 0)::int8
            AS bytes
        FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
        WHERE h.inhparent = c.oid AND c.relkind = 'r') i
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p')
    """
  private static let usersOwn = """
     AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
      AND NOT c.relispartition
      AND NOT starts_with(coalesce(obj_description(c.oid, 'pg_class'), ''), 'cairn partition of ')
      AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    ORDER BY pg_table_is_visible(c.oid) DESC, n.nspname, c.relname
    """

  private func tables(rows: [[String?]]) throws(PostgresError) -> [PostgresTable] {
    var tables: [PostgresTable] = []
    for row in rows {
      guard let oid = row[0], let schema = row[1], let name = row[2] else { continue }
      let estimate = row[4].flatMap { Int($0) } ?? -1
      tables.append(
        PostgresTable(
          schema: schema, name: name,
          kind: row[3].flatMap(PostgresTable.Kind.init) ?? .table,
          estimatedRows: estimate < 0 ? nil : estimate, bytes: row[5].flatMap { Int($0) } ?? 0,
          hasPartitions: row[7] == "t", columns: try columns(of: oid)))
    }
    return tables
  }

  /// - Parameter table: The table's number.
  private func columns(of table: String) throws(PostgresError) -> [PostgresColumn] {
    let parameters = [PostgresParameter(text: table, type: 26)]
    let rows = try connection.execute(Self.attributes, parameters)
    let indexes = try connection.execute(Self.indexes, parameters)
    return rows.compactMap { row in
      guard let number = row[0], let name = row[1], let base = row[3] else { return nil }
      let modifier = row[5].flatMap { Int($0) } ?? -1
      let described = TypeDescription(
        base: base, element: row[4], modifier: modifier, comment: row[7])
      var column = PostgresColumn(
        name: name, sqlType: row[2] ?? base + GeometryModifier.text(modifier), type: described.type,
        collection: described.collection,
        isOptional: row[6] != "t" || described.collection != .none, form: described.form,
        srid: described.srid, isGeography: described.isGeography,
        comparesBytes: row[8] != "f")
      let own = indexes.filter { $0[1] == number }
      column.isPrimaryKey = own.contains { $0[2] == "t" && $0[3] == "1" }
      column.isInKey = indexes.contains { index in
        index[2] == "t" && index[4]?.split(separator: " ").contains { $0 == number } ?? false
      }
      column.index = own.first?[0]
      return column
    }
  }

  /// The server would load PostGIS, which takes longer than most queries, to format a geometry's type.
  private static let attributes = """
    SELECT a.attnum, a.attname,
      CASE WHEN t.typname NOT IN ('geometry', 'geography') THEN format_type(a.atttypid, a.atttypmod) END,
      b.typname, e.typname,
      CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END, a.attnotnull,
      col_description(a.attrelid, a.attnum), l.collisdeterministic
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
      LEFT JOIN pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
      LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attnum
    """

  /// The access method, the first column, whether the index is the primary key, the number of its columns, and
  /// the columns.
  private static let indexes = """
    SELECT m.amname, i.indkey[0], i.indisprimary, i.indnkeyatts, i.indkey
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
    WHERE i.indrelid = $1 AND i.indisvalid AND i.indpred IS NULL
    ORDER BY i.indisprimary DESC, c.relname
    """
}
