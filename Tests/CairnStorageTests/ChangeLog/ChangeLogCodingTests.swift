import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct JournalTests {
  private static let columns = [
    ColumnSchema(id: 0, name: "n", type: .int, position: 0),
    ColumnSchema(id: 0, name: "at", type: .point, isOptional: true, position: 1),
  ]

  private func entries(_ store: Store, _ version: UInt64? = nil) throws -> [ChangeLogEntry]? {
    let snapshot = try store.snapshot()
    return try ChangeLogCoding.entries(of: version ?? snapshot.version, in: snapshot.transaction)
  }

  @Test func aCommitRecordsItsChanges() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for number in 0..<20 as Range<Int64> { try writer.insert([.int(number), .null]) }
      try writer.delete(5)
      try writer.set(.int(0), position: 0, at: 6)
    }
    let table = try #require(try store.snapshot().schema.table(named: "Row")).id
    #expect(
      try entries(store) == [
        ChangeLogEntry(table: table, changes: TableChanges(inserted: [0..<5, 6..<20]))
      ])
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      try writer.set(.int(1), position: 0, at: 9)
      try writer.set(.int(2), position: 0, at: 9)
      try writer.set(.int(1), position: 0, at: 3)
      try writer.set(.int(1), position: 0, at: 4)
      try writer.delete(4)
      try writer.delete(1)
      try writer.insert([.int(9), .null])
      try writer.delete(try writer.insert([.int(9), .null]))
    }
    #expect(
      try entries(store) == [
        ChangeLogEntry(
          table: table,
          changes: TableChanges(
            inserted: [20..<21], deleted: [1..<2, 4..<5], modified: [[0]: [3..<4, 9..<10]]))
      ])
  }

  @Test func aBulkLoadIsOneRange() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let columns = [BulkColumn(name: "key", type: .int, isOptional: false)]
    try Batch(columns, rows: 5000, seed: 1).load(into: store)
    #expect(try entries(store)?.map(\.changes.inserted.runs) == [[0..<5000]])
    try Batch(columns, rows: 10, seed: 1).load(into: store)
    #expect(try entries(store)?.map(\.changes.inserted.runs) == [[8192..<8202]])
  }

  /// A reader of an older snapshot can follow commit by commit, whatever kind of commit it was.
  @Test func everyCommitHasAnEntry() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTable("Single", columns: Self.columns) }
    let first = try store.snapshot().version
    try Batch([BulkColumn(name: "key", type: .int, isOptional: false)], rows: 5000, seed: 1)
      .load(into: store, primaryKey: 0)
    try store.write { try _ = $0.table("Single")?.insert([.int(1), .null]) }
    let last = try store.snapshot().version
    for version in first...last { #expect(try entries(store, version) != nil, "commit \(version)") }
  }

  @Test func oldEntriesAreTrimmed() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    for number in 0..<330 as Range<Int64> {
      try store.write { try _ = $0.table("Row")?.insert([.int(number), .null]) }
    }
    let last = try store.snapshot().version
    #expect(try entries(store, last - CommitLog.length - CommitLog.slack) == nil)
    #expect(try entries(store, last - CommitLog.length + 1) != nil)
    let kept = try (0...last).count { try entries(store, $0) != nil }
    #expect((CommitLog.length..<CommitLog.length + CommitLog.slack).contains(UInt64(kept)))
  }
}

extension TableChanges {
  /// - Parameter modified: the changes by the numbers of the columns that were set.
  fileprivate init(
    inserted: [Range<Int>] = [], deleted: [Range<Int>] = [],
    modified: [[UInt16]: [Range<Int>]] = [:]
  ) {
    self.init()
    self.inserted = KeyRangeSet(inserted)
    self.deleted = KeyRangeSet(deleted)
    self.modified = modified.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ModifiedRows(columns: $0.key, keys: KeyRangeSet($0.value)) }
  }
}
