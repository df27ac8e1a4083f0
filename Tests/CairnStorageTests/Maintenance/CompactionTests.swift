import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite struct CompactionTests {
  let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  @Test(arguments: ([1, 2, 3, 4, 5] as [UInt64]).prefix(Soak.count(2, long: 5)))
  func linksAndOwnersFollow(seed: UInt64) throws {
    var work = try LinkWorkload(seed: seed, in: folder)
    for _ in 0..<12 { try work.transact(50, commits: true) { _, _ in } }
    let live = work.model.rows.values.reduce(0) { $0 + $1.count }
    work.close()
    let before = try Meaning.rows(folder)
    let summary = try Store.compact(path)
    #expect(summary.rows == live && summary.freedKeys > 0)
    try Meaning.expect(before, folder, "seed \(seed)")
    let snapshot = try folder.store(.readOnly).snapshot()
    for schema in snapshot.schema.tables {
      let table = snapshot.table(schema)
      #expect(table.endKey == table.liveCount, "\(schema.name) has gaps")
    }
  }

  @Test func everythingIsKept() throws {
    try MixedStore.make(folder, seed: 31)
    try folder.store(.readWrite).write { $0.setSchemaVersion(7) }
    let before = try Meaning.rows(folder)
    let summary = try Store.compact(path)
    #expect(summary.after < summary.before)
    try Meaning.expect(before, folder, "mixed")
    #expect(try folder.store(.readOnly).snapshot().schemaVersion == 7)
    #expect(try Store.verify(path).findings == [])
    let names = try folder.names()
    #expect(
      names.allSatisfy { $0.hasPrefix("test.cairn") && !$0.contains("compacting") }, "\(names)")
    // A second compaction changes nothing.
    let again = try Store.compact(path)
    #expect(again.after == summary.after && again.freedKeys == 0)
    try Meaning.expect(before, folder, "twice")
  }

  @Test func locationsAreClusteredAgain() throws {
    try MixedStore.make(folder, seed: 32)
    _ = try Store.compact(path)
    let snapshot = try folder.store(.readOnly).snapshot()
    let table = try #require(snapshot.table("Place"))
    let runs = table.state.spatialRuns
    #expect(runs.count == 1 && runs[0].isBaseRun && runs[0].deletedCounts.isEmpty)
    #expect(table.state.valueRuns.count == 2 && table.state.extents.count == 1)
    var regions = ValueSource(seed: 1)
    try SpatialAnswers(table, 1).check(&regions, regions: 30, "compacted")
    for key in 0..<table.endKey {
      #expect(table.find(primaryKey: table.value(0, at: key)) == key)
    }
  }

  @Test func aCompactedStoreCanBeWritten() throws {
    try MixedStore.make(folder, seed: 33)
    _ = try Store.compact(path)
    let store = try folder.store(.readWrite)
    try Batch(MixedStore.columns, [[.int(-5), .null, .string("x"), .null]]).load(
      into: store, "Place", location: 1, primaryKey: 0, indexed: [2])
    try store.write { transaction in
      let writer = try #require(transaction.table("Place"))
      for key in 0..<100 { try writer.delete(key * 3) }
      try writer.insert([.int(-6), .null, .null, .null])
      #expect(throws: StoreError.self) { try writer.insert([.int(-5), .null, .null, .null]) }
    }
    #expect(try Store.verify(path).findings == [])
  }

  @Test func anEmptyClassIsCompacted() throws {
    _ = try folder.store()
    #expect(try Store.compact(path).rows == 0)
    do {
      let store = try folder.store(.readWrite)
      try store.write { transaction in
        let writer = try transaction.createTable(
          "Row", columns: [ColumnSchema(id: 0, name: "at", type: .point, position: 0)])
        try writer.insert([.point(Position(latitude: 1, longitude: 2))])
        try writer.delete(0)
      }
    }
    let summary = try Store.compact(path)
    #expect(summary.rows == 0 && summary.freedKeys == 1)
    #expect(try folder.store(.readOnly).snapshot().table("Row")?.endKey == 0)
  }

  @Test func anOpenStoreIsNotCompacted() throws {
    try MixedStore.make(folder, seed: 34, rows: 100)
    let bytes = try contents(path)
    do {
      let store = try folder.store(.readOnly)
      let error = #expect(throws: StoreError.self) { try Store.compact(path) }
      #expect(error?.kind == .inUse && error?.message.contains("this process") == true)
      _ = try store.snapshot()
    }
    #expect(try contents(path) == bytes)
    _ = try Store.compact(path)
  }

  @Test func aStoreOpenInAnotherProcessIsNotCompacted() throws {
    try MixedStore.make(folder, seed: 35, rows: 100)
    let reader = Process()
    reader.executableURL = Command.worker
    reader.arguments = ["hold", path]
    let (input, output) = (Pipe(), Pipe())
    (reader.standardInput, reader.standardOutput) = (input, output)
    try reader.run()
    // It prints a line as soon as the store is open, and reads one before it goes on.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    let error = #expect(throws: StoreError.self) { try Store.compact(path) }
    #expect(error?.kind == .inUse && error?.message.contains("process ") == true)
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    reader.waitUntilExit()
    #expect(reader.terminationReason == .exit && reader.terminationStatus == 0)
    _ = try Store.compact(path)
  }

  /// Other processes open the store and write to it while it is compacted again and again. No
  /// commit of theirs is lost, whichever file they find.
  @Test func otherProcessesWriteDuringCompaction() async throws {
    do {
      let store = try folder.store()
      try store.write { transaction in
        _ = try transaction.createTable(
          "Row",
          columns: [ColumnSchema(id: 0, name: "n", type: .int, isPrimaryKey: true, position: 0)])
      }
    }
    let turns = Soak.count(40, long: 400)
    let hasEnded = Locked(false)
    let writer = Task { [path = path] in
      defer { hasEnded.withLock { $0 = true } }
      return try await Command.work("insert-reopening", path, "Row", "\(turns)")
    }
    try await eventually("the other process has ended") {
      do throws(StoreError) { _ = try Store.compact(path) } catch {
        guard error.kind == .locked || error.kind == .inUse else { throw error }
      }
      return hasEnded.value
    }
    let outcome = try await writer.value
    #expect(outcome.end == .exit(0), "\(outcome.errors)")
    _ = try Store.compact(path)
    let snapshot = try folder.store(.readOnly).snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.liveCount == turns)
    for turn in 0..<turns { #expect(table.find(primaryKey: .int(Int64(turn))) != nil) }
    #expect(try Store.verify(path).findings == [])
  }

  @Test func damagedIndexesAreRebuilt() throws {
    try MixedStore.make(folder, seed: 36)
    let before = try Meaning.rows(folder)
    do {
      let store = try folder.store(.readWrite)
      try store.environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        for kind in [StorageKey.Kind.runKeys, .runEntries, .zones] {
          _ = try transaction.deleteRun(from: StorageKey(kind: kind), limit: 1) { $0.kind == kind }
        }
        try transaction.commit()
      }
    }
    #expect(try !Store.verify(path).isSound)
    #expect(try Store.compact(path).repaired)
    #expect(try Store.verify(path).findings == [])
    try Meaning.expect(before, folder, "repaired")
  }

  @Test func damagedObjectsPreventCompaction() throws {
    try MixedStore.make(folder, seed: 37)
    do {
      let store = try folder.store(.readWrite)
      try store.environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        try transaction.put(
          .chunk(1, column: 0, extent: 0, chunk: 0), bytes: [UInt8](repeating: 7, count: 3000))
        try transaction.commit()
      }
    }
    let bytes = try contents(path)
    let error = #expect(throws: StoreError.self) { try Store.compact(path) }
    #expect(error?.kind == .damaged)
    #expect(try contents(path) == bytes)
    #expect(try folder.names().allSatisfy { !$0.contains("compacting") })
  }
}
