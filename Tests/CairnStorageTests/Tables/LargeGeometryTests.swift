import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Geometries that are stored under keys of their own.
@Suite(.tags(.untrusted)) struct LargeGeometryTests {
  let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  /// A line of many vertices around a place.
  static func line(_ vertices: Int, _ number: Int, altitude: Double? = nil) -> Value {
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for index in 0..<vertices {
      builder.add(
        longitude: Double(number % 300) - 150 + Double(index % 100) / 64,
        latitude: Double(index % 70) / 32 + Double(number) / 128, altitude: altitude)
    }
    builder.end()
    return .geometry(builder.geometry().bytes)
  }

  private static let columns = [
    ColumnSchema(id: 0, name: "path", type: .lineString, isOptional: true, position: 0),
    ColumnSchema(id: 0, name: "id", type: .int, position: 1),
  ]

  /// The keys of the rows whose geometries have keys of their own.
  private func largeRows(_ store: Store) throws -> Int {
    try store.dump().keys.count { $0.hasPrefix("largeValue") }
  }

  private func randomValue(_ source: inout ValueSource) -> Value {
    switch source.int(0...9) {
    case 0: .null
    case 1...4: Self.line(source.int(2100...2600), source.int(0...40))
    default: Self.line(source.int(2...50), source.int(0...40))
    }
  }

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(1, long: 3)))
  func changesAgreeWithAModel(seed: UInt64) throws {
    var store = try folder.store()
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    var source = ValueSource(seed: seed)
    var model: [Int: Value] = [:]
    var endKey = 0
    func check(_ table: Table, _ model: [Int: Value], _ comment: String) throws {
      #expect(table.liveCount == model.count, "\(comment)")
      let wrong = model.first { key, value in table.value(0, at: key) != value }?.key
      #expect(wrong == nil, "\(comment)")
      try BoxAnswers(table, 0).check(&source, windows: 3, comment)
    }
    for turn in 0..<Soak.count(6, long: 14) {
      let comment = "seed \(seed), turn \(turn)"
      let transaction = try store.beginWrite()
      let writer = try #require(transaction.table("Row"))
      var (next, end) = (model, endKey)
      for _ in 0..<25 {
        let keys = next.keys.sorted()
        let dice = source.int(0...9)
        if dice < 4 || keys.isEmpty {
          let value = randomValue(&source)
          next[try writer.insert([value, .int(0)])] = value
          end += 1
        } else if dice < 7 {
          let key = keys[source.int(0...keys.count - 1)]
          next[key] = randomValue(&source)
          try writer.set(next[key] ?? .null, position: 0, at: key)
        } else if dice < 8 {
          let some = keys.filter { _ in source.chance(20) }
          let value = randomValue(&source)
          try writer.set(value, position: 0, at: some)
          for key in some { next[key] = value }
        } else {
          let key = keys[source.int(0...keys.count - 1)]
          try writer.delete(key)
          next[key] = nil
        }
      }
      try check(writer.table, next, "\(comment), inside")
      if source.chance(80) {
        try transaction.commit()
        (model, endKey) = (next, end)
      } else {
        transaction.rollback()
      }
      if source.chance(20) { store = try Store.open(path, mode: .readWrite) }
      let snapshot = try store.snapshot()
      try check(try #require(snapshot.table("Row")), model, comment)
      let large = model.values.count { $0.isLargeGeometry }
      #expect(try largeRows(store) == large, "\(comment)")
    }
    #expect(try Store.verify(path).findings == [], "seed \(seed)")
  }

  @Test func aRejectedRowLeavesNothing() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      #expect(throws: StoreError.self) { try writer.insert([Self.line(3000, 1), .null]) }
      let key = try writer.insert([Self.line(3, 1), .int(1)])
      #expect(writer.table.value(0, at: key) == Self.line(3, 1))
    }
    #expect(try largeRows(store) == 0)
    #expect(try Store.verify(path).findings == [])
  }

  @Test func manyVerticesWithAltitudesAreKept() throws {
    let store = try folder.store()
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    let count = Soak.count(150_000, long: 1_000_000)
    for index in 0..<count {
      builder.add(
        longitude: Double(index) / 7e6, latitude: Double(index % 977) / 30, altitude: Double(index))
    }
    builder.end()
    let huge = Value.geometry(builder.geometry().bytes)
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      try writer.insert([huge, .int(1)])
      try writer.insert([Self.line(5, 5), .int(2)])
    }
    let before = try store.snapshot()
    try store.write { try $0.table("Row")?.set(Self.line(9, 9), position: 0, at: 1) }
    let table = try #require(before.table("Row"))
    #expect(table.column(0).chunk(0).geometry(at: 0).vertexCount == count)
    #expect(table.value(0, at: 0) == huge)
    #expect(try largeRows(store) == 1)
  }

  @Test func loadsAndCompactionsMoveLargeGeometries() throws {
    let columns = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "path", type: .lineString, isOptional: true),
    ]
    var source = ValueSource(seed: 5)
    let (count, size) = (Soak.count(90, long: 300), Soak.count(25, long: 70))
    func rows(_ first: Int) -> [[Value]] {
      (0..<count).map { [.int(Int64(first + $0)), randomValue(&source)] }
    }
    let (old, new) = (rows(0), rows(count * 2 / 3))
    let expected = Dictionary(
      (old + new).map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    func check(_ store: Store, _ comment: String) throws {
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      #expect(table.liveCount == expected.count)
      #expect(table.liveRows.allSatisfy { expected[$0[0]] == $0[1] }, "\(comment)")
      #expect(
        try largeRows(store) == expected.values.count { $0.isLargeGeometry }, "\(comment)")
      try BoxAnswers(table, 1).check(&source, windows: 4, comment)
    }
    do {
      let store = try folder.store()
      try Batch(columns, old).load(into: store, primaryKey: 0, sections: size)
      try Batch(columns, new).load(
        into: store, primaryKey: 0, onConflict: .replace, sections: size, blockBytes: 1 << 20)
      try check(store, "loaded")
    }
    try folder.checkCopyAndCompaction(check)
    let store = try folder.store(.readWrite)
    // A load whose rows repeat drops all but the last.
    let twice = (0..<Soak.count(10, long: 40)).map { [Value.int(9999), Self.line(2200, $0)] }
    try Batch(columns, twice).load(into: store, primaryKey: 0, onConflict: .replace)
    #expect(
      try largeRows(store) == expected.values.count { $0.isLargeGeometry } + 1)
    try store.write { transaction in transaction.table("Row")?.deleteAll() }
    #expect(try largeRows(store) == 0)
    #expect(try Store.verify(path).findings == [])
  }

  @Test func damageIsFound() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for number in 0..<3 { try writer.insert([Self.line(2500, number), .int(0)]) }
    }
    let table = try #require(try store.snapshot().schema.table(named: "Row")).id
    func change(_ row: Int, _ body: (inout [UInt8]) -> Void) throws -> [IntegrityFinding] {
      let key = LargeValueKeys(table: table, column: 0, extent: 0).value(chunk: 0, row: row)
      try store.damage(key, body)
      return try Store.verify(path).findings
    }
    let damaged = try change(1) { $0[5000] ^= 1 }
    #expect(
      damaged.map(\.description)
        == ["'Row.path', chunk 0: object 1: the geometry is missing or damaged"])
    #expect(try change(1) { $0[5000] ^= 1 } == [])
    #expect(try change(2) { $0 = [] }.count == 1)
    // A reader without a check sees an empty geometry.
    let snapshot = try store.snapshot()
    let view = try #require(snapshot.table("Row")).column(0).chunk(0).geometry(at: 2)
    #expect(view.vertexCount == 0)
  }
}

extension Value {
  /// Whether the value is a geometry that is stored under a key of its own.
  fileprivate var isLargeGeometry: Bool {
    guard case .geometry(let bytes) = self else { return false }
    return bytes.count > 16 << 10
  }
}
