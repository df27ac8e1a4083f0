import CairnTestSupport
import Foundation
import Testing

/// Commands that are ended while they write a file: nothing of it remains, immediately or after the
/// next command.
@Suite struct LeftoverTests {
  private func names(_ store: RobustStore) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: store.scratch.url.path))
  }

  /// A command that is not started.
  private func command(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return process
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalRemovesTheFileOfACompaction(number: Int32) throws {
    let store = try RobustStore(rows: 4000)
    let content = try store.content()
    var ended = 0
    // A compaction may end before the signal.
    try eventually("the signal ends three compactions") {
      let process = command(["compact", store.path, "--quiet"])
      try Moments.start(process)
      try eventually("the compaction has a file, or has ended") {
        !process.isRunning || FileManager.default.fileExists(atPath: store.path + ".compacting")
      }
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal {
        #expect(process.terminationStatus == number)
        ended += 1
      } else {
        #expect(process.terminationStatus == 0)
      }
      #expect(try store.strayFiles() == [])
      #expect(try store.content() == content)
      return ended
    } until: {
      $0 == 3
    }
  }

  /// The command starts as under `nohup`.
  @Test func anIgnoredSignalRemainsIgnored() throws {
    let store = try RobustStore(rows: 500)
    let compact = ["compact", store.path, "--quiet"]
    let moments = try Moments(on: "store.cairn") { environment in
      let outcome = try Command.run(compact, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let process = command(compact)
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      ["-c", "trap '' HUP; exec \"$0\" \"$@\"", Command.executable.path] + compact
    try moments.end(process, at: 0.5, with: SIGHUP)
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try Command.run("verify", store.path).code == 0)
  }

  /// The next writer removes the file of a killed compaction.
  @Test(arguments: [.load, .update, .compact] as [RobustStore.Change])
  func theNextWriterRemovesTheFileOfAKilledCompaction(change: RobustStore.Change) throws {
    let store = try RobustStore(rows: 1000)
    for name in [".compacting", ".compacting-lock"] {
      try Data(count: 50_000).write(to: URL(fileURLWithPath: store.path + name))
    }
    #expect(try Command.run("count", store.path, "rows").code == 0)
    #expect(try store.strayFiles().count == 2, "a reader removes nothing")
    #expect(try change.run(store).code == 0)
    #expect(try store.strayFiles() == [])
  }

  /// An export is killed at any moment, with or without an existing file: afterwards there is only
  /// the old or the new file.
  @Test(arguments: [true, false]) func aKilledExportLeavesNothing(hasFile: Bool) throws {
    let store = try RobustStore(rows: 3000)
    let whole = try Command.run("query", store.path, "rows", "--format", "csv").output
    let path = store.scratch["out.csv"]
    let before = try names(store)
    let arguments = ["export", store.path, "rows", "--output", path]
    let moments = try Moments(on: store.scratch.url.lastPathComponent) { environment in
      let outcome = try Command.run(arguments, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    var random = SplitMix64(seed: 77)
    for turn in 0..<Soak.count(10, long: 300) {
      try? FileManager.default.removeItem(atPath: path)
      if hasFile { try store.scratch.file("out.csv", "old") }
      try moments.end(
        command(arguments), at: .random(in: 0..<1.2, using: &random),
        with: turn % 2 == 0 ? SIGKILL : SIGTERM, byTime: Soak.isOn && turn % 4 > 1)
      let now = try names(store)
      #expect(now.subtracting(before).isSubset(of: ["out.csv"]), "turn \(turn): \(now)")
      if hasFile || now.contains("out.csv") {
        let text = try store.scratch.text("out.csv")
        #expect(text == whole || (hasFile && text == "old"), "turn \(turn): \(text.count)")
      }
    }
  }

  /// The new file has the mode of the file that it replaces, also through a symbolic link.
  @Test func aReplacedFileKeepsItsModeAndItsLinks() throws {
    let store = try RobustStore(rows: 20)
    try store.scratch.file("real.csv", "old")
    _ = try Command.shell("chmod 600 real.csv; ln -s real.csv link.csv", in: store.scratch.url)
    #expect(
      try Command.run("export", store.path, "rows", "--output", store.scratch["link.csv"]).code == 0
    )
    let outcome = try Command.shell(
      "stat -c %a real.csv; readlink link.csv; wc -l < real.csv; umask 027; "
        + "cairn export store.cairn rows --output new.csv --quiet; stat -c %a new.csv",
      in: store.scratch.url)
    #expect(outcome.lines == ["600", "real.csv", "21", "640"], "\(outcome)")
  }

  private static let nobody: String? = {
    guard geteuid() == 0 else { return nil }
    let way = "setpriv --reuid 65534 --regid 65534 --clear-groups "
    return (try? Command.shell(way + "cairn --version"))?.code == 0 ? way : nil
  }()

  /// Compaction of another user's store is refused, because it would change the owner.
  @Test(.enabled(if: nobody != nil, "commands cannot run as another user"))
  func compactionByAnotherUserIsRefused() throws {
    let store = try RobustStore(rows: 200)
    let nobody = try #require(Self.nobody)
    _ = try Command.shell(
      "chmod 777 .; chmod 666 store.cairn store.cairn-lock", in: store.scratch.url)
    let before = try Command.shell("stat -c '%a %u %g %i' store.cairn; ls", in: store.scratch.url)
      .output
    let outcome = try Command.shell(nobody + "cairn compact store.cairn", in: store.scratch.url)
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("belongs to another user or group"), "\(outcome.errors)")
    #expect(
      try Command.shell("stat -c '%a %u %g %i' store.cairn; ls", in: store.scratch.url).output
        == before)
    // The owner may compact it, whoever that is.
    _ = try Command.shell("chown 65534:65534 store.cairn", in: store.scratch.url)
    let own = try Command.shell(
      nobody + "cairn compact store.cairn --quiet && stat -c '%a %u %g' store.cairn",
      in: store.scratch.url)
    #expect(own.code == 0 && own.output == "666 65534 65534\n", "\(own)")
  }
}
