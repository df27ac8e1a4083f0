import CairnSystem
import CairnTestSupport
import Foundation
import Testing

/// A server that is killed while a command reads or writes.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct KilledServerTests {
  private let server: PostgresCluster
  private let url: String
  private let folder: TemporaryFolder

  init() throws {
    server = try #require(PostgresCluster.another())
    url = "postgres:///postgres?user=postgres&host=\(server.host)"
    folder = try TemporaryFolder()
  }

  /// Runs the command, and kills the server as soon as a statement finds what it waits for.
  private func kill(when statement: String, during arguments: [String]) throws -> Command.Outcome {
    let result = Mutex<Result<Command.Outcome, any Error>?>(nil)
    let running = Threads.startJoinable {
      let outcome = Result { try Command.run(arguments) }
      result.withLock { $0 = outcome }
    }
    let waiting = Result {
      try eventually("the command comes so far") { try server.run(statement) != ["0"] }
    }
    try server.kill()
    running.join()
    try waiting.get()
    return try #require(result.withLock { $0 }).get()
  }

  @Test func aQueryEndsWithAnErrorAndWithoutAFile() throws {
    // The server sends some rows and stops before the next, so that it is killed between rows.
    _ = try server.run(
      """
      CREATE VIEW slow AS SELECT i AS id,
        CASE WHEN i > 100 THEN repeat('x', 20000) || pg_sleep(3600) ELSE repeat('x', 20000) END AS words
      FROM generate_series(1, 100000) AS i
      """)
    let running =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cairn' AND query LIKE '%words%' AND wait_event = 'PgSleep'"
    let file = folder.file("slow.csv")
    let outcome = try kill(
      when: running, during: ["export", url, "slow", "--output", file, "--quiet"])
    #expect(outcome.code == 74 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("terminat") || outcome.errors.contains("closed the connection"),
      "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let after = try Command.run("count", url, "slow")
    #expect(after.code == 74 && after.errors.contains(server.host), "\(after.errors)")
  }

  @Test(arguments: [false, true])
  func aPushLeavesTheTableThatWasThere(hasPartitions: Bool) throws {
    let store = folder.file("places.cairn")
    let options = ["--quiet"] + (hasPartitions ? ["--partitions", "4"] : [])
    func load(_ rows: Int, _ more: [String]) throws -> [String] {
      let lines = (0..<rows).map { "\($0),\(Double($0 % 170) - 85),\(Double($0 % 350) - 175)\n" }
      let file = try folder.file("places.csv", "id,latitude,longitude\n" + lines.joined())
      let imported = try Command.run(
        "import", store, file.path, "--key", "id", "--on-conflict", "replace", "--quiet")
      #expect(imported.code == 0, "\(imported.errors)")
      return ["push", store, "places", url] + options + more
    }
    #expect(try Command.run(load(100, [])).code == 0)
    let tables = "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'f', 'i')"
    let before = try server.run(tables)
    // A reader keeps the loaded rows from being published until the server is killed.
    let reader = Threads.startJoinable {
      _ = try? server.run("BEGIN; SELECT count(*) FROM places; SELECT pg_sleep(3600);")
    }
    let outcome = try kill(
      when: "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'",
      during: load(5000, ["--replace"]))
    reader.join()
    #expect(outcome.code == 74 && !outcome.errors.isEmpty, "\(outcome)")
    try server.restart()
    #expect(try server.run("SELECT count(*) FROM places") == ["100"])
    #expect(try server.run(tables) == before)
    #expect(try Command.run(load(5000, ["--replace"])).code == 0)
    #expect(try Command.run("count", url, "places").output == "5000\n")
  }
}
