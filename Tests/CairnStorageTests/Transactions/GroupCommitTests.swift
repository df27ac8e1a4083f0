import CairnTestSupport
import CairnValues
import Dispatch
import Testing

@testable import CairnStorage

/// Transactions on top of others that are not durable yet, and that become durable together.
@Suite(.tags(.threads)) struct GroupCommitTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try folder.store()
    // Other processes get no turn in the middle of a test, however slow the machine is.
    store.environment.commits.maxHoldMilliseconds = .max
    try store.write { transaction in
      let table = try transaction.createTable(
        "Row",
        columns: [
          ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0),
          ColumnSchema(id: 1, name: "name", type: .string, isIndexed: true, position: 1),
          ColumnSchema(id: 2, name: "at", type: .point, isOptional: true, position: 2),
        ])
      for id in 0..<3 { try table.insert([.int(Int64(id)), .string("old"), .null]) }
    }
  }

  private func table(_ transaction: WriteTransaction) throws -> TableWriter {
    try #require(transaction.table("Row"))
  }

  /// Prepares the commit of a transaction that adds a row.
  private func adding(_ id: Int64, grouping: Bool = true) throws -> PendingCommit {
    let transaction = try store.beginWrite()
    try table(transaction).insert([.int(id), .string("new"), .null])
    let changes = try #require(try transaction.seal())
    transaction.release()
    changes.commit(allowGrouping: grouping)
    return changes
  }

  private func ids(_ snapshot: Snapshot) throws -> [Int64] {
    let table = try #require(snapshot.table("Row"))
    return (0..<table.endKey).filter(table.isLive).compactMap {
      if case .int(let id) = table.value(0, at: $0) { id } else { nil }
    }
  }

  @Test func theNextTransactionSeesPendingCommits() throws {
    let first = try adding(10)
    let second = try store.beginWrite()
    #expect(try table(second).table.liveCount == 4)
    #expect(try table(second).table.find(primaryKey: .int(10)) == 3)
    #expect(throws: StoreError.self) {
      try table(second).insert([.int(10), .string(""), .null])
    }
    second.rollback()
    try first.wait()
    #expect(try ids(store.snapshot()) == [0, 1, 2, 10])
  }

  @Test func aRollbackAffectsNoOtherTransaction() throws {
    let first = try adding(10)
    let second = try store.beginWrite()
    try table(second).delete(3)
    try table(second).insert([.int(11), .string("gone"), .null])
    second.rollback()
    let third = try adding(12)
    try first.wait()
    try third.wait()
    #expect(try ids(store.snapshot()) == [0, 1, 2, 10, 12])
  }

  /// Blocks the thread that commits until the body is done.
  private func whileNothingIsCommitted<R>(_ body: () throws -> R) rethrows -> R {
    let gate = DispatchSemaphore(value: 0)
    store.environment.writer.submit { gate.wait() }
    defer { gate.signal() }
    return try body()
  }

  @Test func manyShareACommit() throws {
    let before = try store.snapshot().version
    let changes = try whileNothingIsCommitted {
      try (100..<120).map { try adding($0, grouping: $0 % 2 == 0) }
    }
    for change in changes { try change.wait() }
    let after = try store.snapshot()
    #expect(try ids(after) == [0, 1, 2] + (100..<120))
    #expect(after.version == before + 1)
    #expect(store.environment.commits.isIdle)
  }

  @Test func theChangeLogRecordsEachTransaction() throws {
    let old = try store.snapshot()
    var changes: [PendingCommit] = []
    for id in 100..<120 { changes.append(try adding(Int64(id))) }
    let last = try store.beginWrite()
    try table(last).set(.string("other"), position: 1, at: 0)
    try table(last).set(.string("other"), position: 1, at: 5)
    try table(last).delete(1)
    try table(last).delete(6)
    try last.commit()
    let log = try store.snapshot().changes(since: old).changes(of: "Row")
    #expect(log.inserted.runs == [3..<6, 7..<23])
    #expect(log.deleted.runs == [1..<2])
    #expect(log.modified.flatMap(\.keys.runs) == [0..<1])
  }

  @Test func classesAreCreatedOnTopOfPendingCommits() throws {
    func making(_ name: String) throws -> PendingCommit {
      let transaction = try store.beginWrite()
      let table = try transaction.createTable(
        name, columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
      try table.insert([.int(1)])
      let changes = try #require(try transaction.seal())
      transaction.release()
      changes.commit(allowGrouping: true)
      return changes
    }
    let made = try ["A", "B", "C"].map(making)
    for changes in made { try changes.wait() }
    let snapshot = try store.snapshot()
    let numbers = try ["Row", "A", "B", "C"].map { try #require(snapshot.table($0)).schema.id }
    #expect(Set(numbers).count == 4)
    #expect(snapshot.table("C")?.liveCount == 1)
  }

  /// Every transaction on top of a commit that fails does fail, and later ones do not.
  @Test func aFailedCommitFailsTheTransactionsOnTopOfIt() throws {
    let first = try store.beginWrite()
    try table(first).insert([.int(10), .string("new"), .null])
    let changes = try #require(try first.seal())
    first.release()
    // Someone else writes to the file without the writer lock.
    let intruder = try LMDBTransaction(writing: store.handle)
    try intruder.put(.counters, bytes: [9, 0, 0, 0, 9, 0, 0, 0])
    try intruder.commit()
    let (second, third, sees) = try whileNothingIsCommitted {
      changes.commit(allowGrouping: true)
      let second = try adding(11)
      let third = try store.beginWrite()
      try table(third).insert([.int(12), .string("new"), .null])
      return (second, third, try table(third).table.liveCount)
    }
    #expect(throws: StoreError.self) { try changes.wait() }
    #expect(sees == 6)
    #expect(throws: StoreError.self) { try second.wait() }
    #expect(throws: StoreError.self) { try third.commit() }
    #expect(try ids(store.snapshot()) == [0, 1, 2])
    try store.write {
      _ = try #require($0.table("Row")).insert([.int(13), .string("later"), .null])
    }
    #expect(try ids(store.snapshot()) == [0, 1, 2, 13])
  }

  @Test func writersOfManyThreadsLoseNothing() async throws {
    let store = store
    let each = Soak.count(40, long: 2000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for turn in 0..<each {
            let id = Int64(1000 + writer * each + turn)
            try store.write { transaction in
              guard let table = transaction.table("Row") else { return }
              try table.insert([.int(id), .string("w\(writer)"), .null])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let found = try ids(store.snapshot())
    #expect(found.count == 3 + 8 * each)
    #expect(Set(found).count == found.count)
    for writer in 0..<8 {
      let own = found.filter {
        $0 >= 1000 + Int64(writer * each) && $0 < 1000 + Int64((writer + 1) * each)
      }
      #expect(own == own.sorted(), "the transactions of a thread keep their order")
    }
  }
}
