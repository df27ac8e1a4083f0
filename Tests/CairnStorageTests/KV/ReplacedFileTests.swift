import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Files that replace a store while it is open.
@Suite struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  /// Adds rows to a file, one in each commit.
  private static func add(_ count: Int, to store: Store) throws {
    for _ in 0..<count {
      try store.write { transaction in
        let table =
          try transaction.table("Row")
          ?? transaction.createTable(
            "Row", columns: [ColumnSchema(id: 0, name: "number", type: .int, position: 0)])
        try table.insert([.int(7)])
      }
    }
  }

  private static func rowCount(_ store: Store) throws -> Int {
    try store.snapshot().table("Row")?.liveCount ?? 0
  }

  /// Opens a store with one row, and replaces its file by one with five.
  private func replaced() throws -> Store {
    let old = try folder.store()
    try Self.add(1, to: old)
    try Self.add(5, to: Store.open(folder.file("new"), mode: .create))
    #expect(rename(folder.file("new"), path) == 0)
    return old
  }

  @Test func theNewFileIsOpenedBesideTheOldOne() throws {
    do {
      let old = try replaced()
      let snapshot = try old.snapshot()
      let new = try folder.store(.readWrite)
      #expect(try Self.rowCount(new) == 5)
      try Self.add(2, to: new)
      #expect(snapshot.table("Row")?.liveCount == 1)
      #expect(try Self.rowCount(old) == 1)
      let error = #expect(throws: StoreError.self) { try old.beginWrite() }
      #expect(error?.kind == .replaced)
      #expect(old.isReplaced && !new.isReplaced && old.file != new.file)
    }
    #expect(try Self.rowCount(folder.store(.readOnly)) == 7)
  }

  @Test func aStoreIsMadeWhereAnOpenOneWasDeleted() throws {
    let old = try folder.store()
    try Self.add(3, to: old)
    #expect(unlink(path) == 0)
    let new = try folder.store()
    #expect(try Self.rowCount(new) == 0)
    try Self.add(1, to: new)
    #expect(try Self.rowCount(old) == 3)
  }

  #if os(Linux)
  /// The lock file at the path counts the commits of the old file. Another process that used it for the
  /// new file would read an earlier commit, and write its own over the last one.
  @Test func anotherProcessMakesALockFileOfItsOwn() async throws {
    let old = try replaced()
    for count in 5..<7 {
      let outcome = try await Command.work("insert", path, "Row", "1")
      #expect(outcome.lines == ["\(count)", "\(count + 1)"], "\(outcome.errors)")
    }
    #expect(try Self.rowCount(old) == 1)
    #expect(try Self.rowCount(folder.store(.readWrite)) == 7)
    #expect(try Store.verify(path).isSound)
  }

  /// The lock file of the new store remains when the old one is closed, and while it is in use.
  @Test func theLockFileOfTheNewStoreRemains() throws {
    var old: Store? = try replaced()
    let new = try folder.store(.readWrite)
    let lock = FileIdentity(path: path + "-lock")
    #expect(lock != nil)
    #expect(old?.isReplaced == true)
    old = nil
    let again = try folder.store(.readWrite)
    #expect(FileIdentity(path: path + "-lock") == lock)
    #expect(try Self.rowCount(again) == Self.rowCount(new))
  }
  #endif
}
