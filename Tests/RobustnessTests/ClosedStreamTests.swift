import CairnTestSupport
import Foundation
import Testing

/// Commands and programs that start with closed standard streams: their output is lost, and never
/// goes into a store or its lock file.
@Suite struct ClosedStreamTests {
  /// The seven combinations of closed streams.
  static let ways = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"]

  private let scratch: TemporaryFolder

  init() throws {
    scratch = try TemporaryFolder()
    try scratch.file("rows.csv", RobustStore.csv(0..<600))
    try scratch.file(
      "area.geojson",
      #"{"type":"Polygon","coordinates":[[[-80,-80],[80,-80],[80,80],[-80,80],[-80,-80]]]}"#)
    _ = try Command.lines(
      "import", scratch["store.cairn"], scratch["rows.csv"], "--class", "rows", "--quiet")
  }

  private func shell(_ line: String) throws -> Command.Outcome {
    try Command.shell("timeout 300 " + line, in: scratch.url)
  }

  /// The exit code of a command whose output is lost.
  private static func code(_ command: String, _ way: String, writes: Bool) -> Int32 {
    writes && way.replacing("2>&-", with: "").contains(">&-") ? 74 : 0
  }

  @Test(arguments: ways) func noCommandHarmsTheStore(way: String) throws {
    let commands = [
      ("import store.cairn rows.csv --class more --progress json", false),
      ("import new.cairn rows.csv --class more --progress json", false),
      ("import store.cairn rows.csv --class dry --dry-run", true),
      ("count store.cairn rows", true), ("query store.cairn rows --format csv", true),
      ("query store.cairn rows --within area.geojson --format map", true),
      ("export store.cairn rows --output out.csv --progress json", false),
      ("export store.cairn rows --output - --format svg", true),
      ("stats store.cairn rows --of size --by name", true), ("schema store.cairn", true),
      ("verify store.cairn", true), ("compact store.cairn", false), ("--version", true),
      ("count store.cairn nothing", false),
    ]
    for (command, writes) in commands {
      let outcome = try shell("cairn \(command) \(way)")
      let expected =
        command.hasSuffix("nothing") ? 64 : Self.code(command, way, writes: writes)
      #expect(outcome.code == expected, "\(command) \(way): \(outcome.code) \(outcome.errors)")
    }
    #expect(try Command.lines("count", scratch["store.cairn"], "rows") == ["600"])
    #expect(try Command.lines("count", scratch["store.cairn"], "more") == ["600"])
    #expect(try Command.lines("count", scratch["new.cairn"], "more") == ["600"])
    #expect(try scratch.text("out.csv").split(separator: "\n").count == 601)
    for store in ["store.cairn", "new.cairn"] {
      #expect(try Command.run("verify", scratch[store]).code == 0, "\(way)")
      // The lock file contains only what LMDB writes.
      let lock = try Data(contentsOf: scratch.url.appendingPathComponent(store + "-lock"))
      #expect(lock.range(of: Data("event".utf8)) == nil, "\(way)")
    }
  }

  @Test func readingAClosedInputIsAnError() throws {
    for line in [
      "import store.cairn - --class piped", "import none.cairn -", "import store.cairn rows.csv -",
      "count store.cairn rows --within -",
    ] {
      let outcome = try shell("cairn \(line) <&-")
      #expect(outcome.code == 66, "\(line): \(outcome.errors)")
      #expect(outcome.errors == "Error: standard input is closed\n", "\(line)")
    }
    #expect(!scratch.exists("none.cairn") && !scratch.exists("none.cairn-lock"))
    #expect(try Command.run("count", scratch["store.cairn"], "piped").code == 64)
  }

  /// A program that uses the library does not open the streams that it was started without.
  @Test(arguments: ways) func noProgramHarmsTheStore(way: String) throws {
    _ = try Command.lines("count", scratch["store.cairn"], "rows")
    let outcome = try shell("cairn-worker mutter store.cairn rows \(way)")
    #expect(outcome.code == 0, "\(way): \(outcome.code) \(outcome.errors)")
    #expect(try Command.lines("count", scratch["store.cairn"], "rows") == ["597"])
    #expect(try Command.run("verify", scratch["store.cairn"]).code == 0, "\(way)")
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    where name.hasPrefix("store.cairn") {
      let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(name))
      #expect(bytes.range(of: Data("closed streams".utf8)) == nil, "\(way): \(name)")
    }
  }
}
