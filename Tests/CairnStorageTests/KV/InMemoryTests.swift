import CairnValues
import Testing

@testable import CairnStorage

@Suite struct InMemoryTests {
  private static let columns = [ColumnSchema(id: 0, name: "n", type: .int, position: 0)]

  private func fill(_ store: Store, _ count: Int) throws {
    try store.write { transaction in
      let writer =
        try transaction.table("Row") ?? transaction.createTable("Row", columns: Self.columns)
      for number in 0..<count { try writer.insert([.int(Int64(number))]) }
    }
  }

  private func rows(_ store: Store) throws -> Int {
    try store.snapshot().table("Row")?.liveCount ?? 0
  }

  @Test func oneStoreForEachIdentifier() throws {
    let first = try Store.openInMemory(identifier: "a")
    let second = try Store.openInMemory(identifier: "a")
    let other = try Store.openInMemory(identifier: "b")
    try fill(first, 5000)
    #expect(try rows(second) == 5000)
    #expect(try rows(other) == 0)
    try fill(second, 1)
    #expect(try rows(first) == 5001)
  }

  @Test func aStoreInMemoryEndsWithItsLastUser() throws {
    var store: Store? = try Store.openInMemory(identifier: "gone")
    try fill(try #require(store), 10)
    var snapshot: Snapshot? = try store?.snapshot()
    store = nil
    #expect(try rows(try Store.openInMemory(identifier: "gone")) == 10, "a snapshot keeps it")
    #expect(snapshot?.table("Row")?.liveCount == 10)
    snapshot = nil
    #expect(try rows(try Store.openInMemory(identifier: "gone")) == 0)
  }

  @Test func rollbackAndManyCommits() throws {
    let store = try Store.openInMemory(identifier: "commits")
    for turn in 1...50 {
      try fill(store, 3)
      let transaction = try store.beginWrite()
      transaction.table("Row")?.deleteAll()
      transaction.rollback()
      #expect(try rows(store) == 3 * turn)
    }
  }
}
