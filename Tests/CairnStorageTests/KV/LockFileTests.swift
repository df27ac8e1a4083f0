import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// LMDB's lock file as Cairn uses it: the number of the last commit, the slots of readers, the number of
/// the process.
@Suite struct LockFileTests {
  private let folder: TemporaryFolder
  private var path: String { resolvedPath(folder.file()) }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store(.create)
    for number in 0..<4 {
      try store.write {
        _ = try $0.createTable(
          "c\(number)",
          columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
      }
    }
  }

  private func opened(_ body: (LMDBFile, LockFile) throws -> Void) throws {
    let file = try LMDBFile(path, realPath: path, readOnly: false, locks: true)
    defer { file.close() }
    _ = try file.openDatabase()
    try body(file, try #require(file.lockFile))
  }

  /// A number that is behind, as an opener that died has left it, is set before anybody uses it.
  @Test(arguments: [0, 1, 3] as [UInt64]) func aNumberThatIsBehindIsCorrected(left: UInt64) throws {
    try opened { file, lockFile in
      let table = LockTable(lockFile)
      let last = try #require(table.version)
      #expect(last == 5)
      #expect(table.setVersion(left, known: last))
      try LastCommit(file.handle, file: lockFile, path: path).requireKnown()
      #expect(table.version == last)
    }
  }

  /// A writer raises the number after it wrote the meta page.
  @Test func aNumberOneBehindMayBeRight() throws {
    try opened { file, lockFile in
      let table = LockTable(lockFile)
      #expect(table.setVersion(4, known: 5))
      try LastCommit(file.handle, file: lockFile, path: path).requireKnown()
      #expect(table.version == 4)
    }
  }

  /// Nothing is written if the file does not hold what LMDB has read from it.
  @Test func anUnknownLayoutIsLeftAlone() throws {
    try opened { _, lockFile in
      let table = LockTable(lockFile)
      #expect(!table.setVersion(7, known: 4))
      #expect(table.version == 5)
    }
  }

  /// Slots under the number of this process that were there before it are of dead processes.
  @Test func slotsOfAnEarlierProcessAreFreed() throws {
    let store = try folder.store(.readOnly)
    let file = store.environment.file
    let snapshots = try (0..<3).map { _ in try store.snapshot() }
    try withExtendedLifetime(snapshots) {
      #expect(store.environment.readerSlots().count == 3)
      LockTable(try #require(file.lockFile)).freeLeftSlots(of: file.handle)
      #expect(store.environment.readerSlots().isEmpty)
    }
  }

  /// A process in another container with the same number keeps this one out.
  @Test func aNumberThatIsTakenIsReported() throws {
    let holder = try Holder(folder.file() + "-lock", offset: Int(getpid()))
    defer { holder.stop() }
    let error = #expect(throws: StoreError.self) { try folder.store(.readOnly) }
    #expect(error?.kind == .numberTaken)
    #expect(error?.message.contains("under the same process number, \(getpid())") == true)
    holder.stop()
    _ = try folder.store(.readOnly)
  }

  /// While a process is opening the store, others wait; they do not take the first byte for shared.
  @Test func openersWaitForEachOther() throws {
    let holder = try Holder(folder.file() + "-lock", offset: 0)
    // Another process, because this one would keep all other tests from opening a store.
    let opener = Process()
    opener.executableURL = Command.worker
    opener.arguments = ["content", folder.file()]
    opener.standardOutput = FileHandle.nullDevice
    try opener.run()
    let file = open(folder.file() + "-lock", O_RDWR | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    try eventually("the opener has the opening lock") {
      RecordLock.conflict(
        Int32(F_WRLCK), on: file, bytes: 1 << 62..<1 << 62 + 1, kind: .openFile) != nil
    }
    // It would take a moment to go on. A slow machine can only make this pass.
    for _ in 0..<20 {
      usleep(1000)
      #expect(opener.isRunning)
    }
    holder.stop()
    opener.waitUntilExit()
    #expect(opener.terminationStatus == 0)
  }

  #if os(Linux)
  /// An opener that waited does not use a lock file that another one has replaced meanwhile.
  @Test(.enabled(if: access("/proc/locks", R_OK) == 0, "no /proc/locks on this machine"))
  func theFileIsLookedAtAgainAfterAWait() async throws {
    var code: Int32 = 0
    let first = try #require(try LockFile.opening(path, of: path, code: &code))
    var info = stat()
    #expect(fstat(first.descriptor, &info) == 0)
    let isCurrent = Locked<Bool?>(nil)
    let opener = Threads.startJoinable { [path = path] in
      var code: Int32 = 0
      let second = try? LockFile.opening(path, of: path, code: &code)
      isCurrent.withLock { $0 = second?.isCurrent }
    }
    // Linux marks requests that wait with an arrow.
    try await eventually("the opener waits for the lock") {
      try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
        $0.contains("-> OFDLCK") && $0.contains(":\(info.st_ino) ")
      }
    }
    #expect(unlink(first.path) == 0)
    first.endOpening()
    opener.join()
    #expect(isCurrent.withLock { $0 } == true)
  }
  #endif

  /// A process that holds a write lock on one byte of a file.
  private final class Holder {
    private let process = Process()

    init(_ path: String, offset: Int) throws {
      process.executableURL = Command.worker
      process.arguments = ["lock", path, "\(offset)"]
      let output = Pipe()
      (process.standardInput, process.standardOutput) = (Pipe(), output)
      try process.run()
      _ = output.fileHandleForReading.availableData
    }

    func stop() {
      // A process that a worker thread starts may have blocked other signals.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
}
