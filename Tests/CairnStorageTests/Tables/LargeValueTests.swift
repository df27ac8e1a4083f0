import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Texts, data, collections and mixed values that are stored outside of their chunks.
@Suite(.tags(.untrusted)) struct LargeValueTests {
  let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    ColumnSchema(
      id: 0, name: "text", type: .string, isOptional: true, isIndexed: true, isFullText: true,
      position: 0),
    ColumnSchema(id: 0, name: "blob", type: .data, isOptional: true, position: 1),
    ColumnSchema(id: 0, name: "list", type: .int, collection: .list, position: 2),
    ColumnSchema(id: 0, name: "mixed", type: .mixed, isOptional: true, position: 3),
    ColumnSchema(id: 0, name: "id", type: .int, position: 4),
  ]

  private static let textThreshold = 768
  private static let groupThreshold = 16 << 10

  /// A size on either side of the thresholds.
  private static func size(_ source: inout ValueSource) -> Int {
    switch source.int(0...9) {
    case 0: source.int(textThreshold - 2...textThreshold + 2)
    case 1...3: source.int(textThreshold...6000)
    case 4: source.int(groupThreshold - 2...groupThreshold + 2)
    case 5: source.int(groupThreshold...40_000)
    default: source.int(0...40)
    }
  }

  /// Data that looks like a reference to a large value.
  private static func lookalike(_ source: inout ValueSource) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: source.chance(50) ? 24 : 32)
    bytes[0] = 255
    bytes[8] = UInt8(source.int(0...255))
    return bytes
  }

  /// A value for a column; the same seed often gives the same one.
  private static func value(_ column: Int, _ source: inout ValueSource) -> Value {
    let size = size(&source)
    let byte = UInt8(source.int(97...100))
    let bytes = (0..<size).map { byte &+ UInt8($0 % 7) }
    switch column {
    case 0:
      let words = bytes.enumerated().map { $0 % 7 == 6 ? UInt8(ascii: " ") : $1 }
      return source.chance(10) ? .null : .string(String(decoding: words, as: UTF8.self))
    case 1: return source.chance(20) ? .data(lookalike(&source)) : .data(bytes)
    case 2:
      let numbers = (0..<size / 8).map { Value.int(Int64(byte) + Int64($0)) }
      return .data(StoredCollection.encode(numbers, of: .int))
    default:
      return source.chance(10)
        ? .null : .data(Element.list([.value(.data(bytes)), .value(.int(7))]).encoded())
    }
  }

  private static func row(_ source: inout ValueSource) -> [Value] {
    (0..<4).map { value($0, &source) } + [.int(0)]
  }

  /// The numbers of values alone and of groups that rows should have.
  private static func expectedKeys(_ model: [Int: [Value]]) -> (alone: Int, groups: Int) {
    var (alone, groups) = (0, Set<[Int]>())
    for (key, row) in model {
      for (column, value) in row.enumerated() {
        value.withStoredCell { cell in
          guard case .bytes(let bytes) = cell else { return }
          if bytes.count > groupThreshold {
            alone += 1
          } else if bytes.count > textThreshold || LargeReference.resembles(bytes) {
            groups.insert([column, key / 8])
          }
        }
      }
    }
    return (alone, groups.count)
  }

  private func keys(_ store: Store) throws -> (alone: Int, groups: Int) {
    let keys = try store.dump().keys
    return (
      keys.count { $0.hasPrefix("largeValue ") }, keys.count { $0.hasPrefix("largeValueGroup ") }
    )
  }

  private func check(_ table: Table, _ model: [Int: [Value]], _ comment: String) {
    #expect(table.liveCount == model.count, "\(comment)")
    for column in 0..<4 {
      // Some single rows before the chunk is resolved, then all of them.
      let single = model.first { key, row in table.value(column, at: key) != row[column] }?.key
      #expect(single == nil, "\(comment), column \(column)")
      let type = table.schema.columns[column].storedType
      let whole = model.first { key, row in
        table.column(column).chunk(RowAddress(key).chunk)
          .value(at: RowAddress(key).row, type: type) != row[column]
      }?.key
      #expect(whole == nil, "\(comment), column \(column)")
    }
  }

  @Test(arguments: ([1, 2, 3, 4] as [UInt64]).prefix(Soak.count(2, long: 4)))
  func changesAgreeWithAModel(seed: UInt64) throws {
    var store = try folder.store()
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    var source = ValueSource(seed: seed)
    var model: [Int: [Value]] = [:]
    for turn in 0..<Soak.count(10, long: 40) {
      let comment = "seed \(seed), turn \(turn)"
      let transaction = try store.beginWrite()
      let writer = try #require(transaction.table("Row"))
      var next = model
      for _ in 0..<source.int(1...25) {
        let keys = next.keys.sorted()
        let dice = source.int(0...9)
        let column = source.int(0...3)
        if dice < 4 || keys.isEmpty {
          let row = Self.row(&source)
          next[try writer.insert(row)] = row
        } else if dice < 7 {
          let key = keys[source.int(0...keys.count - 1)]
          let value = Self.value(column, &source)
          next[key]?[column] = value
          try writer.set(value, position: column, at: key)
        } else if dice < 8 {
          let some = keys.filter { _ in source.chance(20) }
          let value = Self.value(column, &source)
          try writer.set(value, position: column, at: some)
          for key in some { next[key]?[column] = value }
        } else if dice < 9 {
          let some = keys.filter { _ in source.chance(20) }
          let values = some.map { _ in Self.value(column, &source) }
          try writer.set(values, position: column, at: some[...])
          for (key, value) in zip(some, values) { next[key]?[column] = value }
        } else {
          let key = keys[source.int(0...keys.count - 1)]
          try writer.delete(key)
          next[key] = nil
        }
        if source.chance(10) { check(writer.table, next, "\(comment), inside") }
      }
      check(writer.table, next, "\(comment), inside")
      if source.chance(80) {
        try transaction.commit()
        model = next
      } else {
        transaction.rollback()
      }
      if source.chance(20) { store = try Store.open(path, mode: .readWrite) }
      let snapshot = try store.snapshot()
      check(try #require(snapshot.table("Row")), model, comment)
      let expected = Self.expectedKeys(model)
      #expect(try keys(store) == expected, "\(comment)")
    }
    #expect(try Store.verify(path).findings == [], "seed \(seed)")
  }

  @Test func loadsAndCompactionsMoveLargeValues() throws {
    let columns = [
      BulkColumn(name: "id", type: .int, isOptional: false),
      BulkColumn(name: "text", type: .string, isOptional: true),
      BulkColumn(name: "blob", type: .data, isOptional: true),
      BulkColumn(name: "list", type: .int, isOptional: false, collection: .list),
    ]
    var source = ValueSource(seed: 5)
    let (count, size) = (Soak.count(90, long: 600), Soak.count(25, long: 70))
    func rows(_ first: Int) -> [[Value]] {
      (0..<count).map { [.int(Int64(first + $0))] + Self.row(&source)[0..<3] }
    }
    let (old, new) = (rows(0), rows(count * 2 / 3))
    let expected = Dictionary((old + new).map { ($0[0], $0) }, uniquingKeysWith: { $1 })
    func check(_ store: Store, _ comment: String) throws {
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      #expect(table.liveCount == expected.count)
      #expect(table.liveRows.allSatisfy { expected[$0[0]] == $0 }, "\(comment)")
      let model = (0..<table.endKey).filter(table.isLive).map { key in
        (key, (0..<4).map { table.value($0, at: key) })
      }
      let keys = Self.expectedKeys(Dictionary(uniqueKeysWithValues: model))
      let found = try self.keys(store)
      #expect(found.alone == keys.alone, "\(comment)")
      #expect(found.groups == keys.groups, "\(comment)")
    }
    do {
      let store = try folder.store()
      try Batch(columns, old).load(
        into: store, primaryKey: 0, indexed: [1], fullText: [1], sections: size)
      try Batch(columns, new).load(
        into: store, primaryKey: 0, indexed: [1], fullText: [1], onConflict: .replace,
        sections: size, blockBytes: 1 << 20)
      try check(store, "loaded")
    }
    try folder.checkCopyAndCompaction(check)
    let store = try folder.store(.readWrite)
    // A load whose rows repeat drops all but the last, with their values.
    let twice = (0..<Soak.count(20, long: 40)).map { number -> [Value] in
      [.int(9999), .string(String(repeating: "\(number) ", count: 2000))] + old[0][2..<4]
    }
    try Batch(columns, twice).load(
      into: store, primaryKey: 0, indexed: [1], fullText: [1], onConflict: .replace)
    #expect(try Store.verify(path).findings == [])
    try store.write { transaction in transaction.table("Row")?.deleteAll() }
    #expect(try keys(store) == (0, 0))
    #expect(try Store.verify(path).findings == [])
  }

  /// Commits to a chunk write what changes, and not its large values.
  @Test(arguments: [3_000, 100_000])
  func aCommitWritesOnlyItsOwnValues(size: Int) throws {
    let store = try folder.store()
    try store.write { _ = try $0.createTable("Row", columns: Self.columns) }
    func blob(_ number: Int) -> Value {
      .data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    }
    for number in 0..<60 {
      _ = try store.write {
        try $0.table("Row")?.insert([.null, blob(number), .data([]), .null, .int(0)])
      }
    }
    let before = try store.dump()
    try store.write { try $0.table("Row")?.set(.int(1), position: 4, at: 0) }
    try store.write { try $0.table("Row")?.set(blob(77), position: 1, at: 5) }
    let after = try store.dump()
    let changed = after.filter { before[$0.key] != $0.value && $0.key.hasPrefix("largeValue") }
    #expect(changed.count == 1)
    let snapshot = try store.snapshot()
    let chunk = try #require(snapshot.table("Row")?.column(1).stored(0))
    #expect(chunk.heapSize < 8192)
    #expect(try Store.verify(path).findings == [])
  }

  /// A store of an earlier format keeps its values in chunks, which earlier versions can read, or becomes
  /// one of the newest format.
  @Test(arguments: [4, 5] as [UInt32])
  func earlierFormats(format: UInt32) throws {
    var model: [Int: [Value]] = [:]
    do {
      let store = try folder.store(ofFormat: format)
      try fill(store, rows: 30, seed: 8, &model)
      let found = try keys(store)
      #expect(try store.snapshot().transaction.formatVersion == (format == 4 ? 4 : 6))
      #expect(found == (format == 4 ? (0, 0) : Self.expectedKeys(model)))
      check(try #require(try store.snapshot().table("Row")), model, "format \(format)")
      if format == 4 {
        let longest = [UInt8](repeating: 1, count: ChunkShape.maxValueBytes + 1)
        #expect(throws: StoreError.self) {
          try store.write { try $0.table("Row")?.set(.data(longest), position: 1, at: 0) }
        }
      }
    }
    try folder.checkCopyAndCompaction { store, step in
      check(try #require(try store.snapshot().table("Row")), model, step)
      guard step == "compacted" else { return }
      let found = try keys(store)
      #expect(try store.snapshot().transaction.formatVersion == 6)
      #expect(found == Self.expectedKeys(model))
    }
  }

  /// Makes the class with random rows.
  private func fill(
    _ store: Store, rows: Int, seed: UInt64, _ model: inout [Int: [Value]]
  ) throws {
    var source = ValueSource(seed: seed)
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable("Row", columns: Self.columns)
    for _ in 0..<rows {
      let row = Self.row(&source)
      model[try writer.insert(row)] = row
    }
    try transaction.commit()
  }

  /// Values that a chunk of format 5 holds move out of it when it is edited.
  @Test func valuesMoveOutOfAnOlderChunk() throws {
    let store = try folder.store(ofFormat: 4)
    var source = ValueSource(seed: 9)
    var model: [Int: [Value]] = [:]
    try fill(store, rows: 40, seed: 7, &model)
    try store.setFormat(5)
    #expect(try keys(store) == (0, 0))
    let before = try store.snapshot()
    try store.write { transaction in
      for column in 0..<4 {
        let value = Self.value(column, &source)
        try transaction.table("Row")?.set(value, position: column, at: 3)
        model[3]?[column] = value
      }
    }
    let snapshot = try store.snapshot()
    check(try #require(snapshot.table("Row")), model, "moved")
    let expected = Self.expectedKeys(model)
    #expect(try keys(store) == expected)
    #expect(snapshot.transaction.formatVersion == 6)
    // The other rows are as they were.
    let (old, new) = try (#require(before.table("Row")), #require(snapshot.table("Row")))
    for key in model.keys where key != 3 {
      for column in 0..<4 {
        #expect(
          new.column(column).unresolved(0)
            .isSame(as: old.column(column).unresolved(0), at: key, .bytes))
      }
    }
  }

  @Test func damageIsFound() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for number in 0..<9 {
        let text = String(repeating: "\(number) words ", count: number == 8 ? 4000 : 400)
        try writer.insert([.string(text), .null, .data([]), .null, .int(0)])
      }
    }
    let table = try #require(try store.snapshot().schema.table(named: "Row")).id
    let place = LargeValueKeys(table: table, column: 0, extent: 0)
    func change(_ key: StorageKey, _ body: (inout [UInt8]) -> Void) throws -> [String] {
      try store.damage(key, body)
      return try Store.verify(path).findings.map(\.description)
    }
    let fault = "the value is missing or damaged"
    let group = place.group(chunk: 0, row: 2)
    #expect(try change(group) { $0[9000] ^= 1 } == ["'Row.text', chunk 0: object 2: \(fault)"])
    #expect(try change(group) { $0[9000] ^= 1 } == [])
    // The end of the first value.
    #expect(try change(group) { $0[1] ^= 64 }.first?.hasSuffix(fault) == true)
    #expect(try change(group) { $0[1] ^= 64 } == [])
    let alone = place.value(chunk: 0, row: 8)
    #expect(try change(alone) { $0[5000] ^= 1 } == ["'Row.text', chunk 0: object 8: \(fault)"])
    #expect(try change(group) { $0 = [] }.count >= 1)
    // A reader without a check sees an empty text.
    #expect(try store.snapshot().table("Row")?.value(0, at: 1) == .string(""))
  }

  /// A column that becomes a text, or gets another one's rows, stores its long texts outside as well.
  @Test func zonesKeepTheOrderOfTexts() throws {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for letter in ["m", "b", "y"] {
        let text = String(repeating: letter, count: 3000)
        try writer.insert([.string(text), .null, .data([]), .null, .int(0)])
      }
    }
    let snapshot = try store.snapshot()
    let zone = try #require(snapshot.table("Row")).column(0).zone(0)
    #expect(UInt64(bitPattern: zone.minimum) == 0x6262_6262_6262_6262)
    #expect(UInt64(bitPattern: zone.maximum) == 0x7979_7979_7979_7979)
  }
}
