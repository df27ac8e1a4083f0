import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Damage to a full-text index, the format number, and the remains of a killed load.
@Suite(.tags(.untrusted)) struct TextIndexDamageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    ColumnSchema(
      id: 0, name: "text", type: .string, isOptional: true, isFullText: true, position: 0)
  ]

  private func fill(_ count: Int) throws -> Store {
    let store = try folder.store()
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for row in 0..<count {
        try writer.insert([row % 10 == 0 ? .null : .string("common word\(row % 70) row\(row)")])
      }
    }
    return store
  }

  private func format(_ store: Store) throws -> UInt8 {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    return try #require(transaction.get(.header))[12]
  }

  @Test func theFormatRisesWithTheIndexOnly() throws {
    let store = try folder.storeOfFormat1()
    try store.write { transaction in
      _ = try transaction.createTable(
        "Row", columns: [ColumnSchema(id: 0, name: "text", type: .string, position: 0)])
    }
    #expect(try format(store) == 1)
    try store.write { transaction in
      _ = try transaction.createTable(
        "Area",
        columns: [ColumnSchema(id: 0, name: "a", type: .polygon, isOptional: true, position: 0)])
    }
    #expect(try format(store) == 2)
    try store.write { try $0.setFullText(true, ["text"], of: "Row") }
    #expect(try format(store) == 3)
    try store.write { try $0.setFullText(false, ["text"], of: "Row") }
    #expect(try format(store) == 3, "the number is never lowered")
    try store.write { transaction in
      try transaction.setFullText(true, ["text"], of: "Row")
      try #require(transaction.table("Row")).insert([.string("some words")])
    }
    #expect(try format(store) == 4, "the first words have positions")
  }

  /// Every flipped bit that changes an answer is found; none crashes a search.
  @Test(arguments: [1] as [UInt64]) func flippedBitsAreFound(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try fill(500)
    let table = try #require(try store.snapshot().schema.table(named: "Row")).id
    let key = StorageKey.runWords(table, column: 0, run: 1, segment: 0)
    let whole = try read(key, of: store)
    let end = Int(whole[4]) | Int(whole[5]) << 8 + 16 + 4 * (Int(whole[0]) | Int(whole[1]) << 8)
    for _ in 0..<60 {
      var bytes = whole
      let index = random.below(min(end, whole.count))
      let isUnused = 8..<16 ~= index
      bytes[index] ^= 1 << UInt8(random.below(8))
      try write(bytes, key, to: store)
      let snapshot = try store.snapshot()
      let found = try #require(snapshot.table("Row")?.textIndex(0))
      for text in ["common", "word7", "row3*", "-common"] {
        _ = found.search(try #require(TextSearch(text))).keys
      }
      let findings = try Store.verify(folder.file()).findings
      #expect(!findings.isEmpty || isUnused, "seed \(seed), byte \(index)")
      #expect(findings.allSatisfy { $0.severity == .index }, "seed \(seed), byte \(index)")
    }
    try write(whole, key, to: store)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  /// The same for the positions of words.
  @Test(arguments: ([1, 2] as [UInt64]).prefix(Soak.count(1, long: 2)))
  func flippedBitsOfPositionsAreFound(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try fill(700)
    let table = try #require(try store.snapshot().schema.table(named: "Row")).id
    let key = StorageKey.runPositions(table, column: 0, run: 1, segment: 0)
    let whole = try read(key, of: store)
    let words = Int(whole[0]) | Int(whole[1]) << 8
    let end = (Int(whole[4]) | Int(whole[5]) << 8) + 16 + 4 * (words + 1)
    for _ in 0..<60 {
      var bytes = whole
      let index = random.below(min(end, whole.count))
      let isUnused = 8..<16 ~= index
      bytes[index] ^= 1 << UInt8(random.below(8))
      try write(bytes, key, to: store)
      let snapshot = try store.snapshot()
      let found = try #require(snapshot.table("Row")?.textIndex(0))
      for text in ["\"common word7\"", "\"word7 row7\"", "\"common wo\"*", "-\"common word3\""] {
        let matches = found.search(try #require(TextSearch(text)))
        let rows = ChunkBitmap(copying: nil)
        let untested = ChunkBitmap(copying: nil)
        rows.setFirst(700)
        _ = matches.refine(rows.words, range: 0..<64, chunk: 0, untested: untested.words)
      }
      let findings = try Store.verify(folder.file()).findings
      #expect(!findings.isEmpty || isUnused, "seed \(seed), byte \(index)")
      #expect(findings.allSatisfy { $0.severity == .index }, "seed \(seed), byte \(index)")
    }
    try write(whole, key, to: store)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  @Test func missingPositionsAreFoundAndRepaired() throws {
    do {
      let store = try fill(500)
      let table = try #require(try store.snapshot().schema.table(named: "Row")).id
      try change(store) { try $0.delete(.runPositions(table, column: 0, run: 1, segment: 0)) }
      #expect(
        try Store.verify(folder.file()).findings.map(\.message)
          == ["its full-text index is damaged: the positions of words are missing or damaged"])
    }
    _ = try Store.compact(folder.file())
    #expect(try Store.verify(folder.file()).findings == [])
  }

  /// Every value of words has one of positions, whatever is merged, split, cleared or removed.
  @Test func positionsGoWithTheirRuns() throws {
    let store = try fill(300)
    #expect(try keys(.runPositions, store) == keys(.runWords, store))
    for round in 0..<40 {
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        for row in 0..<50 { try writer.insert([.string("word\(row) of round \(round)")]) }
      }
    }
    #expect(try keys(.runPositions, store) == keys(.runWords, store), "merged")
    #expect(try keys(.runWords, store).count < 20)
    #expect(try Store.verify(folder.file()).findings == [])
    try load(["text"], fullText: [0], into: store)
    #expect(try keys(.runPositions, store) == keys(.runWords, store), "loaded")
    try store.write { try $0.setFullText(false, ["text"], of: "Row") }
    #expect(try keys(.runPositions, store) == [], "without an index")
    try store.write { try $0.setFullText(true, ["text"], of: "Row") }
    #expect(try keys(.runPositions, store) == keys(.runWords, store), "indexed again")
    try store.write { transaction in try #require(transaction.table("Row")).deleteAll() }
    #expect(try keys(.runPositions, store) == [], "cleared")
    #expect(try Store.verify(folder.file()).findings == [])
  }

  private func keys(_ kind: StorageKey.Kind, _ store: Store) throws -> [[UInt64]] {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    var keys: [[UInt64]] = []
    try transaction.scan(from: StorageKey(kind: kind)) { key, _ in
      guard key.kind == kind else { return false }
      keys.append([UInt64(key.table), UInt64(key.column), UInt64(key.group), key.number])
      return true
    }
    return keys
  }

  /// Words of a word in more groups than a segment holds, with their positions.
  @Test func longWordsContinueWithTheirPositions() throws {
    let store = try folder.store()
    let columns = [BulkColumn(name: "text", type: .string, isOptional: true)]
    let load = try BulkLoad(
      store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
      fullText: [0], onConflict: .error)
    let batch = ColumnBatch(columns: columns)
    let texts = (0..<21).map { row in
      Array((String(repeating: "all ", count: 10 + row % 3) + "row\(row % 7) end").utf8)
    }
    for row in 0..<60_000 {
      texts[row % 21].withUnsafeBytes { batch.columns[0].append(bytes: $0) }
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
    #expect(try keys(.runPositions, store).count > 1, "several segments")
    #expect(try keys(.runPositions, store) == keys(.runWords, store))
    #expect(try Store.verify(folder.file()).findings == [])
  }

  @Test func aMissingSegmentIsFoundAndRepaired() throws {
    do {
      let store = try fill(500)
      let table = try #require(try store.snapshot().schema.table(named: "Row")).id
      try change(store) { try $0.delete(.runWords(table, column: 0, run: 1, segment: 0)) }
      #expect(
        try Store.verify(folder.file()).findings.map(\.message)
          == ["its full-text index is damaged: a part of a run is missing or damaged"])
    }
    _ = try Store.compact(folder.file())
    #expect(try Store.verify(folder.file()).findings == [])
  }

  /// A text that changed behind the index's back.
  @Test func anOtherTextIsFound() throws {
    let store = try fill(200)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let key = StorageKey.chunk(table.id, column: 0, extent: 0, chunk: 0)
    let buffer = ChunkBuffer(layout: .bytes, copying: table.column(0).chunk(0))
    buffer.set(.string("another"), at: 7)
    try write(ChunkEncoder.encode(buffer).bytes, key, to: store)
    let findings = try Store.verify(folder.file()).findings
    #expect(
      findings.contains {
        $0.message == "its full-text index is damaged: object 7 has other words than its text"
      })
  }

  /// Nulls that a migration or a load adds are in no run, and nothing is wrong with them.
  @Test func nullsWithoutARunAreSound() throws {
    try fillWithNulls()
    // The store is closed now.
    _ = try Store.compact(folder.file())
    #expect(try Store.verify(folder.file()).findings == [], "compacted")
  }

  private func fillWithNulls() throws {
    let store = try fill(300)
    let later = ColumnSchema(
      id: 0, name: "later", type: .string, isOptional: true, isFullText: true, position: 1)
    try store.write {
      try $0.alter([TableDraft(name: "Row", columns: Self.columns + [later])], version: 1)
    }
    #expect(try Store.verify(folder.file()).findings == [], "a migration adds a property")
    try load(["other"], into: store)
    #expect(try Store.verify(folder.file()).findings == [], "a load lacks the property")
    try load(["text", "third"], fullText: [1], into: store)
    #expect(try Store.verify(folder.file()).findings == [], "a load adds a property")
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      let position = try #require(writer.schema.column(named: "later")).position
      for key in 0..<200 { try writer.set(.string("word\(key)"), position: position, at: key) }
    }
    #expect(try Store.verify(folder.file()).findings == [], "some rows get words")
  }

  /// Loads 400 rows of texts.
  private func load(_ names: [String], fullText: [Int] = [], into store: Store) throws {
    let columns = names.map { BulkColumn(name: $0, type: .string, isOptional: true) }
    let load = try BulkLoad(
      store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
      fullText: fullText, onConflict: .error)
    let batch = ColumnBatch(columns: columns)
    for row in 0..<400 {
      for column in batch.columns { column.append(.string("loaded row\(row)")) }
    }
    try load.add(batch, number: 0)
    _ = try load.finish()
  }

  /// A row with a text that no run covers would never be found; the first row is null.
  @Test func aTextWithoutARunIsFound() throws {
    let store = try fill(300)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    var state = table.state
    state.textRuns = []
    try write(state.encoded(), .state(table.id), to: store)
    let messages = try Store.verify(folder.file()).findings.map(\.message)
    #expect(
      messages.contains(
        "its full-text index is damaged: object 1 cannot be found by its words"), "\(messages)")
  }

  /// The next writer frees the words of a load that was killed.
  @Test func anAbandonedLoadIsFreed() throws {
    let store = try folder.storeOfFormat1()
    let columns = [BulkColumn(name: "text", type: .string, isOptional: true)]
    let load = try BulkLoad(
      store: store, table: "Row", columns: columns, location: nil, primaryKey: nil, indexed: [],
      fullText: [0], onConflict: .error)
    let batch = ColumnBatch(columns: columns)
    for row in 0..<500 { batch.columns[0].append(.string("word\(row)")) }
    try load.add(batch, number: 0)
    do {
      let writer = try BulkWriter(load)
      #expect(try format(store) == 4, "before the first words are written")
      try writer.write(
        RunMerge(
          [try SortedRun(batch, number: 1, location: nil, keepsOrdinals: false, into: load.spill)],
          columns: columns, location: nil, spill: load.spill, fullText: [0]))
      #expect(try words(store) > 0)
      let copy = folder.file("copy.cairn")
      try store.snapshot().copy(to: copy)
      #expect(try words(Store.open(copy, mode: .readWrite)) == 0, "a copy omits the load")
      #expect(try Store.verify(copy).findings == [])
    }
    try store.write { _ = try $0.createTable("Other", columns: Self.columns) }
    #expect(try words(store) == 0)
    #expect(try Store.verify(folder.file()).findings == [])
  }

  private func words(_ store: Store) throws -> Int {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    var count = 0
    try transaction.scan(from: StorageKey(kind: .runWords)) { key, _ in
      count += key.kind == .runWords ? 1 : 0
      return true
    }
    return count
  }

  private func read(_ key: StorageKey, of store: Store) throws -> [UInt8] {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    return Array(try #require(transaction.get(key)))
  }

  private func write(_ bytes: [UInt8], _ key: StorageKey, to store: Store) throws {
    try change(store) { try $0.put(key, bytes: bytes) }
  }

  private func change(_ store: Store, _ body: (LMDBTransaction) throws -> Void) throws {
    try store.environment.writer.run {
      let transaction = try LMDBTransaction(writing: store.handle)
      try body(transaction)
      try transaction.commit()
    }
  }
}
