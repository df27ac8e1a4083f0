import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// One class with a column of every type except links, of every kind: single, list, set and map,
/// each required and optional.
@Suite struct EveryColumnTests {
  private static let kinds: [CollectionKind] = [.none, .list, .set, .map]

  static let columns: [ColumnSchema] = kinds.flatMap { kind in
    ValueType.allCases.filter {
      ![.link, .embedded, .box].contains($0) && (kind == .none || !$0.isGeometry)
    }.flatMap { type in
      [false, true].map { isOptional in
        ColumnSchema(
          id: 0, name: "\(kind) of \(type)\(isOptional ? "?" : "")", type: type, collection: kind,
          isOptional: isOptional, position: 0)
      }
    }
  }

  @Test func oneOfEachIsWrittenAndReadBack() throws {
    let folder = try TemporaryFolder(inMemory: true)
    var source = ValueSource(seed: 77)
    var rows: [[Value]] = []
    do {
      let store = try folder.store()
      let transaction = try store.beginWrite()
      let writer = try transaction.createTable("Every", columns: Self.columns)
      for _ in 0..<40 {
        let row = Self.columns.map { value(of: $0, &source) }
        rows.append(row)
        try writer.insert(row)
      }
      check(writer.table, rows)
      try transaction.commit()
    }
    let snapshot = try folder.store(.readOnly).snapshot()
    let table = try #require(snapshot.table("Every"))
    #expect(table.schema.properties.map(\.name) == Self.columns.map(\.name))
    #expect(table.schema.properties.map(\.collection) == Self.columns.map(\.collection))
    check(table, rows)
  }

  @Test func collectionsAreElements() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let stored: [Element] = [
      .list([.value(.int(3)), .value(.null), .value(.link(Link(table: 1, key: 9)))]),
      .map([.init(key: "größe", value: .value(.double(1.5)))]),
      .value(.string("a mixed one")),
    ]
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Bag",
        columns: [
          column("list", .int, .list), column("map", .double, .map), column("mixed", .mixed, .none),
        ])
      try writer.insert(stored.map { .data($0.encoded()) })
    }
    let table = try #require(try store.snapshot().table("Bag"))
    for (position, element) in stored.enumerated() {
      guard case .data(let bytes) = table.value(position, at: 0) else {
        Issue.record("column \(position) holds no bytes")
        continue
      }
      #expect(try bytes.withUnsafeBytes { try Element(decoding: $0) } == element)
    }
  }

  @Test func aCollectionAcceptsOnlyItsBytes() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let transaction = try folder.store().beginWrite()
    let writer = try transaction.createTable("Bag", columns: [column("list", .string, .list)])
    let error = #expect(throws: StoreError.self) { try writer.insert([.string("no bytes")]) }
    #expect(error?.kind == .invalidValue)
    transaction.rollback()
  }

  private func column(
    _ name: String, _ type: ValueType, _ kind: CollectionKind
  ) -> ColumnSchema {
    ColumnSchema(id: 0, name: name, type: type, collection: kind, position: 0)
  }

  private func value(of column: ColumnSchema, _ source: inout ValueSource) -> Value {
    if column.isNullable, source.chance(30) { return .null }
    return source.value(of: column.storedType, source.chance(50) ? .plain : .extreme)
  }

  private func check(_ table: Table, _ rows: [[Value]]) {
    #expect(table.endKey == rows.count && table.liveCount == rows.count)
    for (key, row) in rows.enumerated() {
      for (position, value) in row.enumerated() {
        let found = table.value(position, at: key)
        #expect(identical(found, value), "row \(key), \(table.schema.columns[position].name)")
      }
    }
  }
}
