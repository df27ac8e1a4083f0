import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// A store whose file is deleted, or replaced by another one, while a process has it open.
@Suite struct ReplacedStoreTests {
  private let store: RobustStore

  init() throws { store = try RobustStore(rows: 100) }

  private func insert(_ store: Store, _ number: Int) throws {
    try store.write { transaction in
      let table = try #require(transaction.table("rows"))
      try table.insert(
        table.table.schema.properties.map { $0.name == "id" ? .int(Int64(number)) : .null })
    }
  }

  /// Commits to a file without a name would be lost, so they are refused.
  @Test(arguments: [false, true]) func writesAreRefused(byAnother: Bool) throws {
    let open = try Store.open(store.path, mode: .readWrite)
    try insert(open, 1000)
    try? FileManager.default.removeItem(atPath: store.path)
    if byAnother { try FileManager.default.moveItem(atPath: makeOther(), toPath: store.path) }
    #expect(open.isReplaced)
    let error = #expect(throws: StoreError.self) { try insert(open, 1001) }
    #expect(error?.kind == .replaced)
    #expect(error?.message.contains("was deleted or replaced") == true)
    // What was open remains readable.
    #expect(try open.snapshot().table("rows")?.liveCount == 101)
  }

  /// A transaction that began before the file was replaced is not committed.
  @Test func aTransactionInBetweenIsRefused() throws {
    let open = try Store.open(store.path, mode: .readWrite)
    let transaction = try open.beginWrite()
    let table = try #require(transaction.table("rows"))
    try table.delete(0)
    try FileManager.default.moveItem(atPath: makeOther(), toPath: store.scratch["other"])
    rename(store.scratch["other"], store.path)
    let error = #expect(throws: StoreError.self) { try transaction.commit() }
    #expect(error?.kind == .replaced)
    #expect(try Command.run("count", store.path, "rows").output == "7\n")
  }

  /// The new file does not share the lock file with those who have the old one: their commit numbers
  /// have nothing to do with each other.
  @Test func theNewFileHasItsOwnLockFile() throws {
    let open = try Store.open(store.path, mode: .readWrite)
    for number in 0..<20 { try insert(open, 1000 + number) }
    let snapshot = try open.snapshot()
    rename(try makeOther(), store.path)
    for size in 1...5 {
      let update = try Command.run(
        "update", store.path, "rows", "id == 3", "--set", "size = \(size)", "--quiet")
      #expect(update.code == 0, "\(update.errors)")
      #expect(
        try Command.lines(
          "query", store.path, "rows", "id == 3", "--select", "size", "--format", "csv")
          == ["size", "\(size)"])
      #expect(try Command.run("verify", store.path).code == 0)
    }
    #expect(snapshot.table("rows")?.liveCount == 120)
    #expect(try Command.run("count", store.path, "rows").output == "7\n")
  }

  /// Another store with a class of the same name.
  private func makeOther() throws -> String {
    let path = store.scratch["other.cairn"]
    try store.scratch.file("few.csv", RobustStore.csv(0..<7))
    _ = try Command.lines(
      "import", path, store.scratch["few.csv"], "--class", "rows", "--key", "id", "--quiet")
    return path
  }
}

/// Compaction among processes that use the store.
@Suite struct BusyCompactionTests {
  /// Starts a command without output.
  private func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Commands follow each other without a pause. Compaction waits for those that run, and those that
  /// start wait for it; or it goes on beside them.
  @Test(arguments: [["--wait", "60s"], ["--online"]])
  func compactionBesideCommands(options: [String]) throws {
    let store = try RobustStore(rows: 1500)
    let compacting = Locked(false)
    let writes = Locked(0)
    let reads = Locked(0)
    let failures = Locked<[String]>([])
    func loop(_ count: Locked<Int>, _ arguments: @escaping @Sendable (Int) -> [String]) -> Thread {
      let thread = Thread {
        while !compacting.value {
          let number = count.value
          let outcome = try? Command.run(arguments(number))
          if outcome?.code == 0 {
            count.withLock { $0 += 1 }
          } else {
            failures.withLock { $0.append("\(arguments(number)): \(outcome?.errors ?? "")") }
          }
        }
        count.withLock { $0 += 1_000_000 }
      }
      thread.start()
      return thread
    }
    let path = store.path
    let threads = [
      loop(reads) { _ in ["count", path, "rows"] },
      loop(writes) {
        ["update", path, "rows", "id == 1", "--set", "size = \($0 + 1)", "--quiet"]
      },
    ]
    for round in 0..<Soak.count(4, long: 40) {
      let outcome = try Command.run(["compact", path, "--quiet"] + options)
      #expect(outcome.code == 0, "round \(round): \(outcome.errors)")
    }
    compacting.withLock { $0 = true }
    try eventually("the last commands have ended", seen: (reads.value, writes.value)) {
      reads.value >= 1_000_000 && writes.value >= 1_000_000
    }
    #expect(threads.allSatisfy { $0.isFinished || $0.isExecuting })
    #expect(failures.value == [])
    let last = writes.value - 1_000_000
    #expect(
      try Command.lines("query", path, "rows", "id == 1", "--select", "size", "--format", "csv")
        == ["size", "\(last)"], "the last acknowledged change is there")
    #expect(try Command.run("verify", path).code == 0)
    #expect(try store.strayFiles() == [])
  }

  /// Imports wait for an online compaction, and it for them.
  @Test func onlineCompactionBesideImports() throws {
    let store = try RobustStore(rows: 1500)
    for round in 0..<Soak.count(3, long: 40) {
      let processes = try [
        start([
          "import", store.path, store.scratch["more.csv"], "--class", "a\(round)", "--quiet",
        ]),
        start(["compact", store.path, "--online", "--quiet"]),
        start([
          "import", store.path, store.scratch["more.csv"], "--class", "b\(round)", "--quiet",
        ]),
      ]
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      for name in ["a", "b"] {
        #expect(try Command.run("count", store.path, "\(name)\(round)").output == "2250\n")
      }
    }
    #expect(try Command.run("verify", store.path).code == 0)
    #expect(try store.strayFiles() == [])
  }

  /// A reader that began before goes on with the old file.
  @Test func readersGoOn() throws {
    let store = try RobustStore(rows: 1500)
    let open = try Store.open(store.path, mode: .readOnly)
    let snapshot = try open.snapshot()
    #expect(try Command.run("compact", store.path, "--online", "--quiet").code == 0)
    #expect(snapshot.table("rows")?.liveCount == 1500)
    #expect(open.isReplaced)
    #expect(try Command.run("verify", store.path).code == 0)
    // Without --online, compaction is refused with the ways that there are.
    let reopened = try RobustStore(rows: 10)
    let held = try Store.open(reopened.path, mode: .readOnly)
    let refused = try Command.run("compact", reopened.path)
    #expect(refused.code == 74)
    #expect(refused.errors.contains("--wait 30s") && refused.errors.contains("--online"))
    let waited = try Command.run("compact", reopened.path, "--wait", "50ms")
    #expect(waited.code == 74 && waited.errors.contains("is open in process \(getpid())"))
    withExtendedLifetime(held) {}
  }
}
