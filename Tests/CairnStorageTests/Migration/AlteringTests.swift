import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct AlteringTests {
  @Test(arguments: ([1, 2, 3, 4, 5, 6] as [UInt64]).prefix(Soak.count(3, long: 6)))
  func alterationsAndWritesAgreeWithPlainValues(seed: UInt64) throws {
    let work = try AlterationWorkload(seed: seed)
    if seed % 2 == 0 { try work.load(Soak.count(4200, long: 5000)) } else { try work.create() }
    try work.write(seed % 3 == 0 ? 5000 : 50)
    try work.check("before")
    for turn in 0..<Soak.count(4, long: 12) {
      let old = (snapshot: try work.store.snapshot(), model: work.model)
      try work.alter()
      try work.check("turn \(turn)")
      if work.source.chance(50) { try work.write(40) }
      try work.check("turn \(turn), written")
      try work.check(old.snapshot, old.model, "the snapshot before turn \(turn)")
      if work.source.chance(30) { try work.reopen() }
    }
  }

  private static func draft(_ columns: [ColumnSchema]) -> TableDraft {
    TableDraft(name: "Row", columns: columns)
  }

  private static func column(
    _ name: String, _ type: ValueType = .int, isOptional: Bool = false, isIndexed: Bool = false,
    isPrimaryKey: Bool = false
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, isOptional: isOptional, isIndexed: isIndexed,
      isPrimaryKey: isPrimaryKey, position: 0)
  }

  @Test func aDuplicatePrimaryKeyIsReportedWithItsValue() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      let table = try transaction.createTables([Self.draft([Self.column("id")])])[0]
      for number in [3, 7, 4, 7, 7, 5] as [Int64] { try table.insert([.int(number)]) }
    }
    let before = try store.dump()
    let key = Self.draft([Self.column("id", isPrimaryKey: true)])
    let error = try #require(throws: StoreError.self) {
      try store.write { try $0.alter([key], version: 1) }
    }
    #expect(
      error
        == StoreError(
          .duplicateKey,
          message: "'Row.id' cannot be the primary key: 3 objects have the value 7; "
            + "give them different values in the migration block, or delete all but one"))
    #expect(try store.dump() == before)
    try store.write { transaction in
      try transaction.alter([key], version: 1)
      let table = try #require(transaction.table("Row"))
      try table.set(.int(8), position: 0, at: 3)
      try table.delete(4)
      #expect(table.table.find(primaryKey: .int(8)) == 3)
    }
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect([3, 7, 8, 5, 6].map { table.find(primaryKey: .int($0)) } == [0, 1, 3, 5, nil])
    #expect(table.schema.version == 1)
    #expect(throws: StoreError.self) { try store.write { try $0.table("Row")?.insert([.int(8)]) } }
  }

  /// A class never reuses a column number: a load that began before an alteration writes into none
  /// of the new columns.
  @Test func aLoadThatBeganBeforeAnAlterationIsRejected() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let columns = [BulkColumn(name: "a", type: .int, isOptional: false)]
    try Batch(columns, rows: 10, seed: 1).load(into: store)
    let load = try BulkLoad(
      store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
      onConflict: .error)
    for (number, section) in Batch(columns, rows: 10, seed: 2).sections(of: 10).enumerated() {
      try load.add(section, number: number)
    }
    try store.write { try $0.alter([Self.draft([Self.column("b")])], version: 1) }
    try store.write { try $0.alter([Self.draft([Self.column("a")])], version: 2) }
    let writer = try BulkWriter(load)
    try store.write { try $0.alter([Self.draft([Self.column("a", .string)])], version: 3) }
    try store.write { try $0.alter([Self.draft([Self.column("a")])], version: 4) }
    let error = try #require(throws: StoreError.self) { try writer.publish() }
    #expect(error.message.contains("was made or changed by someone else during the import"))
    writer.abandon()
    #expect(try store.snapshot().table("Row")?.liveCount == 10)
  }

  /// The columns of an altered class have numbers that differ from their positions.
  @Test func rowsAreLoadedIntoAnAlteredClass() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let first = [
      BulkColumn(name: "gone", type: .string, isOptional: true),
      BulkColumn(name: "key", type: .int, isOptional: false),
    ]
    try Batch(first, rows: 5000, seed: 1).load(into: store, primaryKey: 1)
    try store.write {
      try $0.alter(
        [
          Self.draft([
            Self.column("key", isPrimaryKey: true),
            Self.column("at", .point, isOptional: true), Self.column("n", isIndexed: true),
          ])
        ], version: 1)
    }
    let later = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "at", type: .point, isOptional: true),
      BulkColumn(name: "n", type: .int, isOptional: false),
    ]
    var rows = Batch(later, rows: 9000, seed: 2).rows
    for row in rows.indices { rows[row][2] = .int(Int64(row % 7)) }
    let summary = try Batch(later, rows).load(into: store, location: 1, onConflict: .replace)
    // Rows of the first load have no location and the number 0, and so have a few of the second.
    let same = rows[..<5000].count { $0[1] == .null && $0[2] == .int(0) }
    #expect(
      summary == BulkSummary(inserted: 4000, replaced: 5000 - same, unchanged: same))
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    for key in [0, 4999, 5000, 8999] {
      let found = try #require(table.find(primaryKey: .int(Int64(key))))
      #expect((0..<3).map { table.value($0, at: found) } == rows[key])
    }
    var source = ValueSource(seed: 3)
    let answers = try SpatialAnswers(table, 1)
    #expect(answers.index.baseRuns.count == 1)
    answers.check(&source, regions: 10, "after the load")
    var candidates = 0
    table.valueIndex(2)?.candidates(ValueRange(equal: .int(3))) { key in
      if table.isLive(key), table.value(2, at: key) == .int(3) { candidates += 1 }
      return true
    }
    #expect(candidates == rows.count { $0[2] == .int(3) })
  }

  @Test func aClassEditedInTheTransactionIsNotAltered() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTables([Self.draft([Self.column("a")])]) }
    let transaction = try store.beginWrite()
    try transaction.table("Row")?.insert([.int(1)])
    let error = try #require(throws: StoreError.self) {
      try transaction.alter([Self.draft([Self.column("b")])], version: 1)
    }
    #expect(error.message.contains("'Row' cannot be altered in a transaction that has changed"))
    // Indexes are built in a later transaction.
    try transaction.declareClasses([Self.draft([Self.column("a", isIndexed: true)])])
    #expect(transaction.table("Row")?.schema.columns[0].isIndexed == false)
    try transaction.commit()
    try store.write {
      try $0.declareClasses([Self.draft([Self.column("a", isIndexed: true)])])
    }
    let snapshot = try store.snapshot()
    #expect(snapshot.table("Row")?.valueIndex(0)?.estimate(ValueRange(equal: .int(1))) == 1)
  }

  /// Ten thousand rows get a property without a byte written for it, and lose another one with all
  /// its data.
  @Test func addingAPropertyWritesNoRows() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let columns = [BulkColumn(name: "a", type: .int, isOptional: false)]
    try Batch(columns, rows: 10_000, seed: 1).load(into: store)
    let before = try store.dump()
    let wider = Self.draft([
      Self.column("a"), Self.column("b", .string), Self.column("c", .double, isOptional: true),
    ])
    try store.write { try $0.alter([wider], version: 1) }
    #expect(Set(try store.dump().keys).subtracting(before.keys).isEmpty)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.value(1, at: 9_999) == .string("") && table.value(2, at: 0) == .null)
  }
}
