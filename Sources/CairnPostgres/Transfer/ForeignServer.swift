/// A server that keeps partitions, as the database of the whole table reaches it: through `postgres_fdw`.
struct ForeignServer: Sendable {
  /// The name of the server in the database, which depends only on where the server is and who logs in.
  let name: String
  /// How messages name the server.
  let address: PostgresAddress
  private let options: [(name: String, value: String)]
  private let user: [(name: String, value: String)]

  /// The options that describe where a server is, and those of TLS that the database needs too.
  private static let passedOn = [
    "host", "hostaddr", "port", "dbname", "sslmode", "sslrootcert", "sslcrl",
    "target_session_attrs",
  ]

  /// Describes the server of a connection.
  init(_ connection: PostgresConnection) {
    address = connection.address
    let settings = connection.settings
    let passed = Self.passedOn.compactMap { name in
      settings[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }
    options =
      passed + [
        // Conditions with functions of PostGIS are then decided on the server.
        (name: "extensions", value: "postgis"), (name: "async_capable", value: "true"),
        (name: "fetch_size", value: "2000"),
        // Nobody analyses foreign tables, because that would transfer all of their rows.
        (name: "use_remote_estimate", value: "true"),
      ]
    user = ["user", "password"].compactMap { name in
      settings[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }
    let place = ["user", "hostaddr", "host", "port", "dbname"].compactMap { settings[$0] }
      .filter { !$0.isEmpty }.joined(separator: " ")
    name = Self.shortened("cairn \(place)")
  }

  /// Cuts a name that is too long, and adds a number that depends on all of it.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > PostgresName.maxBytes else { return name }
    // FNV-1a, as draft-eastlake-fnv gives it.
    let hash = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    var start = name.unicodeScalars[...]
    while start.reduce(0, { $0 + UTF8.width($1) }) > 44 { start = start.dropLast() }
    return "\(String(String.UnicodeScalarView(start))) \(String(hash, radix: 16))"
  }

  /// Makes the server and the user's way to log in, or brings them up to date.
  func define(in connection: PostgresConnection) throws(PostgresError) {
    let quoted = SQLName.quoted(name)
    let parameters = [PostgresParameter(text: name, type: 19)]
    let server = try known(
      "SELECT '=' || array_to_string(srvoptions, E'\\n=') FROM pg_foreign_server WHERE srvname = $1",
      parameters, in: connection)
    if let server {
      if let changes = Self.changes(of: server, to: options) {
        try connection.execute("ALTER SERVER \(quoted) OPTIONS (\(changes))")
      }
    } else {
      try connection.execute(
        "CREATE SERVER \(quoted) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (\(Self.list(options)))")
    }
    let mapping = try known(
      """
      SELECT coalesce('=' || array_to_string(umoptions, E'\\n='), '') FROM pg_user_mappings
      WHERE srvname = $1 AND umuser = current_user::regrole
      """, parameters, in: connection)
    let target = "USER MAPPING FOR CURRENT_USER SERVER \(quoted)"
    if let mapping {
      if let changes = Self.changes(of: mapping, to: user) {
        try connection.execute("ALTER \(target) OPTIONS (\(changes))")
      }
    } else {
      try connection.execute("CREATE \(target) OPTIONS (\(Self.list(user)))")
    }
  }

  /// The options of a server or a mapping, each as `=name=value`; nil if there is none.
  private func known(
    _ statement: String, _ parameters: [PostgresParameter], in connection: PostgresConnection
  ) throws(PostgresError) -> [Substring]? {
    try connection.execute(statement, parameters).first.map { row in
      (row.first.flatMap { $0 } ?? "").split(separator: "\n")
    }
  }

  /// The changes that give the known options other values; nil if there are none. Options that only
  /// the user knows stay.
  private static func changes(
    of known: [Substring], to options: [(name: String, value: String)]
  ) -> String? {
    let changes = options.filter { !known.contains("=\($0.name)=\($0.value)") }.map { option in
      let verb = known.contains { $0.hasPrefix("=\(option.name)=") } ? "SET" : "ADD"
      return "\(verb) \(option.name) \(SQLName.literal(option.value))"
    }
    return changes.isEmpty ? nil : changes.joined(separator: ", ")
  }

  private static func list(_ options: [(name: String, value: String)]) -> String {
    options.map { "\($0.name) \(SQLName.literal($0.value))" }.joined(separator: ", ")
  }

  /// Throws if the database cannot read a table of the server.
  func requireReadable(
    _ table: PostgresName, in connection: PostgresConnection
  ) throws(PostgresError) {
    // The estimates come from the server.
    do throws(PostgresError) {
      try connection.execute("EXPLAIN SELECT FROM \(table.quoted)")
    } catch {
      throw error.prefixed("\(connection.address) cannot read \(address)")
    }
  }

  /// Makes the extension that reaches other servers.
  static func requireWrapper(in connection: PostgresConnection) throws(PostgresError) {
    let found = try connection.execute("SELECT FROM pg_extension WHERE extname = 'postgres_fdw'")
    guard found.isEmpty else { return }
    do throws(PostgresError) { try connection.execute("CREATE EXTENSION postgres_fdw") } catch {
      throw error.prefixed(
        "\(connection.address) needs the extension postgres_fdw to reach other servers")
    }
  }
}
