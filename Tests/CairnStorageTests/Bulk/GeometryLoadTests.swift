import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Bulk loads of geometries, with single changes between them.
@Suite struct GeometryLoadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "area", type: .polygon, isOptional: true),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "shape", type: .geometry, isOptional: true),
  ]

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(1, long: 3)))
  func indexesAgreeWithScans(seed: UInt64) throws {
    var store = try folder.store()
    var source = ValueSource(seed: seed)
    var expected: [Int64: [Value]] = [:]
    for turn in 0..<Soak.count(4, long: 6) {
      if turn % 2 == 0 {
        var batch = Batch(
          Self.columns, rows: source.int(1...5000), seed: seed * 100 + UInt64(turn),
          flavours: ValueSource.Flavour.allCases)
        for row in batch.rows.indices {
          batch.rows[row][0] = .int(Int64(turn * 4000 + row))
          expected[Int64(turn * 4000 + row)] = batch.rows[row]
        }
        // Loads overlap, so that some rows are replaced; the order follows a point or an area.
        try batch.load(
          into: store, location: turn == 2 ? 2 : nil, primaryKey: 0, onConflict: .replace,
          sections: 1500)
      } else {
        try change(&expected, &source, in: store)
      }
      if source.chance(30) { store = try Store.open(folder.file(), mode: .readWrite) }
      try check(store, expected, &source, "seed \(seed), turn \(turn)")
    }
    #expect(try Store.verify(folder.file()).findings == [], "seed \(seed)")
  }

  private func change(
    _ expected: inout [Int64: [Value]], _ source: inout ValueSource, in store: Store
  ) throws {
    var keys = expected.keys.sorted()
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      for _ in 0..<200 {
        let index = source.int(0...keys.count - 1)
        let row = try #require(writer.table.find(primaryKey: .int(keys[index])))
        if source.chance(30) {
          try writer.delete(row)
          expected[keys[index]] = nil
          keys.remove(at: index)
        } else {
          let position = [1, 3][source.int(0...1)]
          let value: Value =
            source.chance(20)
            ? .null : source.value(of: Self.columns[position].type, .plain)
          try writer.set(value, position: position, at: row)
          expected[keys[index]]?[position] = value
        }
      }
      for position in [1, 3] {
        try BoxAnswers(writer.table, position).check(&source, windows: 3, "in the transaction")
      }
    }
  }

  private func check(
    _ store: Store, _ expected: [Int64: [Value]], _ source: inout ValueSource, _ comment: String
  ) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.liveCount == expected.count, "\(comment)")
    for row in table.liveRows {
      guard case .int(let key) = row[0], let wanted = expected[key] else {
        Issue.record("\(comment): a row too many")
        continue
      }
      guard zip(row, wanted).allSatisfy({ identical($0, $1) }) else {
        Issue.record("\(comment): row \(key) is different")
        continue
      }
    }
    for position in [1, 3] {
      try BoxAnswers(table, position).check(&source, windows: 6, comment)
    }
    try SpatialAnswers(table, 2).check(&source, regions: 3, comment)
  }

  @Test func theFirstGeometryDeterminesTheOrder() throws {
    let store = try folder.store()
    let count = Soak.count(4500, long: 9000)
    let batch = Batch(Self.columns.filter { $0.type != .point }, rows: count, seed: 5)
    try batch.load(into: store, primaryKey: 0, sections: count / 4)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.schema.columns.map(\.role).suffix(2) == [.bounds(of: 1), .bounds(of: 2)])
    let boxes = (0..<count).map { table.value(3, at: $0) }
    let located = boxes.prefix { $0 != .null }
    #expect(boxes[located.count...].allSatisfy { $0 == .null })
    let keys = located.map { box -> UInt64 in
      guard case .box(let box) = box else { return 0 }
      return Hilbert.key(of: Envelope(lanes: box.lanes))
    }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 })
    let runs = table.state.spatialRuns
    #expect(runs.map(\.column) == [3, 4] && runs.map(\.isBaseRun) == [true, false])
    #expect(runs[0].count == located.count)
    let index = try #require(BoxEntry.index(of: table, 3))
    for run in index.baseRuns { try run.tree.checkInvariants() }
  }

  @Test func aLoadWidensAClassByGeometries() throws {
    let store = try folder.store()
    let narrow = Array(Self.columns.prefix(1))
    try Batch(narrow, rows: 100, seed: 1).load(into: store, primaryKey: 0)
    var wide = Batch(Self.columns, rows: 3000, seed: 2)
    for row in wide.rows.indices { wide.rows[row][0] = .int(Int64(1000 + row)) }
    try wide.load(into: store, location: 2, primaryKey: 0)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.liveCount == 3100)
    var source = ValueSource(seed: 3)
    for position in [1, 3] {
      #expect(try BoxAnswers(table, position).check(&source, windows: 8, "widened") > 1000)
    }
    #expect(try Store.verify(folder.file()).findings == [])
  }

  @Test func aKilledLoadIsFreed() async throws {
    do {
      let store = try folder.store()
      try Batch(Self.columns, rows: 500, seed: 1).load(into: store, primaryKey: 0)
    }
    let before = try folder.store(.readWrite).dump()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file() as String] in
      let store = try Store.open(path, mode: .readWrite)
      let columns = [
        BulkColumn(name: "key", type: .int, isOptional: false),
        BulkColumn(name: "area", type: .polygon, isOptional: true),
        BulkColumn(name: "shape", type: .geometry, isOptional: true),
      ]
      var batch = Batch(columns, rows: 3000, seed: 7)
      for row in batch.rows.indices { batch.rows[row][0] = .int(Int64(1000 + row)) }
      let load = try BulkLoad(
        store: store, table: "Row", columns: columns, location: nil, primaryKey: 0, indexed: [],
        onConflict: .error)
      let section = batch.sections(of: 3000)[0]
      try load.add(section, number: 0)
      let writer = try BulkWriter(load)
      let run = try SortedRun(
        section, number: 0, location: load.location, keepsOrdinals: true, into: load.spill)
      try writer.write(
        RunMerge([run], columns: load.columns, location: load.location, spill: load.spill))
      kill(getpid(), SIGKILL)
    }
    let store = try folder.store(.readWrite)
    #expect(try store.dump().keys.contains { $0.hasPrefix("pendingLoad") })
    #expect(try store.snapshot().table("Row")?.liveCount == 500)
    try store.write { try $0.table("Row")?.delete(3) }
    let left = Set(try store.dump().keys).subtracting(before.keys)
    #expect(
      left.allSatisfy { name in
        ["liveRowBitmap", "runTombstones", "inventory"].contains { name.hasPrefix($0) }
      }, "\(left)")
    #expect(try Store.verify(folder.file()).findings == [])
  }
}
