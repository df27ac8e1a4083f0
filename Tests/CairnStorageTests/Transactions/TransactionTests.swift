import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite(.tags(.threads)) struct TransactionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let number = ColumnSchema(id: 0, name: "number", type: .int, position: 0)
  private struct Stop: Error {}

  private func table() throws -> Store {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: [Self.number])
      for number in 0..<10 as Range<Int64> { try writer.insert([.int(number)]) }
    }
    return store
  }

  @Test func anErrorRollsBack() throws {
    let store = try table()
    let before = try store.dump()
    #expect(throws: Stop.self) {
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        for number in 0..<5000 as Range<Int64> { try writer.insert([.int(number)]) }
        try writer.delete(3)
        try writer.set(.int(99), position: 0, at: 4)
        _ = try transaction.createTable("Other", columns: [Self.number])
        throw Stop()
      }
    }
    #expect(try store.dump() == before)
    #expect(try store.snapshot().table("Other") == nil)
  }

  @Test func anAbandonedTransactionIsRolledBack() throws {
    let store = try table()
    let before = try store.dump()
    do {
      let transaction = try store.beginWrite()
      try transaction.table("Row")?.insert([.int(1)])
    }
    #expect(try store.dump() == before)
    try store.write { try $0.table("Row")?.delete(0) }
    #expect(try store.snapshot().table("Row")?.liveCount == 9)
  }

  @Test func aTransactionWithoutChangesDoesNotCommit() throws {
    let store = try table()
    let version = try store.snapshot().version
    try store.write { _ = $0.table("Row")?.table.value(0, at: 1) }
    #expect(try store.snapshot().version == version)
  }

  @Test func anEndedTransactionThrows() throws {
    let transaction = try table().beginWrite()
    transaction.rollback()
    #expect(!transaction.isOpen)
    let error = #expect(throws: StoreError.self) { try transaction.commit() }
    #expect(error?.kind == .misuse)
    let second = #expect(throws: StoreError.self) {
      try transaction.createTable("Late", columns: [])
    }
    #expect(second?.kind == .misuse)
  }

  @Test func aSnapshotKeepsItsState() throws {
    let store = try table()
    let snapshots = try (0..<5).map { turn in
      defer {
        try? store.write { try $0.table("Row")?.set(.int(Int64(100 + turn)), position: 0, at: 0) }
      }
      return try store.snapshot()
    }
    for round in 0..<200 as Range<Int64> {
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        for key in 1..<10 { try writer.set(.int(round), position: 0, at: key) }
        try writer.insert([.int(round)])
      }
    }
    for (turn, snapshot) in snapshots.enumerated() {
      let table = try #require(snapshot.table("Row"))
      #expect(table.liveCount == 10)
      #expect(table.value(0, at: 0) == .int(turn == 0 ? 0 : Int64(99 + turn)))
      for key in 1..<10 { #expect(table.value(0, at: key) == .int(Int64(key))) }
    }
  }

  /// Every commit moves an amount from one row to another. No reader may see the sum change.
  @Test func readersNeverSeeHalfACommit() async throws {
    let store = try table()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var source = ValueSource(seed: 1)
        for _ in 0..<150 {
          try store.write { transaction in
            let writer = try #require(transaction.table("Row"))
            let (from, to) = (source.int(0...4), source.int(5...9))
            guard case .int(let a) = writer.table.value(0, at: from),
              case .int(let b) = writer.table.value(0, at: to)
            else { return }
            try writer.set(.int(a - 7), position: 0, at: from)
            try writer.set(.int(b + 7), position: 0, at: to)
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 {
            let snapshot = try store.snapshot()
            let table = try #require(snapshot.table("Row"))
            let sum = (0..<10).reduce(0 as Int64) { sum, key in
              if case .int(let number) = table.value(0, at: key) { sum + number } else { sum }
            }
            #expect(sum == 45)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Each chunk is written once, by the commit: the file grows by the size of the data, not by a
  /// multiple.
  @Test func aHundredThousandInsertsWriteEachChunkOnce() throws {
    let store = try table()
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      for number in 0..<100_000 as Range<Int64> { try writer.insert([.int(number * number)]) }
    }
    let size = try contents(folder.file()).count
    #expect(size < 2_000_000, "the rows take \(100_000 * 8) bytes at most")
    #expect(try store.snapshot().table("Row")?.liveCount == 100_010)
  }

  /// Setting one text repeatedly must not keep every version of it.
  @Test func changingATextOftenTakesNoMemory() throws {
    let store = try folder.store()
    let text = String(repeating: "x", count: 100_000)
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Text", columns: [ColumnSchema(id: 0, name: "text", type: .string, position: 0)])
      try writer.insert([.string("")])
      try writer.insert([.string("neighbour")])
      for turn in 0..<3000 { try writer.set(.string("\(turn)" + text), position: 0, at: 0) }
      try writer.set(.string("short"), position: 0, at: 0)
      let heap = writer.overlay.buffer(0, chunk: 0)?.heapSize ?? 0
      #expect(heap < 1_000_000, "\(heap) bytes are kept")
      #expect(writer.table.value(0, at: 0) == .string("short"))
      #expect(writer.table.value(0, at: 1) == .string("neighbour"))
    }
  }

  @Test func rejectedStatements() throws {
    let store = try table()
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    func kind(_ body: () throws -> Void) -> StoreError.Kind? {
      #expect(throws: StoreError.self) { try body() }?.kind
    }
    #expect(kind { try writer.insert([]) } == .invalidValue)
    #expect(kind { try writer.insert([.null]) } == .invalidValue)
    #expect(kind { try writer.insert([.double(1)]) } == .invalidValue)
    #expect(kind { try writer.set(.string("1"), position: 0, at: 1) } == .invalidValue)
    #expect(kind { try writer.set(.int(1), position: 0, at: 10) } == .invalidValue)
    #expect(kind { try writer.delete(-1) } == .invalidValue)
    try writer.delete(2)
    #expect(kind { try writer.delete(2) } == .invalidValue)
    #expect(kind { _ = try transaction.createTable("Row", columns: []) } == .schemaMismatch)
    transaction.rollback()
  }

  @Test(arguments: [
    (91.0, 0.0), (-90.000001, 0), (0, 180.5), (0, -181), (Double.nan, 0), (0, .nan), (.infinity, 0),
  ])
  func locationsOutsideTheWorldAreRejected(latitude: Double, longitude: Double) throws {
    let transaction = try folder.store().beginWrite()
    let writer = try transaction.createTable(
      "Place", columns: [ColumnSchema(id: 0, name: "at", type: .point, position: 0)])
    let error = #expect(throws: StoreError.self) {
      try writer.insert([.point(Position(latitude: latitude, longitude: longitude))])
    }
    #expect(error?.kind == .invalidValue)
    transaction.rollback()
  }

  @Test func impossibleClassesAreRejected() throws {
    let transaction = try folder.store().beginWrite()
    func column(
      _ type: ValueType, _ kind: CollectionKind = .none, name: String = "x", indexed: Bool = false,
      key: Bool = false
    ) -> ColumnSchema {
      ColumnSchema(
        id: 0, name: name, type: type, collection: kind, isIndexed: indexed, isPrimaryKey: key,
        position: 0)
    }
    let wrong: [[ColumnSchema]] = [
      [column(.int), column(.int)],
      [column(.int, key: true), column(.string, name: "y", key: true)],
      [column(.double, key: true)], [column(.point, key: true)],
      [column(.int, .list, indexed: true)], [column(.decimal128, indexed: true)],
      [column(.point, indexed: true)],
    ]
    for columns in wrong {
      let error = #expect(throws: StoreError.self) {
        try transaction.createTable("Wrong", columns: columns)
      }
      #expect(error?.kind == .schemaMismatch)
    }
    transaction.rollback()
  }
}
