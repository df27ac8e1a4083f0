import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct BulkConflictTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static func columns(_ type: ValueType) -> [BulkColumn] {
    [
      BulkColumn(name: "id", type: type, isOptional: true),
      BulkColumn(name: "at", type: .point, isOptional: true),
      BulkColumn(name: "turn", type: .int, isOptional: false),
    ]
  }

  /// Loads rows whose keys repeat, within the load and with an older one. The result equals that of
  /// inserting the rows one at a time.
  @Test(arguments: [ValueType.int, .string, .objectId, .uuid], [ConflictPolicy.replace, .skip])
  func policiesAgreeWithADictionary(type: ValueType, policy: ConflictPolicy) throws {
    let store = try folder.store()
    var source = ValueSource(seed: UInt64(type.rawValue))
    let keys = (0..<700).map { _ in source.value(of: type, .plain) }
    var rows: [Value: [Value]] = [:]
    // In a normal run the keys of only one type are in several chunks.
    let many = type == .int ? 4500 : Soak.count(1200, long: 4500)
    let few = Soak.count(800, long: 1500)
    for turn in 0..<3 as Range<Int64> {
      let batch = Batch(
        Self.columns(type),
        (0..<(turn == 1 ? many : few)).map { row in
          [
            keys[source.int(Int(turn) * 100...499 + Int(turn) * 100)],
            .point(source.position(.few)),
            .int(turn * 10_000 + Int64(row)),
          ]
        })
      var expected = BulkSummary()
      for row in batch.rows {
        if rows[row[0]] == nil {
          expected.inserted += 1
        } else if policy == .replace {
          expected.replaced += 1
        } else {
          expected.skipped += 1
          continue
        }
        rows[row[0]] = row
      }
      let summary = try batch.load(
        into: store, location: 1, primaryKey: 0, onConflict: policy, sections: 400, blockBytes: 1)
      #expect(summary == expected)
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      #expect(table.liveCount == rows.count)
      #expect((0..<table.endKey).count { table.isLive($0) } == rows.count)
      for (key, row) in rows {
        let found = try #require(table.find(primaryKey: key))
        #expect(table.value(2, at: found) == row[2])
      }
      let answers = try SpatialAnswers(table, 1)
      answers.check(&source, regions: 6, "\(type), \(policy), load \(turn)")
      answers.checkDeadCounts(&source)
    }
  }

  private func failure(_ batch: Batch, _ store: Store) throws -> StoreError {
    let before = try store.dump()
    let error = #expect(throws: StoreError.self) {
      try batch.load(into: store, location: 1, primaryKey: 0, sections: 3)
    }
    #expect(try store.dump() == before, "the store is unchanged")
    return try #require(error)
  }

  private func rows(_ keys: [Value]) -> [[Value]] {
    keys.map { [$0, .point(Position(latitude: 1, longitude: 2)), .int(0)] }
  }

  @Test func aDuplicateKeyIsReportedWithItsRecords() throws {
    let store = try folder.store()
    let keys = ["a", "b", "c", "d", "b", "e", "b"].map { Value.string($0) }
    let error = try failure(Batch(Self.columns(.string), rows(keys)), store)
    #expect(error.kind == .duplicateKey)
    #expect(error.message.contains("'id' b appears 3 times (records 2, 5, 7)"))
    #expect(try store.snapshot().schema.tables.isEmpty)
  }

  @Test func anExistingKeyIsReported() throws {
    let store = try folder.store()
    try Batch(Self.columns(.int), rows([.int(1), .int(2)]))
      .load(into: store, location: 1, primaryKey: 0)
    let error = try failure(
      Batch(Self.columns(.int), rows([.int(7), .int(8), .int(9), .int(2)])), store)
    #expect(error.kind == .duplicateKey)
    #expect(error.message.contains("'id' 2 exists already (record 4)"))
    #expect(try store.snapshot().table("Row")?.liveCount == 2)
  }

  @Test func aNullKeyIsRejected() throws {
    let store = try folder.store()
    let error = try failure(Batch(Self.columns(.int), rows([.int(1), .null])), store)
    #expect(error.kind == .invalidValue)
    #expect(error.message.contains("'id'"))
  }

  @Test func columnsThatDoNotMatchTheClassAreRejected() throws {
    let store = try folder.store()
    try store.write { transaction in
      _ = try transaction.createTable(
        "Row",
        columns: [
          ColumnSchema(id: 0, name: "n", type: .int, position: 0),
          ColumnSchema(id: 0, name: "list", type: .int, collection: .list, position: 1),
        ])
    }
    let list = BulkColumn(name: "list", type: .int, isOptional: false)
    let wrong: [[BulkColumn]] = [
      [BulkColumn(name: "n", type: .double, isOptional: false), list],
      [BulkColumn(name: "m", type: .int, isOptional: false), list],
      [BulkColumn(name: "n", type: .int, isOptional: true), list],
      [BulkColumn(name: "n", type: .int, isOptional: false), list],
    ]
    for columns in wrong {
      let error = #expect(throws: StoreError.self) { try Batch(columns, []).load(into: store) }
      #expect(error?.kind == .schemaMismatch)
    }
    let name = [BulkColumn(name: "name", type: .string, isOptional: false)]
    let noPlace = #expect(throws: StoreError.self) {
      try Batch(name, []).load(into: store, "New", location: 0)
    }
    #expect(noPlace?.kind == .schemaMismatch)
  }

  /// Two loads create the same class; neither existed when they began.
  @Test func aClassCreatedMeanwhileMustMatch() throws {
    let store = try folder.store()
    func load(_ type: ValueType) throws -> BulkLoad {
      try BulkLoad(
        store: store, table: "Row", columns: [BulkColumn(name: "x", type: type, isOptional: true)],
        location: nil, primaryKey: nil, indexed: [], onConflict: .error)
    }
    let (first, same, other) = (try load(.int), try load(.int), try load(.string))
    for bulk in [first, same] {
      let section = ColumnBatch(columns: bulk.columns)
      section.columns[0].append(int: 4)
      try bulk.add(section, number: 0)
      #expect(try bulk.finish().inserted == 1)
    }
    let before = try store.dump()
    let error = #expect(throws: StoreError.self) { try other.finish() }
    #expect(error?.kind == .schemaMismatch)
    #expect(try store.dump() == before)
    #expect(try store.snapshot().table("Row")?.liveCount == 2)
  }
}
