import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Bulk loads and single changes in turns, on a class with two locations, compared with scans.
@Suite struct BulkWorkloadTests {
  private static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "home", type: .point, isOptional: true),
    BulkColumn(name: "work", type: .point, isOptional: true),
    BulkColumn(name: "age", type: .double, isOptional: true),
  ]

  @Test(arguments: ([1, 2, 3] as [UInt64]).prefix(Soak.count(1, long: 3)))
  func indexesAgreeWithScans(seed: UInt64) throws {
    let folder = try TemporaryFolder(inMemory: true)
    var store = try folder.store()
    var source = ValueSource(seed: seed)
    var rows: [Int64: [Value]] = [:]
    var nextKey: Int64 = 0
    for turn in 0..<9 {
      if turn % 3 == 0 {
        var batch = Batch(
          Self.columns, rows: source.int(1...6000), seed: seed * 100 + UInt64(turn),
          flavours: [.plain, .few])
        for row in batch.rows.indices {
          batch.rows[row][0] = .int(nextKey)
          rows[nextKey] = batch.rows[row]
          nextKey += 1
        }
        // The order follows one location or the other, or neither.
        try batch.load(
          into: store, location: [1, 2, nil][(turn / 3 + Int(seed)) % 3], primaryKey: 0,
          indexed: [3],
          sections: 2500)
      } else {
        try change(&rows, &nextKey, &source, in: store, commits: source.chance(80))
      }
      if source.chance(30) { store = try Store.open(folder.file(), mode: .readWrite) }
      try check(store, rows, &source, "seed \(seed), turn \(turn)")
    }
  }

  private func change(
    _ rows: inout [Int64: [Value]], _ nextKey: inout Int64, _ source: inout ValueSource,
    in store: Store, commits: Bool
  ) throws {
    var (changed, next) = (rows, nextKey)
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    var keys = changed.keys.sorted()
    for _ in 0..<300 {
      let index = source.int(0...keys.count - 1)
      let row = try #require(writer.table.find(primaryKey: .int(keys[index])))
      switch source.int(0...9) {
      case 0...3:
        let fresh: [Value] = [
          .int(next), .point(source.position(.plain)), .null, .double(source.double(.extreme)),
        ]
        try writer.insert(fresh)
        changed[next] = fresh
        keys.append(next)
        next += 1
      case 4...7:
        let position = source.int(1...3)
        let value: Value =
          source.chance(20)
          ? .null : position == 3 ? .double(source.double(.plain)) : .point(source.position(.few))
        try writer.set(value, position: position, at: row)
        changed[keys[index]]?[position] = value
      default:
        try writer.delete(row)
        changed[keys[index]] = nil
        keys.remove(at: index)
      }
    }
    for position in 1...2 {
      let answers = try SpatialAnswers(writer.table, position)
      answers.check(&source, regions: 3, "in the transaction")
      answers.checkDeadCounts(&source)
    }
    guard commits else { return transaction.rollback() }
    try transaction.commit()
    (rows, nextKey) = (changed, next)
  }

  private func check(
    _ store: Store, _ rows: [Int64: [Value]], _ source: inout ValueSource, _ comment: String
  ) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(table.liveCount == rows.count, "\(comment)")
    let stored = table.liveRows
    #expect(stored.count == rows.count)
    for row in stored {
      guard case .int(let key) = row[0], let expected = rows[key] else {
        Issue.record("\(comment): a row too many")
        continue
      }
      guard row.count == expected.count, zip(row, expected).allSatisfy({ identical($0, $1) }) else {
        Issue.record("\(comment): row \(key) is different")
        continue
      }
    }
    for position in 1...2 {
      let answers = try SpatialAnswers(table, position)
      answers.check(&source, regions: 6, comment)
      answers.checkDeadCounts(&source)
    }
    let index = try #require(table.valueIndex(3))
    for _ in 0..<Soak.count(3, long: 10) {
      let range = source.range(of: .double)
      var found: Set<Int> = []
      index.candidates(range) {
        found.insert($0)
        return true
      }
      let missing = (0..<table.endKey).first { key in
        table.isLive(key) && range.holds(table.value(3, at: key)) && !found.contains(key)
      }
      #expect(missing == nil, "\(comment): \(range)")
    }
  }
}
