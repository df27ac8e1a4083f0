import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Rows of a load that the class has already. They are not written, and the result is that of
/// replacing every row in order.
@Suite struct KnownRowTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let types: [ValueType] = [
    .bool, .int, .double, .float, .date, .string, .data, .objectId, .uuid, .decimal128, .geometry,
  ]

  private static let columns =
    [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "at", type: .point, isOptional: true),
    ] + types.map { BulkColumn(name: "of \($0.name)", type: $0, isOptional: true) }

  private func rows(_ store: Store) throws -> [Value: [Value]] {
    let table = try #require(try store.snapshot().table("Row"))
    let count = table.schema.properties.count
    return Dictionary(
      uniqueKeysWithValues: table.liveRows.map { ($0[0], Array($0.prefix(count))) })
  }

  @Test func theSameRowsWriteNothing() throws {
    let store = try folder.store()
    let batch = Batch(
      Self.columns, rows: 6000, seed: 31, flavours: [.plain, .few, .extreme])
    try batch.load(into: store, location: 1, primaryKey: 0, indexed: [7], sections: 1700)
    let before = try store.dump()
    for size in [6000, 901] {
      let summary = try batch.load(
        into: store, location: 1, primaryKey: 0, onConflict: .replace, sections: size)
      #expect(summary == BulkSummary(unchanged: 6000))
    }
    #expect(try store.dump() == before)
  }

  /// Random loads in which a row is equal, changed in one column, new, or repeated.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func someRowsChange(seed: UInt64) throws {
    let store = try folder.store()
    var batch = Batch(Self.columns, rows: 1500, seed: seed)
    try batch.load(into: store, location: 1, primaryKey: 0, sections: 400)
    // Rows that no run of the index holds yet.
    var single = Batch(Self.columns, rows: 40, seed: seed + 7).rows
    for row in single.indices { single[row][0] = .int(Int64(5000 + row)) }
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    for row in single {
      for value in row { writer.append(value) }
      _ = try writer.finishRow()
    }
    try transaction.commit()
    batch.rows += single
    var expected = try rows(store)
    var source = ValueSource(seed: seed + 100)
    for _ in 0..<6 {
      for _ in 0..<source.int(0...80) {
        let row = source.int(0...batch.rows.count - 1)
        let column = source.int(2...Self.columns.count - 1)
        batch.rows[row][column] = source.value(of: Self.columns[column].type, .plain)
      }
      for _ in 0..<source.int(0...20) {
        // The same key again, with the old or with other values.
        var row = batch.rows[source.int(0...batch.rows.count - 1)]
        if source.chance(50) { row[3] = .int(Int64(source.int(0...9))) }
        batch.rows.insert(row, at: source.int(0...batch.rows.count))
      }
      for row in batch.rows { expected[row[0]] = row }
      let summary = try batch.load(
        into: store, location: 1, primaryKey: 0, onConflict: .replace,
        sections: source.int(100...1600))
      #expect(summary.inserted + summary.replaced + summary.unchanged == batch.rows.count)
      let found = try rows(store)
      #expect(found.count == expected.count)
      for (key, row) in expected { #expect(identical([found[key] ?? []], [row]), "\(key)") }
    }
    #expect(try Store.verify(store.path).isSound)
  }

  /// A row that another transaction changes or deletes during the load is written after all.
  @Test(arguments: [true, false], [ConflictPolicy.replace, .skip])
  func aChangeDuringTheLoad(deletes: Bool, policy: ConflictPolicy) throws {
    let store = try folder.store()
    let batch = Batch(Self.columns, rows: 500, seed: 5)
    try batch.load(into: store, location: 1, primaryKey: 0)
    let before = try rows(store)
    let load = try BulkLoad(
      store: store, table: "Row", columns: batch.columns, location: 1, primaryKey: 0, indexed: [],
      onConflict: policy)
    for (number, section) in batch.sections(of: 100).enumerated() {
      try load.add(section, number: number)
    }
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    let key = try #require(writer.table.find(primaryKey: .int(42)))
    if deletes { try writer.delete(key) } else { try writer.set(.int(-1), position: 3, at: key) }
    try transaction.commit()
    let summary = try load.finish()
    switch (deletes, policy) {
    case (true, .replace): #expect(summary == BulkSummary(inserted: 1, replaced: 499))
    case (true, _): #expect(summary == BulkSummary(inserted: 1, skipped: 499))
    case (false, .replace): #expect(summary == BulkSummary(replaced: 500))
    case (false, _): #expect(summary == BulkSummary(skipped: 500))
    }
    var expected = before
    if !deletes, policy == .skip { expected[.int(42)]?[3] = .int(-1) }
    #expect(try rows(store) == expected)
  }

  /// A change of other rows does not matter.
  @Test func anUnrelatedChangeDuringTheLoad() throws {
    let store = try folder.store()
    let batch = Batch(Self.columns, rows: 500, seed: 6)
    try batch.load(into: store, location: 1, primaryKey: 0)
    var part = batch
    part.rows = Array(batch.rows[..<400])
    let load = try BulkLoad(
      store: store, table: "Row", columns: part.columns, location: 1, primaryKey: 0, indexed: [],
      onConflict: .replace)
    for (number, section) in part.sections(of: 100).enumerated() {
      try load.add(section, number: number)
    }
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    try writer.delete(try #require(writer.table.find(primaryKey: .int(450))))
    try transaction.commit()
    #expect(try load.finish() == BulkSummary(unchanged: 400))
    #expect(try rows(store).count == 499)
  }

  /// A key with an equal row and another one, in every order and with the batches compared in any
  /// order: the last row of the source remains, and the other rows are left out all the same.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func repeatedKeys(order: [Int]) throws {
    for (first, second) in [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 2)] {
      for isEqualFirst in [true, false] {
        let folder = try TemporaryFolder(inMemory: true)
        let store = try folder.store()
        var batch = Batch(Self.columns, rows: 300, seed: 8)
        try batch.load(into: store, location: 1, primaryKey: 0)
        let equal = batch.rows[17]
        var other = equal
        other[3] = .int(-5)
        var rows = batch.rows
        rows.remove(at: 17)
        rows.insert(isEqualFirst ? equal : other, at: first * 100 + 10)
        rows.insert(isEqualFirst ? other : equal, at: second * 100 + (first < second ? 10 : 11))
        batch.rows = rows
        let load = try BulkLoad(
          store: store, table: "Row", columns: batch.columns, location: 1, primaryKey: 0,
          indexed: [], onConflict: .replace)
        let sections = batch.sections(of: 101)
        for number in order { try load.add(sections[number], number: number) }
        let summary = try load.finish()
        #expect(summary.inserted == 0 && summary.replaced + summary.unchanged == 301)
        if order == [0, 1, 2] { #expect(summary.unchanged >= 299, "\(summary)") }
        let last = try #require(batch.rows.last { $0[0] == equal[0] })
        let found = try self.rows(store)
        #expect(found.count == 300)
        #expect(identical([found[equal[0]] ?? []], [last]), "\(first), \(second), \(isEqualFirst)")
      }
    }
  }

  /// A commit of this process that is not in the file yet when the load is published.
  @Test func aCommitThatIsPending() throws {
    for round in 0..<20 {
      let folder = try TemporaryFolder(inMemory: true)
      let store = try folder.store()
      let batch = Batch(Self.columns, rows: 200, seed: 9)
      try batch.load(into: store, location: 1, primaryKey: 0)
      var more = batch
      if round % 2 == 0 {
        var row = batch.rows[0]
        row[0] = .int(1000)
        more.rows.append(row)
      }
      let load = try BulkLoad(
        store: store, table: "Row", columns: more.columns, location: 1, primaryKey: 0, indexed: [],
        onConflict: .replace)
      try load.add(more.sections(of: 500)[0], number: 0)
      let transaction = try store.beginWrite()
      let loader = Threads.startJoinable { _ = try? load.finish() }
      let writer = try #require(transaction.table("Row"))
      try writer.delete(try #require(writer.table.find(primaryKey: .int(42))))
      try transaction.commit()
      loader.join()
      #expect(try rows(store)[.int(42)] == batch.rows[42], "round \(round)")
    }
  }

  /// Values outside of their chunks, also such that share their beginning.
  @Test func largeValues() throws {
    let store = try folder.store()
    let columns = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "text", type: .string, isOptional: true),
    ]
    let long = String(repeating: "long ", count: 500)
    var batch = Batch(columns, (0..<300).map { [.int($0), .string(long + "\($0)")] })
    try batch.load(into: store, primaryKey: 0)
    batch.rows[7][1] = .string(long + "8")
    batch.rows[9][1] = .null
    let summary = try batch.load(into: store, primaryKey: 0, onConflict: .replace, sections: 40)
    #expect(summary == BulkSummary(replaced: 2, unchanged: 298))
    #expect(try rows(store)[.int(7)] == batch.rows[7])
    #expect(try rows(store)[.int(9)] == batch.rows[9])
  }

  /// A row with a value in a property that the load lacks is not equal, because that becomes null.
  @Test func propertiesThatTheLoadLacks() throws {
    let store = try folder.store()
    let columns = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "name", type: .string, isOptional: true),
      BulkColumn(name: "more", type: .string, isOptional: true),
    ]
    let all = Batch(
      columns,
      [
        [.int(1), .string("a"), .null], [.int(2), .string("b"), .string("x")],
        [.int(3), .null, .string("")],
      ])
    try all.load(into: store, primaryKey: 0)
    let part = Batch(Array(columns[..<2]), all.rows.map { Array($0[..<2]) })
    let summary = try part.load(into: store, primaryKey: 0, onConflict: .replace)
    #expect(summary == BulkSummary(replaced: 2, unchanged: 1))
    #expect(try rows(store).values.allSatisfy { $0[2] == .null })
  }

  @Test func altitudesAndClassesMadeAnew() throws {
    let store = try folder.store()
    let batch = Batch(
      Array(Self.columns[..<2]), [[.int(1), .point(Position(latitude: 1, longitude: 2))]])
    try batch.load(into: store, location: 1, primaryKey: 0)
    var transaction = try store.beginWrite()
    try #require(transaction.table("Row")).set(
      .point(Position(latitude: 1, longitude: 2, altitude: 9)), position: 1, at: 0)
    try transaction.commit()
    #expect(
      try batch.load(into: store, location: 1, primaryKey: 0, onConflict: .replace)
        == BulkSummary(replaced: 1))
    // The class is deleted and made again, empty, while a load has compared its rows.
    let load = try BulkLoad(
      store: store, table: "Row", columns: batch.columns, location: 1, primaryKey: 0, indexed: [],
      onConflict: .replace)
    try load.add(batch.sections(of: 1)[0], number: 0)
    transaction = try store.beginWrite()
    transaction.removeTable("Row")
    try transaction.commit()
    #expect(try load.finish() == BulkSummary(inserted: 1))
    #expect(try rows(store).count == 1)
  }
}
