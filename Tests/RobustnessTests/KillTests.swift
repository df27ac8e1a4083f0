import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// Commands that are killed at any moment: the store opens, and has its state from before or after
/// the command.
@Suite struct KillTests {
  @Test(arguments: RobustStore.Change.allCases)
  func killedAtAnyMoment(change: RobustStore.Change) throws {
    let store = try RobustStore(rows: 2000)
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let before = try store.content()
    let moments = try Moments(on: "store.cairn") { environment in
      let outcome = try change.run(store, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let after = try store.content()
    try store.restore(whole)
    var random = SplitMix64(seed: 0xDEAD)
    for turn in 0..<Soak.count(4, long: 200) {
      try moments.end(
        change.process(store), at: .random(in: 0..<1.1, using: &random),
        byTime: Soak.isOn && turn % 2 == 1)
      let comment = "\(change), turn \(turn)"
      let outcome = try Command.run("verify", store.path)
      #expect(outcome.code == 0, "\(comment): \(outcome.output) \(outcome.errors)")
      let now = try store.content()
      #expect(now == before || now == after, "\(comment)")
      if now == after, change != .compact { try store.restore(whole) }
    }
    // Only compaction leaves a file with a name, which the next command removes.
    if change != .compact { #expect(try store.strayFiles() == []) }
    // The remains of the killed commands do not block the next one.
    if try store.content() == before { #expect(try change.run(store).code == 0) }
    #expect(try store.content() == after)
    #expect(try Command.run("verify", store.path).code == 0)
    #expect(try store.strayFiles() == [])
  }

  /// A writer is killed in the middle of its commits while this process has the store open. The lock
  /// file then may not know the last commit, and this process writes after it nevertheless.
  @Test func othersWriteAfterAKilledWriter() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(folder.file(), mode: .create)
    var random = SplitMix64(seed: 0xBEEF)
    var written = 0
    for turn in 0..<Soak.count(12, long: 300) {
      let process = Process()
      process.executableURL = Command.worker
      process.arguments = ["groups", store.path, "1", "100000"]
      (process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice
      )
      try process.run()
      let goal = written + Int.random(in: 1..<20, using: &random)
      try eventually("the other process has written") {
        try rowCount(store)
      } until: {
        $0 >= goal
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      _ = try store.write { try $0.table("Grouped")?.insert([.int(Int64(turn))]) }
      written = try rowCount(store)
    }
    #expect(try Command.run("verify", store.path).code == 0)
  }

  private func rowCount(_ store: Store) throws -> Int {
    try store.snapshot().table("Grouped")?.liveCount ?? 0
  }
}
