import Foundation

/// A PostgreSQL server with PostGIS of the tests' own, in a temporary folder and on a socket there.
///
/// It starts once for all tests of a process. A shell waits for the end of its standard input, which
/// comes when the process ends in whatever way, and then stops the server.
public final class PostgresCluster: Sendable {
  /// The server of this process; nil if PostgreSQL or PostGIS is not installed.
  public static let shared: PostgresCluster? = PostgresCluster()

  /// Whether PostgreSQL and PostGIS are installed, without starting a server.
  public static let isInstalled = binaries != nil

  /// The reason for skipping a test without a server.
  public static let reason = "PostgreSQL with PostGIS is not installed"

  /// The folder of the socket, which is the host of a connection.
  public let host: String
  private let folder: TemporaryFolder
  private let lifeline: Pipe

  /// The folder of the server's programs, if PostGIS is installed with it.
  private static let binaries: String? = {
    let manager = FileManager.default
    let root = "/usr/lib/postgresql"
    let versions = (try? manager.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.first { version in
      manager.fileExists(atPath: "/usr/share/postgresql/\(version)/extension/postgis.control")
        && manager.isExecutableFile(atPath: "\(root)/\(version)/bin/initdb")
    }.map { "\(root)/\($0)/bin" }
  }()

  /// PostgreSQL does not run as root, so its programs run as the user `postgres` then. The default
  /// collation is that of a language, so that a comparison that forgets its collation shows.
  private static let script = """
    run=
    if [ "$(id -u)" = 0 ]; then chown postgres "$2"; run='runuser -u postgres --'; fi
    cd "$2"
    create="$run $1/initdb -D $2/data -U postgres -A trust -E UTF8 -N --locale=C.UTF-8"
    $create --locale-provider=icu --icu-locale=en-US >initdb.log 2>&1 || { rm -rf data; $create >initdb.log 2>&1; }
    start="$run $1/pg_ctl -D $2/data -w -t 300 -l $2/data/server.log start -o"
    echo "$start '-k $2 -c listen_addresses= -c fsync=off -c max_connections=50 -c timezone=Asia/Kathmandu'" >start.sh
    sh start.sh >start.log 2>&1 || exit 1
    $1/psql -h "$2" -U postgres -X -q -c 'CREATE EXTENSION postgis' >extension.log 2>&1 && echo ready
    while read; do sh start.sh </dev/null >restart.log 2>&1; done
    $run $1/pg_ctl -D $2/data stop -m immediate >/dev/null 2>&1
    rm -rf "$2"
    """

  private init?() {
    guard let binaries = Self.binaries, let folder = try? TemporaryFolder() else { return nil }
    self.folder = folder
    host = folder.url.path
    lifeline = Pipe()
    let output = Pipe()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", Self.script, "postgres", binaries, host]
    shell.standardInput = lifeline
    shell.standardOutput = output
    guard (try? shell.run()) != nil else { return nil }
    let answer = output.fileHandleForReading.availableData
    guard String(decoding: answer, as: UTF8.self) == "ready\n" else { return nil }
  }

  /// Starts a server besides the shared one, for a test that kills it; nil if it does not start.
  public static func another() -> PostgresCluster? { PostgresCluster() }

  /// Kills the server and everything that it does, without a shutdown.
  public func kill() throws {
    let file = try folder.text("data/postmaster.pid")
    guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw Command.Failure(description: "postmaster.pid has no number: \(file)")
    }
    _ = Foundation.kill(process, SIGQUIT)
    try eventually("the server has ended") { Foundation.kill(process, 0) != 0 }
  }

  /// Starts the server again after it was killed, which makes it recover.
  ///
  /// The shell of the first start does so. `Process` would wait for the server too, which inherits the
  /// descriptor by which it notices the end of a process.
  public func restart() throws {
    try lifeline.fileHandleForWriting.write(contentsOf: Data("start\n".utf8))
    try eventually("the server answers again") { (try? run("SELECT 1")) == ["1"] }
  }

  /// Runs a script of SQL and returns the lines of its output: the columns are separated by tabs.
  public func run(_ script: String, database: String = "postgres") throws -> [String] {
    let outcome = try Command.launch(
      URL(fileURLWithPath: "\(Self.binaries ?? "")/psql"),
      [
        "-h", host, "-U", "postgres", "-d", database, "-X", "-q", "-A", "-t", "-F", "\t", "-v",
        "ON_ERROR_STOP=1",
      ],
      input: script, environment: ["PGOPTIONS": "-c client_min_messages=error"], folder: nil)
    guard outcome.code == 0 else { throw Command.Failure(description: outcome.errors) }
    return outcome.lines
  }
}
