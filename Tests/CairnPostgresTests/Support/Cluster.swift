import CairnTestSupport

/// The server of the tests, as these tests use it.
enum Cluster {
  /// Whether there is a server. Tests that need one are skipped otherwise, with `reason`.
  static let isInstalled = PostgresCluster.isInstalled

  /// The reason for skipping a test without a server.
  static let reason = "\(PostgresCluster.reason)"

  /// The address of a database. If the server does not start, no other server is used instead.
  static func url(database: String = "postgres") -> String {
    "postgres:///\(database)?user=postgres&host=\(PostgresCluster.shared?.host ?? "/nonexistent")"
  }

  /// Runs SQL, and returns the lines of its output.
  @discardableResult
  static func psql(_ sql: String, database: String = "postgres") throws -> [String] {
    guard let server = PostgresCluster.shared else {
      throw Problem(text: "the server does not start")
    }
    return try server.run(sql, database: database)
  }
}

/// The reason why a step of a test failed.
struct Problem: Error {
  let text: String
}
