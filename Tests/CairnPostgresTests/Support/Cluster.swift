import CairnTestSupport
import Foundation

/// A PostgreSQL server with PostGIS for the tests of this process, with its data in a temporary folder
/// and a Unix socket only. It starts once, and ends with the process.
enum Cluster {
  /// The reason why no server runs; nil if one does.
  static let problem: String? = started.problem

  /// Whether a server runs. Tests that need one are skipped otherwise.
  static let isRunning: Bool = {
    if let problem { print("Tests with PostgreSQL are skipped: \(problem)") }
    return problem == nil
  }()

  /// The folder of the socket.
  static var socket: String { started.server?.socket ?? "" }

  /// The address of the server's only database.
  static func url(user: String? = nil) -> String {
    let name = user.map { "user=\($0)&" } ?? "user=\(Server.user)&"
    return "postgres:///postgres?\(name)host=\(socket)"
  }

  private static let started = Server.start()

  /// Runs SQL with psql, and returns the lines of its output.
  @discardableResult
  static func psql(_ sql: String) throws -> [String] {
    let outcome = try Command.launch(
      URL(fileURLWithPath: "\(started.server?.programs ?? "")/psql"),
      ["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url(), "-c", sql], input: nil, environment: [:],
      folder: nil)
    guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
    return outcome.lines
  }
}

/// The reason why a step of a test failed.
struct Problem: Error {
  let text: String
}

/// A server in a temporary folder.
struct Server {
  let programs: String
  let socket: String
  let data: String
  let process: Process

  /// The superuser of the database.
  static let user = "cairn"

  /// Starts a server for the tests, which is stopped when the process ends.
  static func start() -> (server: Server?, problem: String?) {
    do {
      let server = try Server()
      running = server
      atexit { Server.running?.stop() }
      return (server, nil)
    } catch let problem as Problem {
      return (nil, problem.text)
    } catch {
      return (nil, "\(error)")
    }
  }

  nonisolated(unsafe) private static var running: Server?

  /// Makes a cluster and starts its server.
  init() throws {
    guard let programs = Self.folders.first(where: { Self.exists("\($0)/initdb") }) else {
      throw Problem(text: "PostgreSQL is not installed")
    }
    self.programs = programs
    let base = "/tmp/cairn-postgres-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    socket = base
    data = base + "/data"
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: false)
    if getuid() == 0 { _ = Self.run("/bin/chown", ["postgres", base]) }
    let made = Self.asUser(
      "\(programs)/initdb",
      ["-D", data, "-U", Self.user, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"])
    guard made.code == 0 else {
      try? FileManager.default.removeItem(atPath: base)
      throw Problem(text: "initdb fails: \(made.errors)")
    }
    let settings = [
      "-c", "listen_addresses=", "-c", "unix_socket_directories=\(base)", "-c", "fsync=off",
      "-c", "shared_buffers=64MB", "-c", "max_connections=40", "-c", "logging_collector=off",
      "-c", "max_wal_size=4GB",
    ]
    process = try Self.launched(
      "\(programs)/postgres", ["-D", data] + settings, log: base + "/log")
    try waitUntilReady()
    let made2 = Self.run(
      "\(programs)/psql",
      [
        "-XqAt", "-d", "postgres:///postgres?user=\(Self.user)&host=\(base)", "-c",
        "CREATE EXTENSION postgis",
      ])
    guard made2.code == 0 else {
      stop()
      throw Problem(text: "PostGIS is not installed")
    }
  }

  private func waitUntilReady() throws {
    for _ in 0..<600 {
      let ready = Self.run("\(programs)/pg_isready", ["-q", "-h", socket])
      if ready.code == 0 { return }
      guard process.isRunning else { break }
      usleep(50_000)
    }
    stop()
    throw Problem(text: "the server does not start")
  }

  /// Ends the server and removes its data.
  func stop() {
    // SIGINT ends the server without waiting for its clients.
    let server = serverProcess ?? process.processIdentifier
    kill(server, SIGINT)
    for _ in 0..<500 where kill(server, 0) == 0 { usleep(10_000) }
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// The number of the server's own process, which `runuser` may have started.
  private var serverProcess: Int32? {
    let text = try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { Int32($0) }
  }

  private static let folders: [String] =
    (14...20).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    + ["/opt/homebrew/bin", "/usr/local/bin"]

  private static func exists(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// `initdb` and the server refuse to run as root.
  private static func words(_ program: String, _ arguments: [String]) -> (String, [String]) {
    getuid() == 0
      ? ("/usr/sbin/runuser", ["-u", "postgres", "--", program] + arguments) : (program, arguments)
  }

  private static func asUser(
    _ program: String, _ arguments: [String]
  ) -> (code: Int32, errors: String) {
    let (path, words) = words(program, arguments)
    return run(path, words)
  }

  private static func run(_ program: String, _ arguments: [String]) -> (code: Int32, errors: String)
  {
    do {
      let outcome = try Command.launch(
        URL(fileURLWithPath: program), arguments, input: nil, environment: [:],
        folder: URL(fileURLWithPath: "/tmp"))
      return (outcome.code, outcome.errors)
    } catch { return (1, "\(error)") }
  }

  private static func launched(
    _ program: String, _ arguments: [String], log: String
  ) throws -> Process {
    let (path, words) = words(program, arguments)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
    process.standardInput = FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return process
  }
}
