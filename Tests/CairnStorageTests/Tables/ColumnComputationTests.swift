import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Computed columns of a table.
@Suite struct ColumnComputationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private struct Fault: Error {}

  private func table(_ count: Int) throws -> (Snapshot, Table) {
    let store = try folder.store()
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable(
      "A", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
    for number in 0..<count {
      writer.append(int: Int64(number))
      _ = try writer.finishRow()
    }
    try transaction.commit()
    let snapshot = try store.snapshot()
    return (snapshot, try #require(snapshot.table("A")))
  }

  @Test func rowsAreComputedOnceAndOnDemand() throws {
    let (_, plain) = try table(10_000)
    var calls: [Int] = []
    let table = plain.computing([
      ColumnComputation("double", type: .int) { chunk, rows in
        calls.append(chunk)
        for row in 0..<rows.count where row % 2 == 0 {
          rows.set(.int(Int64(chunk * ChunkShape.rows + row) * 2), at: row)
        }
      }
    ])
    #expect(calls.isEmpty && plain.schema.column(named: "double") == nil)
    let column = try #require(table.schema.column(named: "double"))
    #expect(table.schema.properties.map(\.name) == ["n"] && column.isHidden)
    for key in [0, 9_998, 4096, 4097, 9_998] {
      #expect(
        table.value(column.position, at: key) == (key % 2 == 0 ? .int(Int64(key * 2)) : .null))
    }
    #expect(calls == [0, 2, 1])
    #expect(table.column(column.position).zone(1) == .unknown)
    #expect(table.column(column.position).chunk(2).count == 10_000 - 2 * ChunkShape.rows)
  }

  @Test func aPropertyComesBeforeAComputedColumn() throws {
    let (_, plain) = try table(3)
    let table = plain.computing([
      ColumnComputation("n", type: .double) { _, _ in },
      ColumnComputation("m", type: .double) { _, _ in },
    ]).computing([ColumnComputation("o", type: .string) { _, _ in }])
    #expect(table.schema.column(named: "n")?.position == 0)
    #expect(table.schema.column(named: "m")?.position == 2)
    #expect(table.schema.column(named: "o")?.position == 3)
    #expect(table.value(0, at: 2) == .int(2) && table.value(3, at: 2) == .null)
  }

  @Test func theFirstErrorIsKept() throws {
    let (_, plain) = try table(5_000)
    let table = plain.computing([
      ColumnComputation("x", type: .double) { chunk, rows in
        if chunk > 0 { throw Fault() }
        rows.set(.double(1), at: 0)
      }
    ])
    #expect(table.value(1, at: 0) == .double(1))
    try table.requireComputed()
    #expect(table.value(1, at: 4096) == .null)
    #expect(throws: Fault.self) { try table.requireComputed() }
  }
}
