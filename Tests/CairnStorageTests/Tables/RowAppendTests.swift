import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Rows appended cell by cell equal the rows that `insert` creates from values.
@Suite struct RowAppendTests {
  private static let columns = [
    ("id", ValueType.string, false), ("n", .int, true), ("flag", .bool, false),
    ("real", .double, true), ("when", .date, false), ("bytes", .data, true), ("any", .mixed, true),
    ("at", .point, true),
  ].enumerated().map { position, column in
    ColumnSchema(
      id: 0, name: column.0, type: column.1, isOptional: column.2, isPrimaryKey: position == 0,
      position: 0)
  }

  private func append(_ row: [Value], to writer: TableWriter) {
    for value in row {
      switch value {
      case .null: writer.appendNull()
      case .int(let number): writer.append(int: number)
      case .bool(let flag): writer.append(bool: flag)
      case .double(let number): writer.append(double: number)
      case .date(let seconds): writer.append(date: seconds)
      case .string(let text): writer.append(text: text)
      case .data(let bytes): bytes.withUnsafeBytes { writer.append(bytes: $0) }
      default: writer.append(value)
      }
    }
  }

  private func row(_ key: Int, _ source: inout ValueSource) -> [Value] {
    Self.columns.map { column in
      if column.isPrimaryKey { return .string("row \(key)") }
      if column.isNullable, source.chance(30) { return .null }
      return source.value(of: column.storedType, source.chance(70) ? .plain : .extreme)
    }
  }

  @Test func cellByCellAndAtOnce() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    var source = ValueSource(seed: 8)
    var rows: [[Value]] = []
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for key in 0..<5000 {
        let row = row(key, &source)
        if source.chance(5) { try fail(row, in: writer) }
        rows.append(row)
        if source.chance(60) {
          append(row, to: writer)
          #expect(try writer.finishRow() == key)
        } else {
          #expect(try writer.insert(row) == key)
        }
      }
      #expect(identical(writer.table.liveRows, rows))
    }
    #expect(identical(try #require(try store.snapshot().table("Row")).liveRows, rows))
  }

  /// A row with a fault throws at its end, and leaves nothing.
  private func fail(_ row: [Value], in writer: TableWriter) throws {
    append(Array(row.dropLast()), to: writer)
    #expect(throws: StoreError.self, "too few") { try writer.finishRow() }
    append(row + [.null], to: writer)
    #expect(throws: StoreError.self, "too many") { try writer.finishRow() }
    var wrong = row
    wrong[4] = .string("not a date")
    append(wrong, to: writer)
    #expect(throws: StoreError.self, "wrong type") { try writer.finishRow() }
    wrong = row
    wrong[2] = .null
    append(wrong, to: writer)
    #expect(throws: StoreError.self, "null in a required property") { try writer.finishRow() }
    guard writer.table.liveCount > 0 else { return }
    wrong = row
    wrong[0] = writer.table.value(0, at: 0)
    append(wrong, to: writer)
    let taken = #expect(throws: StoreError.self) { try writer.finishRow() }
    #expect(taken?.kind == .duplicateKey)
  }
}
