import CairnTestSupport
import Foundation
import Testing

/// Stores that the caller may only read, or whose folder it may not write to. Under root, the
/// commands run as the user nobody, because root may do anything.
@Suite struct ReadOnlyStoreTests {
  /// The prefix that runs a command without root's rights; nil if this is impossible.
  private static let prefix: String? = {
    guard geteuid() == 0 else { return "" }
    let ways = [
      "setpriv --reuid 65534 --regid 65534 --clear-groups ", "runuser -u nobody -- ",
    ]
    return ways.first { (try? Command.shell($0 + "cairn --version"))?.code == 0 }
  }()

  private static let reason = "the tests run as root, and commands cannot run as nobody"

  private let scratch: TemporaryFolder
  private let store: String

  init() throws {
    scratch = try TemporaryFolder()
    store = scratch["store.cairn"]
    try scratch.file("rows.csv", "id,name,latitude,longitude\n1,one,10,20\n2,two,11,21\n")
    _ = try Command.lines("import", store, scratch["rows.csv"], "--class", "rows", "--quiet")
    try FileManager.default.removeItem(atPath: store + "-lock")
  }

  private func permit(_ mode: String, _ paths: String...) throws {
    for path in paths { #expect(try Command.shell("chmod \(mode) \(path)").code == 0) }
  }

  private func run(_ line: String) throws -> Command.Outcome {
    try Command.shell((Self.prefix ?? "") + "cairn " + line, in: scratch.url)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
  }

  private func expectReading(isNoted: Bool) throws {
    for (line, answer) in [
      ("count store.cairn rows", "2\n"),
      ("query store.cairn rows --select name --sort id --format csv", "name\none\ntwo\n"),
      ("query store.cairn rows --near 10,20 --limit 1 --select id --format csv", "id\n1\n"),
      ("count store.cairn rows --untrusted", "2\n"),
      ("export store.cairn rows --select id --output - --format csv", "id\n1\n2\n"),
    ] {
      let outcome = try run(line)
      #expect(outcome.code == 0, "\(line): \(outcome.errors)")
      #expect(outcome.output == answer, "\(line)")
      let note = "Note: store.cairn is read without its lock file, which cannot be used here.\n"
      #expect(outcome.errors == (isNoted ? note : ""), "\(line)")
    }
    for line in ["schema store.cairn", "stats store.cairn rows --of id", "verify store.cairn"] {
      let outcome = try run(line)
      #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(line): \(outcome.errors)")
    }
  }

  /// Each command is refused with 74 and a message that names the store, and changes nothing.
  private func expectNoWriting() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let before = try names()
    for line in [
      "import store.cairn rows.csv --class more", "import store.cairn rows.csv --class rows",
      "compact store.cairn",
    ] {
      let outcome = try run(line)
      #expect(outcome.code == 74, "\(line): \(outcome.code) \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(line)")
      #expect(outcome.errors.hasPrefix("Error: "), "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains("store.cairn"), "\(line): \(outcome.errors)")
      #expect(
        outcome.errors.contains("ermission denied") || outcome.errors.contains("Read-only"),
        "\(line): \(outcome.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    #expect(try names() == before)
  }

  @Test(.enabled(if: prefix != nil, "\(reason)"))
  func aFolderThatMayNotBeWrittenTo() throws {
    try permit("a+rw", store)
    try permit("0555", scratch.url.path)
    defer { try? permit("0755", scratch.url.path) }
    try expectReading(isNoted: true)
    try expectNoWriting()
  }

  @Test(.enabled(if: prefix != nil, "\(reason)"))
  func aStoreThatMayNotBeWrittenTo() throws {
    try permit("0777", scratch.url.path)
    try permit("0444", store)
    // The lock file can be created here, so readers are registered.
    try expectReading(isNoted: false)
    try expectNoWriting()
  }

  /// A store created by root: anyone may read the store, its lock file and the folder.
  @Test(.enabled(if: geteuid() == 0 && prefix != nil, "\(reason)"))
  func aStoreOfSomebodyElse() throws {
    #expect(try Command.run("count", store, "rows").code == 0)
    #expect(try names().contains("store.cairn-lock"))
    try permit("0755", scratch.url.path)
    try permit("0644", store, store + "-lock")
    try expectReading(isNoted: true)
    try expectNoWriting()
  }

  @Test(.enabled(if: prefix != nil, "\(reason)"))
  func aStoreThatMayNotBeRead() throws {
    try permit("0755", scratch.url.path)
    try permit("0000", store)
    for command in ["count store.cairn rows", "verify store.cairn", "compact store.cairn"] {
      let outcome = try run(command)
      #expect(outcome.code == 74, "\(command): \(outcome.errors)")
      #expect(outcome.errors == "Error: cannot open store.cairn: Permission denied\n", "\(command)")
    }
  }

  /// Compaction keeps the owner and the permissions of the store.
  @Test func compactingKeepsPermissions() throws {
    try permit("0640", store)
    if geteuid() == 0 { #expect(try Command.shell("chown 65534:65534 \(store)").code == 0) }
    let before = try Command.shell("stat -c '%a %u %g' \(store)").output
    #expect(try Command.run("compact", store).code == 0)
    #expect(try Command.shell("stat -c '%a %u %g' \(store)").output == before)
  }
}
