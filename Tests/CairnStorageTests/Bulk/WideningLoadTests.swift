import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Loads with columns or types that the class has to be widened for.
@Suite struct WideningLoadTests {
  private let folder: TemporaryFolder
  private let store: Store

  private static let columns = [
    BulkColumn(name: "n", type: .double, isOptional: true),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "note", type: .string, isOptional: true),
  ]

  /// A class with an index on integers, and unindexed rows.
  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try folder.store()
    try store.write { transaction in
      _ = try transaction.createTable(
        "Row",
        columns: [
          ColumnSchema(id: 0, name: "gone", type: .bool, position: 0),
          ColumnSchema(id: 1, name: "n", type: .int, isIndexed: true, position: 1),
          ColumnSchema(id: 2, name: "at", type: .point, isOptional: true, position: 2),
          ColumnSchema(id: 3, name: "name", type: .string, isIndexed: true, position: 3),
        ])
    }
    try add(0..<5000)
    try add(5000..<5040)
  }

  private func add(_ numbers: Range<Int>) throws {
    try store.write { transaction in
      let table = try #require(transaction.table("Row"))
      for number in numbers {
        try table.insert([
          .bool(true), .int(Int64(number)), .point(Self.place(number)), .string("\(number % 9)"),
        ])
      }
    }
  }

  private static func place(_ number: Int) -> Position {
    Position(latitude: Double(number % 90), longitude: Double(number % 180))
  }

  private func begin(_ numbers: Range<Int>) throws -> BulkLoad {
    let rows = numbers.map { number -> [Value] in
      [.double(Double(number) + 0.5), .point(Self.place(number)), .string("note \(number)")]
    }
    let load = try BulkLoad(
      store: store, table: "Row", columns: Self.columns, location: 1, primaryKey: nil, indexed: [],
      onConflict: .error)
    for (number, section) in Batch(Self.columns, rows).sections(of: 1000).enumerated() {
      try load.add(section, number: number)
    }
    return load
  }

  /// Compares the rows, as numbers with their notes, and looks each number up in the index.
  private func check(_ expected: [Double: Value]) throws {
    let report = try Store.verify(folder.file())
    #expect(report.findings.isEmpty, "\(report.findings)")
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let number = try #require(table.schema.column(named: "n"))
    let note = try #require(table.schema.column(named: "note"))
    let name = try #require(table.schema.column(named: "name"))
    #expect(number.type == .double && number.isIndexed && name.isOptional && name.isIndexed)
    var found: [Double: Value] = [:]
    for key in 0..<table.endKey where table.isLive(key) {
      guard case .double(let value) = table.value(number.position, at: key) else {
        Issue.record("row \(key) has no number")
        continue
      }
      found[value] = table.value(note.position, at: key)
      #expect((found[value] == .null) == (table.value(name.position, at: key) != .null))
    }
    #expect(found == expected)
    let index = try #require(table.valueIndex(number.position))
    for value in [0, 4999, 5010, 5999.5, 6000.5] {
      var hits = 0
      index.candidates(ValueRange(equal: .double(value))) { key in
        if table.isLive(key), table.value(number.position, at: key) == .double(value) { hits += 1 }
        return true
      }
      #expect(hits == (expected[value] == nil ? 0 : 1), "\(value)")
    }
    var source = ValueSource(seed: 1)
    let place = try #require(table.schema.column(named: "at"))
    try SpatialAnswers(table, place.position).check(&source, regions: 10, "widened")
  }

  private var old: [Double: Value] {
    Dictionary(uniqueKeysWithValues: (0..<5040).map { (Double($0), .null) })
  }

  private func new(_ numbers: Range<Int>) -> [Double: Value] {
    Dictionary(
      uniqueKeysWithValues: numbers.map { (Double($0) + 0.5, .string("note \($0)")) })
  }

  @Test func aWideningLoadKeepsAndAddsRows() throws {
    let before = try store.snapshot()
    #expect(try begin(5000..<7000).finish() == BulkSummary(inserted: 2000))
    try check(old.merging(new(5000..<7000)) { $1 })
    #expect(before.table("Row")?.value(1, at: 7) == .int(7))
    // A second load of the same kind widens nothing.
    let schema = try store.snapshot().schema.table(named: "Row")
    _ = try begin(8000..<8100).finish()
    #expect(try store.snapshot().schema.table(named: "Row") == schema)
    try check(old.merging(new(5000..<7000)) { $1 }.merging(new(8000..<8100)) { $1 })
    let again = try store.snapshot()
    let keys = Set(try #require(schema).columns.map(\.id))
    try again.transaction.scan(from: .header) { key, _ in
      if key.kind == .chunk || key.kind == .runKeys { #expect(keys.contains(key.column), "\(key)") }
      return true
    }
  }

  /// Rows that others write during the load are converted too.
  @Test func rowsWrittenDuringTheLoadAreConverted() throws {
    let load = try begin(6000..<6010)
    try add(5040..<5060)
    try store.write { transaction in
      let table = try #require(transaction.table("Row"))
      try table.delete(3)
      try table.set(.int(-4), position: 1, at: 4)
    }
    _ = try load.finish()
    var expected = old.merging(new(6000..<6010)) { $1 }
    for number in 5040..<5060 { expected[Double(number)] = .null }
    expected[3] = nil
    expected[4] = nil
    expected[-4] = .null
    try check(expected)
  }

  @Test func aNumberWrittenMeanwhileCanPreventTheWidening() throws {
    let load = try begin(6000..<6010)
    try store.write { transaction in
      try transaction.table("Row")?.set(.int(1 << 53 + 1), position: 1, at: 4)
    }
    let before = try store.dump()
    let error = try #require(throws: StoreError.self) { try load.finish() }
    #expect(
      error.message
        == "'Row.n' cannot become a double: it holds 9007199254740993, which no double holds exactly"
    )
    #expect(try store.dump() == before)
    #expect(try Store.verify(folder.file()).findings.isEmpty)
  }

  @Test func aClassAlteredMeanwhileIsNotWidened() throws {
    let load = try begin(6000..<6010)
    let schema = try #require(try store.snapshot().schema.table(named: "Row"))
    let more = ColumnSchema(id: 0, name: "note", type: .string, isOptional: true, position: 0)
    try store.write {
      try $0.alter([TableDraft(name: "Row", columns: schema.properties + [more])], version: 1)
    }
    let before = try store.dump()
    let error = try #require(throws: StoreError.self) { try load.finish() }
    #expect(error.message.contains("was made or changed by someone else during the import"))
    #expect(try store.dump() == before)
  }

  @Test func typesThatCannotBeWidened() throws {
    func message(_ columns: [BulkColumn]) throws -> String {
      try #require(throws: StoreError.self) {
        try BulkLoad(
          store: store, table: "Row", columns: columns, location: nil, primaryKey: nil,
          indexed: [], onConflict: .error)
      }.message
    }
    #expect(
      try message([BulkColumn(name: "name", type: .int, isOptional: true)])
        == "property 'Row.name' is string in the class and int? in the data")
    #expect(
      try message([BulkColumn(name: "more", type: .int, isOptional: false)])
        == "property 'Row.more' is new to the class, so it must be optional")
    try store.write {
      _ = try $0.createTable(
        "Keyed",
        columns: [ColumnSchema(id: 0, name: "id", type: .int, isPrimaryKey: true, position: 0)])
    }
    for columns in [
      [BulkColumn(name: "id", type: .string, isOptional: false)],
      [BulkColumn(name: "id", type: .int, isOptional: true)],
      [BulkColumn(name: "other", type: .int, isOptional: true)],
    ] {
      let error = try #require(throws: StoreError.self) {
        try BulkLoad(
          store: store, table: "Keyed", columns: columns, location: nil, primaryKey: nil,
          indexed: [], onConflict: .error)
      }
      #expect(error.kind == .schemaMismatch && error.message.contains("id"), "\(error)")
    }
  }
}
