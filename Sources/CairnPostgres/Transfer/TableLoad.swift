import CairnStorage
import CairnValues

/// Makes a table for a class, and fills it with rows.
struct TableLoad: @unchecked Sendable {
  // Sendable: several threads use a load only if the snapshot of its table is shared.

  /// The class.
  let table: Table
  /// The properties that the table gets.
  let columns: [PushColumn]

  /// The columns of the table, for `CREATE TABLE`.
  private var definitions: String { columns.map(\.definition).joined(separator: ", ") }

  /// The names of the columns, separated by commas.
  var names: String { columns.map { SQLName.quoted($0.schema.name) }.joined(separator: ", ") }

  /// Makes an empty table with the comments that keep types that PostgreSQL lacks.
  func create(_ name: PostgresName, in connection: PostgresConnection) throws(PostgresError) {
    try connection.execute("CREATE TABLE \(name.quoted) (\(definitions))")
    try comment(on: name, in: connection)
  }

  /// Makes an empty table that is dropped at the end of the transaction.
  func createTemporary(_ name: PostgresName, in connection: PostgresConnection)
    throws(PostgresError)
  {
    try connection.execute(
      "CREATE TEMPORARY TABLE \(SQLName.quoted(name.name)) (\(definitions)) ON COMMIT DROP")
  }

  private func comment(
    on name: PostgresName, in connection: PostgresConnection
  ) throws(PostgresError) {
    for column in columns {
      guard let note = column.note else { continue }
      try connection.execute(
        "COMMENT ON COLUMN \(name.quoted).\(SQLName.quoted(column.schema.name)) "
          + "IS \(SQLName.literal(note.rawValue))")
    }
  }

  // MARK: Rows

  private static let portion = 1 << 18

  /// Sends rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, by their offset in the order.
  ///   - progress: Called now and then with the number of rows.
  func copy(
    _ rows: Range<Int>, of order: CurveOrder, into name: PostgresName,
    in connection: PostgresConnection, options: String,
    progress: (Int) throws(PostgresError) -> Void
  ) throws(PostgresError) -> PostgresPush.Summary {
    let encoder = CopyEncoder(table, columns: columns)
    var summary = PostgresPush.Summary()
    try connection.copyIn(
      "COPY \(name.quoted) (\(names)) FROM STDIN (\(options))"
    ) { (input) throws(PostgresError) in
      try order.forEach(in: rows) { (key) throws(PostgresError) in
        try encoder.append(key: key)
        summary.rows += 1
        guard encoder.bytes.count >= Self.portion else { return }
        try Self.send(encoder, to: input, summary: &summary)
        try progress(summary.rows)
      }
      encoder.finish()
      try Self.send(encoder, to: input, summary: &summary)
    }
    summary.roundedDates = encoder.roundedDates
    return summary
  }

  private static func send(
    _ encoder: CopyEncoder, to input: CopyInput, summary: inout PostgresPush.Summary
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

  // MARK: Indexes

  /// The name of an index, and the name that it gets with the table's own name.
  typealias IndexName = (made: String, wanted: String)

  /// Makes the primary key and the indexes.
  ///
  /// - Parameter target: The name that the table gets in the end.
  @discardableResult
  func makeIndexes(
    on load: PostgresName, target: PostgresName, in connection: PostgresConnection
  ) throws(PostgresError) -> [IndexName] {
    var names: [IndexName] = []
    for (number, column) in columns.enumerated() {
      let name = SQLName.quoted(column.schema.name)
      let made = "\(load.name)_\(number)"
      if column.schema.isPrimaryKey {
        try connection.execute(
          "ALTER TABLE \(load.quoted) ADD CONSTRAINT \(SQLName.quoted(made)) PRIMARY KEY (\(name))")
        names.append((made, "\(target.name)_pkey"))
      } else if column.isSpatial || column.schema.isIndexed && column.schema.collection == .none {
        try connection.execute(
          "CREATE INDEX \(SQLName.quoted(made)) ON \(load.quoted) "
            + "USING \(column.isSpatial ? "gist" : "btree") (\(name))")
        names.append((made, "\(target.name)_\(column.schema.name)_idx"))
      }
    }
    return names
  }

  // MARK: Bounds

  /// Lets the server check that the locations and geometries of a table stay within their bounds, which
  /// the planner relies on.
  ///
  /// - Returns: The condition of the check; nil for a class without any.
  func constrain(
    _ name: PostgresName, in connection: PostgresConnection
  ) throws(PostgresError) -> String? {
    guard let bounds = try bounds(of: name, in: connection) else { return nil }
    try connection.execute("ALTER TABLE \(name.quoted) ADD CONSTRAINT bounds CHECK (\(bounds))")
    return bounds
  }

  /// Returns the condition, for a `CHECK`, that the locations and geometries of a row are within the bounds of
  /// those of the table; nil for a class without any.
  ///
  /// The planner skips a table whose condition contradicts that of a query, so it has the functions
  /// that the compiler of conditions uses.
  private func bounds(
    of name: PostgresName, in connection: PostgresConnection
  ) throws(PostgresError) -> String? {
    let bounds = columns.filter(\.isSpatial).map(ColumnBounds.init)
    guard !bounds.isEmpty else { return nil }
    let figures = bounds.flatMap(\.figures).joined(separator: ", ")
    // The server then writes doubles with all their digits.
    try connection.execute("SET LOCAL extra_float_digits = 1")
    let found = try connection.execute("SELECT \(figures) FROM \(name.quoted)")
    var values = found.first.map { $0[...] } ?? []
    let conditions = bounds.map { column in
      defer { values = values.dropFirst(column.figures.count) }
      return column.condition(Array(values))
    }
    return conditions.joined(separator: " AND ")
  }
}

/// The bounds of a column of locations or geometries.
private struct ColumnBounds {
  private let name: String
  private let isPoint: Bool

  init(_ column: PushColumn) {
    name = SQLName.quoted(column.schema.name)
    isPoint = column.schema.isPoint
  }

  /// The expressions that have a lower bound, and those that have an upper one.
  private var lower: [String] {
    isPoint ? ["ST_X(\(name))", "ST_Y(\(name))"] : ["ST_XMin(\(name))", "ST_YMin(\(name))"]
  }
  private var upper: [String] {
    isPoint
      ? lower : ["ST_XMax(\(name))", "ST_YMax(\(name))", "(ST_XMax(\(name)) - ST_XMin(\(name)))"]
  }

  /// The figures that the condition needs.
  var figures: [String] { lower.map { "min(\($0))" } + upper.map { "max(\($0))" } }

  /// - Parameter values: The values of the figures; null in a table without a location.
  func condition(_ values: [String?]) -> String {
    let conditions = zip(zip(lower + upper, values), figures).map { pair, figure in
      guard let value = pair.1 else { return "\(pair.0) IS NULL" }
      return "\(pair.0) \(figure.hasPrefix("min") ? ">=" : "<=") \(SQLName.literal(value))::float8"
    }
    return conditions.joined(separator: " AND ")
  }
}
