import CairnGeometry
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Rows that are deleted and set many at a time, compared with an array of rows.
@Suite struct ManyRowsTests {
  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "number", type: .int, isOptional: true),
    BulkColumn(name: "text", type: .string, isOptional: true),
    BulkColumn(name: "here", type: .point, isOptional: true),
  ]

  private static func value(_ position: Int, _ random: inout SplitMix64) -> Value {
    if random.chance(0.1) { return .null }
    switch position {
    case 1: return .int(Int64(random.below(50)))
    case 2: return .string(String(repeating: "x", count: random.below(30)))
    default:
      return .point(
        Position(
          latitude: Double(random.below(160)) - 80, longitude: Double(random.below(340)) - 170))
    }
  }

  private static func row(_ key: Int, _ random: inout SplitMix64) -> [Value] {
    [.int(Int64(key))] + (1...3).map { value($0, &random) }
  }

  /// Rising keys of some of the rows, in one of several patterns.
  private static func keys(_ rows: [[Value]?], _ random: inout SplitMix64) -> [Int] {
    let start = random.below(rows.count)
    let length = random.pick([1, 50, 3000, rows.count])
    let step = random.pick([1, 2, 7, 600])
    return stride(from: start, to: min(rows.count, start + length * step), by: step).map { $0 }
  }

  private static func check(
    _ table: Table, _ rows: [[Value]?], seed: UInt64
  ) throws {
    #expect(table.liveCount == rows.count { $0 != nil }, "seed \(seed)")
    for (key, row) in rows.enumerated() {
      guard table.isLive(key) == (row != nil) else {
        Issue.record("seed \(seed): row \(key) is \(row == nil ? "live" : "deleted")")
        return
      }
      for (position, value) in (row ?? []).enumerated()
      where table.value(position, at: key) != value {
        Issue.record("seed \(seed): row \(key), column \(position) is not \(value)")
        return
      }
    }
    let box = Region(box: (west: -20, south: -40, east: 150, north: 60))
    let inside = rows.indices.filter { key in
      guard case .point(let here)? = rows[key]?[3] else { return false }
      return (-40...60).contains(here.latitude) && (-20...150).contains(here.longitude)
    }
    #expect(try SpatialAnswers(table, 3).keys(in: box) == Set(inside), "seed \(seed)")
  }

  @Test(arguments: 0..<4) func randomEdits(round: Int) throws {
    let seed = Soak.seed(UInt64(round))
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    var rows: [[Value]?] = (0..<random.pick([900, 5000])).map { Self.row($0, &random) }
    // A load sorts its rows along a curve, so the rows are those of the store.
    try Batch(Self.columns, rows.compactMap { $0 }).load(
      into: store, location: 3, primaryKey: 0, indexed: [1])
    let loaded = try #require(try store.snapshot().table("Row"))
    rows = (0..<loaded.endKey).map { key in (0..<4).map { loaded.value($0, at: key) } }

    for _ in 0..<Soak.count(3, long: 5) {
      var edited = rows
      let transaction = try store.beginWrite()
      let table = try #require(transaction.table("Row"))
      for _ in 0..<1 + random.below(4) {
        let keys = Self.keys(edited, &random)
        switch random.below(4) {
        case 0:
          table.delete(keys)
          for key in keys { edited[key] = nil }
        case 1:
          for _ in 0..<random.pick([1, 200, 5000]) {
            let row = Self.row(edited.count, &random)
            #expect(try table.insert(row) == edited.count)
            edited.append(row)
          }
        case 2:
          let position = 1 + random.below(3)
          let values = keys.map { _ in Self.value(position, &random) }
          try table.set(values, position: position, at: keys[...])
          for (key, value) in zip(keys, values) { edited[key]?[position] = value }
        default:
          let position = 1 + random.below(3)
          let value = Self.value(position, &random)
          try table.set(value, position: position, at: keys)
          for key in keys { edited[key]?[position] = value }
        }
        if edited.allSatisfy({ $0 == nil }) { break }
      }
      // All rows at once are deleted in another way, which gives new rows other keys.
      guard !edited.allSatisfy({ $0 == nil }) else {
        transaction.rollback()
        continue
      }
      try Self.check(table.table, edited, seed: seed)
      if random.chance(0.2) {
        transaction.rollback()
        continue
      }
      let before = try store.snapshot()
      try transaction.commit()
      let after = try store.snapshot()
      try Self.check(try #require(after.table("Row")), edited, seed: seed)
      let changes = after.changes(since: before).changes(of: "Row")
      let deleted = rows.indices.filter { rows[$0] != nil && edited[$0] == nil }
      let inserted = edited.indices.filter { $0 >= rows.count && edited[$0] != nil }
      #expect(Array(changes.deleted.keys) == deleted, "seed \(seed)")
      #expect(Array(changes.inserted.keys) == inserted, "seed \(seed)")
      let changed = rows.indices.filter { edited[$0] != nil && rows[$0] != edited[$0] }
      #expect(Array(changes.modified { _ in true }.keys) == changed, "seed \(seed)")
      let report = try Store.verify(folder.file())
      #expect(report.findings.isEmpty, "seed \(seed): \(report)")
      rows = edited
    }
  }

  /// The first invalid value is named with its row; the rows before it are set.
  @Test func invalidValues() throws {
    var random = SplitMix64(seed: 1)
    let store = try Store.openInMemory(identifier: "many invalid values")
    try Batch(Self.columns, (0..<5000).map { Self.row($0, &random) }).load(into: store)
    let transaction = try store.beginWrite()
    let table = try #require(transaction.table("Row"))
    var values = Array(repeating: Value.int(77), count: 5000)
    values[4500] = .string("x")
    values[4600] = .double(1)
    let error = #expect(throws: RowError.self) {
      try table.set(values, position: 1, at: Array(0..<5000)[...])
    }
    #expect(error?.key == 4500 && error?.cause.kind == .invalidValue)
    #expect(table.table.value(1, at: 4499) == .int(77))
    #expect(table.table.value(1, at: 4501) != .int(77))
    let null = #expect(throws: RowError.self) {
      try table.set([.int(9), .null], position: 0, at: [3, 4])
    }
    #expect(null?.key == 4)
    transaction.rollback()
  }
}
