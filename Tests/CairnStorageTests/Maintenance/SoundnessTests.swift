import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Stores that are sound, whatever was done to them.
@Suite struct SoundnessTests {
  private func expectSound(_ path: String, _ comment: String) throws {
    let report = try Store.verify(path)
    #expect(report.findings == [], "\(comment)")
    #expect(report.isSound && report.lostPages == 0, "\(comment)")
  }

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(2, long: 3)))
  func soundAfterRandomChanges(seed: UInt64) throws {
    let columns = [
      ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
      ColumnSchema(
        id: 0, name: "name", type: .string, isOptional: true, isIndexed: true, position: 1),
      ColumnSchema(id: 0, name: "at", type: .point, isOptional: true, position: 2),
      ColumnSchema(id: 0, name: "home", type: .point, position: 3),
      ColumnSchema(id: 0, name: "size", type: .double, isIndexed: true, position: 4),
    ]
    let work = try Workload(columns, seed: seed)
    for turn in 0..<16 {
      try work.transact(
        work.source.int(1...120), insert: turn % 8 < 5 ? 60 : 10,
        commits: work.source.chance(85))
      if turn % 5 == 4 { try work.reopen() }
      try expectSound(work.store.path, "seed \(seed), turn \(turn)")
    }
    try work.store.write { $0.table("Row")?.deleteAll() }
    try expectSound(work.store.path, "seed \(seed), all deleted")
  }

  @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func soundWithLinks(seed: UInt64) throws {
    var work = try LinkWorkload(seed: seed)
    for turn in 0..<Soak.count(6, long: 15) {
      try work.transact(
        work.source.int(1...60), commits: work.source.chance(80)
      ) { _, _ in }
      try expectSound(work.store.path, "seed \(seed), turn \(turn)")
    }
  }

  @Test func soundWithEveryType() throws {
    let folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 5)
    try expectSound(folder.file(), "mixed")
    let report = try Store.verify(folder.file())
    #expect(report.classCount == 6 && report.rowCount > 5000 && report.chunkCount > 20)
  }

  @Test func soundWhenEmpty() throws {
    let folder = try TemporaryFolder(inMemory: true)
    #expect(throws: StoreError.self) { try Store.verify(folder.file()) }
    _ = try folder.store()
    try expectSound(folder.file(), "empty")
    let store = try folder.store(.readWrite)
    try store.write { $0.spend() }
    try expectSound(folder.file(), "with spent keys")
  }

  /// The remains of a killed import are not damage.
  @Test func soundWithAnUnfinishedLoad() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let columns = MixedStore.columns
    let load = try BulkLoad(
      store: store, table: "Place", columns: columns, location: 1, primaryKey: 0, indexed: [2],
      onConflict: .error)
    let section = try #require(Batch(columns, rows: 900, seed: 3).sections(of: 900).first)
    let run = try SortedRun(section, number: 0, location: 1, keepsOrdinals: true, into: load.spill)
    let writer = try BulkWriter(load)
    try writer.write(RunMerge([run], columns: columns, location: load.location, spill: load.spill))
    try expectSound(folder.file(), "unfinished")
    writer.abandon()
    try expectSound(folder.file(), "abandoned")
  }

  /// A writer changes pages during the checks.
  @Test func soundDuringWrites() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 6, rows: 1000)
    let store = try folder.store(.readWrite)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for turn in 0..<Soak.count(30, long: 60) {
          try store.write { transaction in
            guard let writer = transaction.table("Place"), writer.table.isLive(turn + 100) else {
              return
            }
            try writer.delete(turn + 100)
          }
        }
      }
      group.addTask {
        for turn in 0..<Soak.count(5, long: 10) { try expectSound(store.path, "turn \(turn)") }
      }
      try await group.waitForAll()
    }
  }

  /// Two commits replace both meta pages between the beginning of a reader and the look at them.
  @Test(arguments: [1, 3, .max]) func soundWhileMetaPagesAreReplaced(times: Int) throws {
    let folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 7, rows: 100)
    let store = try folder.store(.readWrite)
    let handle = try EnvironmentHandle(path: store.path, readOnly: true)
    var readers = 0
    let check = IntegrityCheck(handle, path: store.path) { (handle) throws(StoreError) in
      let reader = try LMDBTransaction(reading: handle)
      readers += 1
      if readers <= times {
        for turn in 0..<2 {
          do {
            if times < .max {
              try store.write { $0.table("Place")?.reserveKeys(upTo: 5000 + 2 * readers + turn) }
            } else {
              try commit(UInt64(2 * readers + turn), to: store)
            }
          } catch { Issue.record(error) }
        }
      }
      return reader
    }
    guard times < .max else {
      #expect(throws: StoreError.self) { try check.run() }
      return
    }
    let report = try check.run()
    #expect(report.isSound && report.lostPages == 0 && readers == times + 1)
    #expect(try report.version == store.snapshot().version)
  }

  /// Makes a commit without the work of a write: a check gives up only after many of them.
  private func commit(_ number: UInt64, to store: Store) throws {
    try store.environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: store.handle)
      try transaction.put(.changeLog(1 << 40), bytes: [UInt8(truncatingIfNeeded: number)])
      try transaction.commit()
    }
  }

  @Test func untrustedStoresOpenWhenTheyAreSound() throws {
    let folder = try TemporaryFolder(inMemory: true)
    #expect(try Store.open(folder.file(), mode: .create, untrusted: true).snapshot().version > 0)
    #expect(try Store.open(folder.file(), mode: .readWrite, untrusted: true).isReadOnly == false)
  }
}

extension WriteTransaction {
  /// Reserves keys without using them, as a cancelled write does.
  fileprivate func spend() {
    guard
      let writer = try? createTable(
        "Spent",
        columns: [ColumnSchema(id: 0, name: "n", type: .int, isOptional: true, position: 0)])
    else { return }
    writer.reserveKeys(upTo: 5000)
  }
}
