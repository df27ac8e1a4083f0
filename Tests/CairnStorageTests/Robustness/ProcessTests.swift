import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Stores that several processes use at once, and processes that die with a store open.
@Suite struct ProcessTests {
  let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "at", type: .point, isOptional: true),
  ]

  private func prepare(rows: Int) throws -> [String: UInt64] {
    let store = try folder.store()
    try Batch(Self.columns, rows: rows, seed: 1).load(into: store, location: 1, primaryKey: 0)
    return try store.dump()
  }

  @Test func aWriterKilledInsideATransactionLeavesNothing() async throws {
    let before = try prepare(rows: 1000)
    #expect(try await Command.work("die-writing", path, "Row").end == .signal(SIGKILL))
    let store = try folder.store(.readWrite)
    #expect(try store.dump() == before)
    try store.write { try $0.table("Row")?.delete(3) }
    #expect(try store.snapshot().table("Row")?.liveCount == 999)
  }

  /// A killed reader leaves its slot behind, and with it every page of its snapshot.
  @Test func aKilledReaderDoesNotKeepOldPages() async throws {
    _ = try prepare(rows: 1000)
    let store = try folder.store(.readWrite)
    #expect(try await Command.work("die-reading", path).end == .signal(SIGKILL))
    for key in 0..<400 { try store.write { try $0.table("Row")?.delete(key) } }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 8 << 20)
  }

  /// The values of the commit are written, but not the commit itself.
  @Test func aWriterKilledWithTheLockHeldLeavesNothing() async throws {
    let before = try prepare(rows: 1000)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try Store.open(path, mode: .readWrite)
      try store.environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        for number in 0..<2000 {
          try transaction.put(
            .changeLog(UInt64(number)), bytes: [UInt8](repeating: 1, count: 10_000))
        }
        kill(getpid(), SIGKILL)
      }
    }
    let store = try folder.store(.readWrite)
    #expect(try store.dump() == before)
    try store.write { try $0.table("Row")?.delete(3) }
    #expect(try store.snapshot().table("Row")?.liveCount == 999)
  }

  @Test func aLoadKilledBeforeItsLastCommitIsFreed() async throws {
    _ = try prepare(rows: 1000)
    // A row that is already marked as deleted adds no value to the file.
    let before = try folder.store(.readWrite).deletingRow(3)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try Store.open(path, mode: .readWrite)
      let load = try BulkLoad(
        store: store, table: "Row",
        columns: [
          BulkColumn(name: "key", type: .int, isOptional: false),
          BulkColumn(name: "at", type: .point, isOptional: true),
        ], location: 1, primaryKey: 0, indexed: [], onConflict: .error)
      let section = ColumnBatch(columns: load.columns)
      for key in 10_000..<30_000 as Range<Int64> {
        section.columns[0].append(int: key)
        section.columns[1].append(longitude: Double(key % 360) - 180, latitude: 5)
      }
      try load.add(section, number: 0)
      let writer = try BulkWriter(load)
      let run = try SortedRun(
        section, number: 0, location: 1, keepsOrdinals: true, into: load.spill)
      try writer.write(
        RunMerge([run], columns: load.columns, location: load.location, spill: load.spill))
      kill(getpid(), SIGKILL)
    }
    let store = try folder.store(.readWrite)
    #expect(try store.dump().keys.contains { $0.hasPrefix("pendingLoad") })
    #expect(try store.snapshot().table("Row")?.liveCount == 999)
    #expect(Set(try store.deletingRow(4).keys) == Set(before.keys))
    #expect(try folder.names() == ["test.cairn", "test.cairn-lock"])
  }

  /// Another process writes for as long as this one reads. Every reader sees whole commits only.
  @Test func oneProcessWritesWhileAnotherReads() async throws {
    do {
      let store = try folder.store()
      try store.write { transaction in
        let writer = try transaction.createTable(
          "Pair",
          columns: [
            ColumnSchema(id: 0, name: "a", type: .int, position: 0),
            ColumnSchema(id: 0, name: "b", type: .int, position: 1),
          ])
        try writer.insert([.int(0), .int(0)])
      }
    }
    let reader = Task.detached { [path = path as String] in
      try await eventually("the other process has started") {
        FileManager.default.fileExists(atPath: path + "-ready")
      }
      var seen: Set<Int64> = []
      while !seen.contains(400), !FileManager.default.fileExists(atPath: path + "-end") {
        let snapshot = try Store.open(path, mode: .readOnly).snapshot()
        let table = try #require(snapshot.table("Pair"))
        guard case .int(let a) = table.value(0, at: 0), case .int(let b) = table.value(1, at: 0)
        else { break }
        #expect(a == b)
        #expect(table.liveCount == Int(a) + 1 && table.endKey == Int(a) + 1)
        #expect(a >= seen.max() ?? 0, "an older version was read")
        seen.insert(a)
        if a == 0 { _ = FileManager.default.createFile(atPath: path + "-go", contents: nil) }
      }
      return seen.count
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      _ = FileManager.default.createFile(atPath: path + "-ready", contents: nil)
      try await eventually("the reader has begun") {
        FileManager.default.fileExists(atPath: path + "-go")
      }
      for turn in 1...400 as ClosedRange<Int64> {
        try Store.open(path, mode: .readWrite).write { transaction in
          guard let writer = transaction.table("Pair") else { return }
          try writer.set(.int(turn), position: 0, at: 0)
          try writer.insert([.int(turn), .int(turn)])
          try writer.set(.int(turn), position: 1, at: 0)
        }
      }
    }
    _ = FileManager.default.createFile(atPath: path + "-end", contents: nil)
    #expect(try await reader.value > 1)
  }

  /// Root may write anything, so a child process without privileges runs the test.
  @Test(.enabled(if: geteuid() == 0, "the tests do not run as root"))
  func aStoreWithoutWritePermission() async throws {
    _ = try prepare(rows: 10)
    for name in ["test.cairn-lock", "unlocked"] {
      try? FileManager.default.removeItem(atPath: folder.file(name))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let refusals = ["write: locked", "create: locked", "create another: locked"]
    let readable = try await Command.work("open-without-rights", path, "Row")
    #expect(readable.end == .exit(0))
    #expect(readable.lines == ["read: 10 rows, without a lock file"] + refusals)
    #expect(try folder.names() == ["test.cairn"])
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: path)
    let unreadable = try await Command.work("open-without-rights", path, "Row")
    #expect(unreadable.end == .exit(0))
    #expect(unreadable.lines == ["read: locked"] + refusals)
  }
}

/// Work on a thread of its own, which does not wait for other tests.
private final class OwnThread<Result: Sendable>: Sendable {
  private let task: Task<Result, any Error>

  init(_ body: @escaping @Sendable () throws -> Result) {
    let (results, continuation) = AsyncThrowingStream<Result, any Error>.makeStream()
    Thread.detachNewThread {
      do {
        continuation.yield(try body())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    task = Task {
      for try await result in results { return result }
      throw CancellationError()
    }
  }

  var value: Result {
    get async throws { try await task.value }
  }
}

extension Store {
  /// The content of the store after a row is deleted.
  fileprivate func deletingRow(_ key: Int) throws -> [String: UInt64] {
    try write { try $0.table("Row")?.delete(key) }
    return try dump()
  }
}
