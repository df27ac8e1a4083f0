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
