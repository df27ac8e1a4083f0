import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Compaction of classes with added and removed columns (absent chunks, numbers with gaps, other
/// types, names and indexes), and of unindexed rows that the state lists.
@Suite struct AlteredCompactionTests {
  @Test(arguments: ([1, 2, 3, 4, 5, 6] as [UInt64]).prefix(Soak.count(2, long: 6)))
  func alterationsAndWrites(seed: UInt64) throws {
    let work = try AlterationWorkload(seed: seed)
    if seed % 2 == 0 { try work.load(Soak.count(4200, long: 5000)) } else { try work.create() }
    var unindexed = 0
    // The turns of the class with several chunks take much longer.
    for turn in 0..<Soak.count(seed % 2 == 0 ? 2 : 6, long: 60) {
      for _ in 0...work.source.int(0...3) { try work.alter() }
      try work.write(work.source.int(1...60))
      let state = try #require(work.store.snapshot().table("Thing")).state
      if !state.unindexed.isEmpty || state.indexedEnd < state.endKey { unindexed += 1 }
      try work.compact("seed \(seed), turn \(turn)")
      try work.check("compacted, turn \(turn)")
      let table = try #require(work.store.snapshot().table("Thing"))
      #expect(table.endKey == work.model.rows.count)
      try work.write(40)
      try work.check("written after it, turn \(turn)")
    }
    #expect(unindexed > 0)
  }

  /// Every way in which a row can be unindexed: new, deleted, moved, with another indexed value, or
  /// all of it.
  @Test func unindexedRowsOfEveryKind() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let columns = [
      BulkColumn(name: "key", type: .int, isOptional: false),
      BulkColumn(name: "at", type: .point, isOptional: true),
      BulkColumn(name: "name", type: .string, isOptional: true),
    ]
    var expected: [Int64: [Value]] = [:]
    do {
      let store = try folder.store()
      let batch = Batch(columns, rows: 6000, seed: 5)
      try batch.load(into: store, location: 1, primaryKey: 0, indexed: [2])
      for (key, row) in batch.rows.enumerated() { expected[Int64(key)] = row }
      try store.write { transaction in
        let table = try #require(transaction.table("Row"))
        func row(_ key: Int64) throws -> Int {
          try #require(table.table.find(primaryKey: .int(key)))
        }
        for key in 0..<10 as Range<Int64> {
          try table.delete(row(key))
          expected[key] = nil
        }
        for key in 10..<20 as Range<Int64> {
          let place = Value.point(Position(latitude: Double(key), longitude: 0.25))
          try table.set(place, position: 1, at: row(key))
          expected[key]?[1] = place
        }
        for key in 20..<30 as Range<Int64> {
          try table.set(.string("other \(key)"), position: 2, at: row(key))
          expected[key]?[2] = .string("other \(key)")
        }
        for key in 30..<40 as Range<Int64> {
          try table.set(.null, position: 1, at: row(key))
          try table.set(.null, position: 2, at: row(key))
          expected[key]?[1] = .null
          expected[key]?[2] = .null
        }
        for key in 40..<45 as Range<Int64> {
          try table.set(.int(-key), position: 0, at: row(key))
          expected[-key] = expected.removeValue(forKey: key)
          expected[-key]?[0] = .int(-key)
        }
        for key in 9000..<9010 as Range<Int64> {
          let fresh: [Value] = [.int(key), .point(Position(latitude: 1, longitude: 2)), .null]
          try table.insert(fresh)
          expected[key] = fresh
        }
      }
      let state = try #require(store.snapshot().table("Row")).state
      #expect(state.unindexed.count > 40 && state.indexedEnd < state.endKey)
    }
    _ = try Store.compact(folder.file())
    #expect(try Store.verify(folder.file()).findings.isEmpty)
    let snapshot = try folder.store(.readOnly).snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.state.unindexed.isEmpty && table.state.indexedEnd == table.endKey)
    #expect(table.liveCount == expected.count && table.endKey == expected.count)
    for (key, row) in expected {
      let found = try #require(table.find(primaryKey: .int(key)), "\(key)")
      #expect((0..<3).map { table.value($0, at: found) } == row, "\(key)")
    }
    var source = ValueSource(seed: 6)
    try SpatialAnswers(table, 1).check(&source, regions: 20, "compacted")
  }

  /// Link properties are removed, renamed or added.
  @Test(arguments: ([1, 2, 3, 4, 5, 6] as [UInt64]).prefix(Soak.count(2, long: 6)))
  func linksOfAlteredClasses(seed: UInt64) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let path = folder.file()
    var work = try LinkWorkload(seed: seed, in: folder)
    for _ in 0..<8 { try work.transact(50, commits: true) { _, _ in } }
    for version in 1...3 as ClosedRange<UInt64> { try alter(work.store, seed, version) }
    work.close()
    let before = try Meaning.rows(folder)
    #expect(try Store.verify(path).findings == [], "seed \(seed)")
    _ = try Store.compact(path)
    try Meaning.expect(before, folder, "seed \(seed)")
    #expect(try Store.verify(path).findings == [], "seed \(seed)")
  }

  private func alter(_ store: Store, _ seed: UInt64, _ version: UInt64) throws {
    var source = ValueSource(seed: seed * 100 + version)
    try store.write { transaction in
      var renames: [(table: String, old: String, new: String)] = []
      var gone: Set<String> = []
      var drafts = transaction.schema.tables.map { schema in
        let kept = schema.properties.compactMap { column -> ColumnSchema? in
          if column.isPrimaryKey || ["type", "coordinates"].contains(column.name) { return column }
          guard source.chance(35) else { return column }
          gone.insert("\(schema.name).\(column.name)")
          guard source.chance(60) else { return nil }
          renames.append((schema.name, column.name, "r\(version)\(column.name)"))
          return column.named("r\(version)\(column.name)")
        }
        let more = ColumnSchema(id: 0, name: "n\(version)", type: .int, position: 0)
        return TableDraft(
          name: schema.name, columns: kept + [more], isEmbedded: schema.isEmbedded,
          inverses: schema.inverses)
      }
      for place in drafts.indices {
        drafts[place].inverses.removeAll { gone.contains("\($0.origin).\($0.property)") }
      }
      try transaction.alter(drafts, version: version)
      for (table, old, new) in renames {
        try transaction.renameProperty(of: table, from: old, to: new)
      }
      let person = try #require(transaction.table("Person"))
      for key in 0..<person.nextKey where person.table.isLive(key) && source.chance(20) {
        try person.delete(key)
      }
      try transaction.finishAlterations()
    }
  }
}

extension AlterationWorkload {
  /// Compacts the store, and finds the rows under their new keys.
  func compact(_ comment: String) throws {
    store = try Store.open(folder.file("other"), mode: .create)
    _ = try Store.compact(folder.file())
    try reopen()
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Thing"))
    let names = model.properties.map(\.name)
    let positions = names.map { table.schema.column(named: $0)?.position }
    var known = Dictionary(grouping: model.rows.values) { row in
      names.map { row[$0] ?? .null }
    }
    model.rows = [:]
    for key in 0..<table.endKey where table.isLive(key) {
      let cells = positions.map { $0.map { table.value($0, at: key) } ?? .null }
      guard let row = known[cells]?.popLast() else {
        Issue.record("\(comment): nobody wrote row \(key): \(cells)")
        continue
      }
      model.rows[key] = row
    }
    #expect(known.values.allSatisfy { $0.isEmpty }, "\(comment): rows are missing")
  }
}

extension ColumnSchema {
  fileprivate func named(_ name: String) -> ColumnSchema {
    ColumnSchema(
      id: id, name: name, type: type, collection: collection, isOptional: isOptional,
      isIndexed: isIndexed, isPrimaryKey: isPrimaryKey, target: target, role: role,
      position: position)
  }
}
