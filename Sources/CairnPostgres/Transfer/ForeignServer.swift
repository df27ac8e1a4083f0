/// A server that keeps partitions, as the database of the whole table reaches it: through `postgres_fdw`.
struct ForeignServer: Sendable {
  /// The name of the server in the database, which depends only on where the server is.
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
    let place = ["hostaddr", "host", "port", "dbname"].compactMap { settings[$0] }
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
    let known = try connection.execute(
      """
      SELECT split_part(o, '=', 1) FROM pg_foreign_server s, unnest(s.srvoptions) o WHERE s.srvname = $1
      UNION ALL SELECT '' FROM pg_foreign_server s WHERE s.srvname = $1
      """, [PostgresParameter(text: name, type: 19)]
    ).compactMap { $0.first.flatMap { $0 } }
    if known.isEmpty {
      try connection.execute(
        "CREATE SERVER \(quoted) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (\(Self.list(options)))")
    } else {
      let changes = options.map { option in
        "\(known.contains(option.name) ? "SET" : "ADD") \(option.name) \(SQLName.literal(option.value))"
      }
      try connection.execute("ALTER SERVER \(quoted) OPTIONS (\(changes.joined(separator: ", ")))")
    }
    try connection.execute("DROP USER MAPPING IF EXISTS FOR CURRENT_USER SERVER \(quoted)")
    try connection.execute(
      "CREATE USER MAPPING FOR CURRENT_USER SERVER \(quoted) OPTIONS (\(Self.list(user)))")
  }

  private static func list(_ options: [(name: String, value: String)]) -> String {
    options.map { "\($0.name) \(SQLName.literal($0.value))" }.joined(separator: ", ")
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
