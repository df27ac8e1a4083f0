import CairnTestSupport
import Foundation
import Testing

/// `flock` is also the name of a structure.
private func lockFile(_ descriptor: Int32, _ operation: Int32) -> Int32 {
  flock(descriptor, operation)
}

/// Commands that use one store at the same time, and locks that other processes hold or have left
/// behind.
@Suite struct TwoProcessTests {
  /// Starts a command. Its output is discarded, unless a file is given for it.
  private func start(_ arguments: [String], output: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    if let output {
      _ = FileManager.default.createFile(atPath: output, contents: nil)
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    }
    try process.run()
    return process
  }

  /// While one process imports into a class, others read another class, check the file, and import.
  /// None sees half of an import.
  @Test func manyCommandsAtOnce() throws {
    let store = try RobustStore(rows: 1500)
    for round in 0..<Soak.count(1, long: 60) {
      let imports = try (0..<3).map {
        try start([
          "import", store.path, store.scratch["more.csv"], "--class", "class\(round)x\($0)",
          "--quiet",
        ])
      }
      var readings = 0
      repeat {
        let rows = try Command.run("count", store.path, "rows")
        #expect(rows.code == 0 && rows.output == "1500\n", "\(rows.errors)")
        let verify = try Command.run("verify", store.path)
        #expect(verify.code == 0, "\(verify.output) \(verify.errors)")
        for number in 0..<3 {
          let count = try Command.run("count", store.path, "class\(round)x\(number)")
          #expect(
            count.code == 64 || count.output == "2250\n",
            "an import is there or not: \(count.code) \(count.output) \(count.errors)")
        }
        readings += 1
      } while imports.contains(where: \.isRunning)
      for process in imports {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      for number in 0..<3 {
        #expect(
          try Command.run("count", store.path, "class\(round)x\(number)").output == "2250\n")
      }
      #expect(readings > 0)
    }
    #expect(try store.strayFiles() == [])
  }

  /// Compaction needs exclusive use of the store. Other commands wait for it, and answer correctly
  /// afterwards.
  @Test func compactionWhileOthersUseTheStore() throws {
    let store = try RobustStore(rows: 1500)
    let content = try store.content()
    var refused = 0
    for round in 0..<Soak.count(4, long: 100) {
      let both = try [
        start(["compact", store.path, "--quiet"]),
        start([
          "import", store.path, store.scratch["more.csv"], "--class", "class\(round)", "--quiet",
        ]),
        start(["count", store.path, "rows"], output: store.scratch["count"]),
        start(["compact", store.path, "--quiet"]),
      ]
      for process in both { process.waitUntilExit() }
      let codes = both.map(\.terminationStatus)
      #expect(
        [0, 74].contains(codes[0]) && [0, 74].contains(codes[3]), "round \(round): \(codes)")
      #expect(codes[1] == 0 && codes[2] == 0, "round \(round): \(codes)")
      #expect(try store.scratch.text("count") == "1500\n")
      if codes.contains(74) { refused += 1 }
      #expect(try Command.run("count", store.path, "class\(round)").output == "2250\n")
      #expect(try Command.run("verify", store.path).code == 0)
      #expect(try store.content() == content)
    }
    if Soak.isOn { print("compacting among others: \(refused) rounds in which one was refused") }
    #expect(try Command.run("compact", store.path).code == 0)
    #expect(try store.strayFiles() == [])
  }

  /// The error says which process has the store open.
  @Test func compactionOfAStoreInUseIsRefused() throws {
    let store = try RobustStore(rows: 100)
    let lock = open(store.path + "-lock", O_RDWR | O_CLOEXEC)
    // The same lock that LMDB holds while it has a store open.
    var request = flock()
    request.l_type = Int16(F_RDLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_len = 1
    #expect(lock >= 0 && fcntl(lock, F_SETLK, &request) == 0)
    let refused = try Command.run("compact", store.path)
    #expect(refused.code == 74)
    #expect(
      refused.errors
        == "Error: \(store.path) is open in process \(getpid()); close it there first, "
        + "or give it time with --wait 30s, or compact it with --online\n")
    #expect(try Command.run("count", store.path, "rows").output == "100\n")
    close(lock)
    #expect(try Command.run("compact", store.path).code == 0)
  }

  /// While another process holds the writer lock, reads continue, and a write waits and then
  /// succeeds.
  @Test func aLockHeldByAnotherProcess() throws {
    let store = try RobustStore(rows: 100)
    let lock = open(store.path + "-lock", O_RDWR | O_CLOEXEC)
    #expect(lock >= 0 && lockFile(lock, LOCK_EX) == 0)
    let waiting = RobustStore.Change.replace.process(store)
    waiting.standardError = try FileHandle(forWritingTo: store.scratch.file("errors", ""))
    try waiting.run()
    #expect(try Command.run("count", store.path, "rows").output == "100\n")
    #expect(try Command.run("verify", store.path).code == 0)
    // The command says so when it has waited for a second.
    try eventually("the command waits") {
      try store.scratch.text("errors")
    } until: {
      $0.hasSuffix("waiting\n")
    }
    #expect(waiting.isRunning)
    #expect(try Command.run("count", store.path, "rows").output == "100\n")
    close(lock)
    waiting.waitUntilExit()
    #expect(waiting.terminationStatus == 0)
    #expect(try Command.run("count", store.path, "rows").output == "200\n")
  }

  /// A command that waits for a lock for long says which process holds it.
  @Test(arguments: ["writer", "load", "alone"]) func waitsAreReported(what: String) throws {
    let store = try RobustStore(rows: 100)
    let held = what == "load" ? store.path : store.path + "-lock"
    let lock = open(held, O_RDWR | O_CLOEXEC)
    if what == "alone" {
      var request = flock()
      request.l_type = Int16(F_WRLCK)
      request.l_whence = Int16(SEEK_SET)
      request.l_len = 1
      #expect(lock >= 0 && fcntl(lock, F_SETLK, &request) == 0)
    } else {
      #expect(lock >= 0 && lockFile(lock, LOCK_EX) == 0)
    }
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = [
      "import", store.path, store.scratch["more.csv"], "--class", "others", "--quiet",
    ]
    let errors = try store.scratch.file("errors", "")
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    try eventually("the command says why it waits") {
      try store.scratch.text("errors")
    } until: {
      $0.hasSuffix("\n") || !process.isRunning
    }
    #expect(process.isRunning)
    close(lock)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let who = "process \(getpid())"
    let words =
      switch what {
      case "writer": "\(who) is writing to \(store.path)"
      case "load": "\(who) is importing into \(store.path)"
      default: "\(who) has exclusive use of \(store.path), as for compacting"
      }
    let said = try store.scratch.text("errors")
    #expect(
      [
        "Note: \(words); waiting\n",
        "Note: \(words.replacing(who, with: "another process")); waiting\n",
      ]
      .contains(said), "\(said)")
  }

  /// A lock file of another program, of another size, or of a killed process does not block a
  /// command.
  @Test(arguments: ["", "not a lock file", String(repeating: "x", count: 70_000)])
  func anOldLockFileDoesNotBlock(text: String) throws {
    let store = try RobustStore(rows: 100)
    let content = try store.content()
    try Data(text.utf8).write(to: URL(fileURLWithPath: store.path + "-lock"))
    #expect(try store.content() == content)
    #expect(try Command.run("verify", store.path).code == 0)
    try Data(text.utf8).write(to: URL(fileURLWithPath: store.path + "-lock"))
    let outcome = try RobustStore.Change.replace.run(store)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.run("count", store.path, "rows").output == "200\n")
  }

  /// A file system without locks, or without notifications of writes.
  @Test(
    .enabled(if: Faults.library != nil, "\(Faults.reason)"),
    arguments: ["flock", "locks", "inotify"])
  func fileSystemsWithoutLocksOrNotifications(lack: String) throws {
    let store = try RobustStore(rows: 100)
    let content = try store.content()
    let environment = Faults.environment(on: "nothing", lacks: lack)
    let count = try Command.run(["count", store.path, "rows"], environment: environment)
    #expect(count.code == 0 && count.output == "100\n", "\(count.errors)")
    #expect(count.errors.contains("is read without its lock file") == (lack == "locks"))
    let verify = try Command.run(["verify", store.path], environment: environment)
    #expect(verify.code == 0, "\(verify.errors)")
    let change = try RobustStore.Change.replace.run(store, environment: environment)
    if lack == "inotify" {
      #expect(change.code == 0, "\(change.errors)")
    } else {
      #expect(change.code == 74, "\(change.errors)")
      #expect(change.errors.contains("No locks available"), "\(change.errors)")
      #expect(try store.content() == content)
      #expect(try store.strayFiles() == [])
    }
  }
}
