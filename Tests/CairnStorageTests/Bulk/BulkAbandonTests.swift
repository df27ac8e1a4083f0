import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Loads that end without being published.
@Suite(.tags(.threads)) struct BulkAbandonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "name", type: .string, isOptional: true),
  ]

  private func begin(_ store: Store, rows: Int) throws -> BulkLoad {
    let load = try BulkLoad(
      store: store, table: "Row", columns: Self.columns, location: 1, primaryKey: 0, indexed: [2],
      onConflict: .error)
    let batch = Batch(Self.columns, rows: rows, seed: 3)
    for (number, section) in batch.sections(of: 1000).enumerated() {
      try load.add(section, number: number)
    }
    return load
  }

  @Test func anAbandonedLoadLeavesNothing() throws {
    let store = try folder.store()
    let before = try store.dump()
    do {
      let load = try begin(store, rows: 3000)
      load.cancel()
    }
    #expect(try store.dump() == before)
    #expect(try folder.names() == ["test.cairn", "test.cairn-lock"])
  }

  private func leaveUnpublished(_ store: Store) throws {
    try leaveUnpublished(begin(store, rows: 9000), Self.columns)
  }

  /// Writes all of a load except its last commit, as a process does that is killed at that point.
  private func leaveUnpublished(_ load: BulkLoad, _ columns: [BulkColumn]) throws {
    let writer = try BulkWriter(load)
    let sorted = Mirror(reflecting: load).children.first { $0.label == "runs" }?.value
    let runs = try #require(sorted as? [Int: SortedRun])
    try writer.write(
      RunMerge(
        runs.sorted { $0.key < $1.key }.map(\.value), columns: columns,
        location: load.location, spill: load.spill))
  }

  /// Large geometries have keys of their own.
  @Test func largeGeometriesOfAKilledLoadAreFreed() throws {
    let columns = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "path", type: .lineString, isOptional: true),
    ]
    func largeKeys(_ store: Store) throws -> Int {
      try store.dump().keys.count { $0.hasPrefix("largeValue") }
    }
    let store = try folder.store()
    let load = try BulkLoad(
      store: store, table: "Row", columns: columns, location: nil, primaryKey: 0, indexed: [],
      onConflict: .error)
    let rows = (0..<20).map { [Value.int(Int64($0)), LargeGeometryTests.line(3000, $0)] }
    try load.add(Batch(columns, rows).sections(of: 1000)[0], number: 0)
    try leaveUnpublished(load, columns)
    #expect(try largeKeys(store) == 20)
    try store.write { _ = try $0.createTable("Other", columns: []) }
    #expect(try largeKeys(store) == 0)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  @Test func theNextCommitFreesTheRemainsOfAKilledLoad() throws {
    let store = try folder.store()
    try Batch(Self.columns, rows: 100, seed: 1).load(
      into: store, location: 1, primaryKey: 0, indexed: [2])
    let before = try store.dump()
    try leaveUnpublished(store)
    let during = try store.dump()
    #expect(during.count > before.count + 9)
    #expect(during.keys.contains { $0.hasPrefix("pendingLoad") })
    #expect(try store.snapshot().table("Row")?.liveCount == 100)
    try store.write { transaction in
      try transaction.table("Row")?.delete(5)
    }
    let after = try store.dump()
    let names = Set(after.keys).subtracting(before.keys)
    #expect(
      names.allSatisfy { name in
        ["liveRowBitmap", "runTombstones", "inventory"].contains { name.hasPrefix($0) }
      }, "\(names)")
    #expect(Set(before.keys).isSubset(of: after.keys))
  }

  @Test func theRemainsOfAKilledLoadBelongToNoClass() throws {
    let store = try folder.store()
    try Batch(Self.columns, rows: 100, seed: 1).load(
      into: store, location: 1, primaryKey: 0, indexed: [2])
    func sizes() throws -> [Int] {
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.schema.table(named: "Row"))
      let sizes = try snapshot.storedSizes()
      return [sizes.bytes(of: table)]
        + table.columns.flatMap { column in
          let own = sizes.bytes(of: column, in: table)
          return [own.values, own.indexes]
        }
    }
    let before = try sizes()
    #expect(before.allSatisfy { $0 > 0 } || before[2] + before[4] + before[6] > 0)
    try leaveUnpublished(store)
    #expect(try sizes() == before)
  }

  @Test func theNextLoadFreesTheRemainsOfAKilledLoad() throws {
    let store = try folder.store()
    try leaveUnpublished(store)
    try Batch(Self.columns, rows: 2000, seed: 9).load(
      into: store, location: 1, primaryKey: 0, indexed: [2])
    let other = try Store.open(folder.file("other"), mode: .create)
    try Batch(Self.columns, rows: 2000, seed: 9).load(
      into: other, location: 1, primaryKey: 0, indexed: [2])
    #expect(try store.dump().count == other.dump().count)
    #expect(try store.snapshot().table("Row")?.liveCount == 2000)
  }

  /// A running load must not be mistaken for an abandoned one.
  @Test func aRunningLoadIsNotFreed() throws {
    let store = try folder.store()
    let load = try begin(store, rows: 3000)
    let writer = try BulkWriter(load)
    try store.write { _ = try $0.createTable("Other", columns: []) }
    #expect(try store.dump().keys.contains { $0.hasPrefix("pendingLoad") })
    writer.abandon()
    #expect(try !store.dump().keys.contains { $0.hasPrefix("pendingLoad") })
  }

  @Test func singleRowsAreWrittenWhileALoadRuns() async throws {
    let store = try folder.store()
    try store.write { transaction in
      _ = try transaction.createTable(
        "Other", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<40 as Range<Int64> {
          try store.write { try _ = $0.table("Other")?.insert([.int(number)]) }
        }
      }
      group.addTask {
        for turn in 0..<3 {
          var batch = Batch(Self.columns, rows: 4000, seed: UInt64(turn))
          for row in batch.rows.indices { batch.rows[row][0] = .int(Int64(turn * 10_000 + row)) }
          try batch.load(into: store, location: 1, primaryKey: 0, indexed: [2])
        }
      }
      try await group.waitForAll()
    }
    let snapshot = try store.snapshot()
    #expect(snapshot.table("Other")?.liveCount == 40)
    #expect(snapshot.table("Row")?.liveCount == 12_000)
  }
}
