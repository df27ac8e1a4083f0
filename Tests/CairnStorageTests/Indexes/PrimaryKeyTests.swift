import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite struct PrimaryKeyTests {
  private static func columns(_ type: ValueType) -> [ColumnSchema] {
    [
      ColumnSchema(
        id: 0, name: "id", type: type, isOptional: true, isPrimaryKey: true, position: 0),
      ColumnSchema(id: 0, name: "count", type: .int, position: 1),
    ]
  }

  @Test(arguments: [ValueType.int, .string, .objectId, .uuid])
  func findingAgreesWithADictionary(type: ValueType) throws {
    let work = try Workload(Self.columns(type), seed: UInt64(type.rawValue))
    var absent = ValueSource(seed: 99)
    for turn in 0..<20 {
      try work.transact(
        work.source.int(1...120), insert: turn < 10 ? 70 : 20, set: 20,
        commits: work.source.chance(85)
      ) { table, state in
        check(table, state.rows, &absent)
      }
      if work.source.chance(20) { try work.reopen() }
      let (snapshot, table) = try work.snapshot()
      withExtendedLifetime(snapshot) { check(table, work.rows, &absent) }
    }
  }

  private func check(_ table: Table, _ rows: [Int: [Value]], _ source: inout ValueSource) {
    let lost = rows.first { key, row in table.find(primaryKey: row[0]) != key }?.key
    #expect(lost == nil)
    let taken = Set(rows.values.map { $0[0] })
    guard let type = table.schema.columns.first?.type else { return }
    for _ in 0..<20 {
      let value = source.value(of: type, .plain)
      if !taken.contains(value) { #expect(table.find(primaryKey: value) == nil) }
    }
    #expect(table.find(primaryKey: .null) == nil)
  }

  @Test func anExistingKeyIsRejectedWithRealmsMessage() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let transaction = try store.beginWrite()
    let people = try transaction.createTable("Person", columns: Self.columns(.int))
    let cities = try transaction.createTable("City", columns: Self.columns(.string))
    try people.insert([.int(5), .int(1)])
    try people.insert([.int(6), .int(1)])
    try cities.insert([.string("Oslo"), .int(1)])
    func message(_ body: () throws -> Void) -> String? {
      let error = #expect(throws: StoreError.self) { try body() }
      #expect(error?.kind == .duplicateKey)
      return error?.message
    }
    let sentence = "Attempting to create an object of type '"
    #expect(
      message { try people.insert([.int(5), .int(2)]) }
        == sentence + "Person' with an existing primary key value '5'.")
    #expect(
      message { try cities.insert([.string("Oslo"), .int(2)]) }
        == sentence + "City' with an existing primary key value 'Oslo'.")
    #expect(message { try people.set(.int(6), position: 0, at: 0) } != nil)
    try people.set(.int(5), position: 0, at: 0)
    try transaction.commit()
    try store.write { transaction in
      let people = try #require(transaction.table("Person"))
      #expect(message { try people.insert([.int(6), .int(2)]) } != nil)
      try people.delete(1)
      try people.insert([.int(6), .int(2)])
      try people.set(.int(7), position: 0, at: 0)
      try people.insert([.int(5), .int(2)])
      #expect(people.table.find(primaryKey: .int(7)) == 0)
    }
  }
}
