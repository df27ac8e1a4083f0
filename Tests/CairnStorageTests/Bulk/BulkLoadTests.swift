import CairnIndex
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite(.tags(.threads)) struct BulkLoadTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private static let everyType = ValueSource.storedTypes.flatMap { type in
    [false, true].map { BulkColumn(name: "\(type)\($0)", type: type, isOptional: $0) }
  }
  private static let places = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "name", type: .string, isOptional: true),
  ]

  @Test(arguments: [0, 1, 64, 4096, 4097] + (Soak.isOn ? [4095, 8193] : []))
  func everyTypeIsLoaded(count: Int) throws {
    // Whether the last chunk is full does not depend on the types.
    let batch = Batch(
      count == 4096 && !Soak.isOn ? Self.places : Self.everyType, rows: count,
      seed: UInt64(count), flavours: ValueSource.Flavour.allCases)
    let store = try folder.store()
    let summary = try batch.load(into: store, sections: 3000)
    #expect(summary == BulkSummary(inserted: count))
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    #expect(
      identical(table.liveRows, batch.rows), "without a location, the order is that of the source")
    for position in batch.columns.indices {
      for chunk in 0..<table.chunkCount {
        let rows = batch.rows[chunk * 4096..<min(count, chunk * 4096 + 4096)].map { $0[position] }
        let zone = table.column(position).zone(chunk)
        #expect(zone.isKnown)
        #expect(
          objections(to: zone, rows, batch.columns[position].type) == [],
          "\(batch.columns[position].name), \(zone), \(rows.prefix(2))")
      }
    }
  }

  /// Rows follow the Hilbert curve. Rows at one location keep the order of the source, and rows
  /// without a location come last.
  @Test(
    arguments: (Soak.isOn
      ? [(20_481, 4000, 1), (9000, 3000, 500_000), (20_000, 3000, nil), (33_000, 9000, 500_000)]
      : [(8193, 3000, 1), (5000, 2000, 100_000)]) as [(Int, Int, Int?)])
  func rowsFollowTheCurve(count: Int, size: Int, blockBytes: Int?) throws {
    var batch = Batch(Self.places, rows: count, seed: 5, flavours: [.plain, .few, .extreme])
    // The very last cell of the curve must not be mistaken for a missing location.
    for row in stride(from: 0, to: count, by: 501) {
      batch.rows[row][1] = .point(Position(latitude: -90, longitude: 180))
    }
    let store = try folder.store()
    try batch.load(into: store, location: 1, sections: size, blockBytes: blockBytes)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("Row"))
    let keys = batch.rows.map { curveKey($0[1]) }
    let expected = keys.indices.sorted { a, b in
      keys[a] == keys[b] ? a < b : keys[a] < keys[b]
    }
    #expect(identical(table.liveRows, expected.map { batch.rows[$0] }))
    let index = try #require(PointEntry.index(of: table, 1))
    #expect(index.baseRuns.count == 1 && index.deltaRuns.isEmpty)
    #expect(index.baseRuns.first?.rows == 0..<batch.rows.count { $0[1] != .null })
    for run in index.baseRuns { try run.tree.checkInvariants() }
    var source = ValueSource(seed: 6)
    try SpatialAnswers(table, 1).check(&source, regions: 8, "\(count) rows")
  }

  private func curveKey(_ value: Value) -> UInt64 {
    guard case .point(let place) = value else { return .max }
    return min(Hilbert.key(longitude: place.longitude, latitude: place.latitude), .max - 1)
  }

  @Test func theResultDoesNotDependOnTiming() throws {
    let batch = Batch(Self.places, rows: 12_000, seed: 7)
    let sections = batch.sections(of: 1000)
    var dumps: [[String: UInt64]] = []
    for turn in 0..<Soak.count(2, long: 4) {
      let store = try Store.open(folder.file("\(turn)"), mode: .create)
      let load = try BulkLoad(
        store: store, table: "Row", columns: batch.columns, location: 1, primaryKey: 0,
        indexed: [2], onConflict: .error)
      load.blockBytes = 100_000
      let failures = Failures()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        let mine = sections.indices.filter { $0 % 2 == thread }
        for number in turn % 2 == 0 ? mine : mine.reversed() {
          failures.catching { try load.add(sections[number], number: number) }
        }
      }
      #expect(failures.count == 0)
      #expect(try load.finish() == BulkSummary(inserted: 12_000))
      dumps.append(try store.dump())
    }
    for dump in dumps { #expect(dump == dumps[0]) }
  }

  @Test func aSectionCanBeReused() throws {
    let batch = Batch(Self.places, rows: 3000, seed: 8)
    let load = try BulkLoad(
      store: folder.store(), table: "Row", columns: batch.columns, location: nil, primaryKey: nil,
      indexed: [], onConflict: .error)
    let section = ColumnBatch(columns: batch.columns)
    for number in 0..<3 {
      section.removeAll()
      for row in batch.rows[number * 1000..<number * 1000 + 1000] {
        for (builder, value) in zip(section.columns, row) { builder.append(value) }
      }
      try load.add(section, number: number)
    }
    _ = try load.finish()
    let snapshot = try folder.store().snapshot()
    #expect(identical(try #require(snapshot.table("Row")).liveRows, batch.rows))
  }

  @Test func consecutiveLoads() throws {
    let store = try folder.store()
    var source = ValueSource(seed: 1)
    var expected: Set<Int64> = []
    for turn in 0..<Int64(Soak.count(3, long: 4)) {
      var batch = Batch(Self.places, rows: 3000 + Int(turn) * 1500, seed: UInt64(turn))
      for row in batch.rows.indices { batch.rows[row][0] = .int(turn * 1_000_000 + Int64(row)) }
      try batch.load(into: store, location: 1, primaryKey: 0, indexed: [2])
      for row in batch.rows { if case .int(let key) = row[0] { expected.insert(key) } }
      // Single rows in between are stored in the last chunk of the load, then in a chunk of their
      // own.
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        for number in 0..<500 as Range<Int64> {
          let key = -turn * 1000 - number - 1
          try writer.insert([.int(key), .point(source.position(.plain)), .string("single")])
          expected.insert(key)
        }
        for _ in 0..<200 {
          let key = source.int(0...writer.table.endKey - 1)
          if writer.table.isLive(key) {
            try writer.set(.point(source.position(.few)), position: 1, at: key)
          }
        }
      }
      let snapshot = try store.snapshot()
      let table = try #require(snapshot.table("Row"))
      let keys = table.liveRows.compactMap { row -> Int64? in
        if case .int(let key) = row[0] { key } else { nil }
      }
      #expect(keys.count == expected.count && Set(keys) == expected)
      let answers = try SpatialAnswers(table, 1)
      answers.check(&source, regions: 12, "after load \(turn)")
      answers.checkDeadCounts(&source)
      for key in expected.prefix(300) {
        let found = try #require(table.find(primaryKey: .int(key)))
        #expect(table.value(0, at: found) == .int(key))
      }
    }
  }
}

/// Counts the errors of several threads.
final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var count = 0

  func catching(_ body: () throws -> Void) {
    do { try body() } catch {
      lock.withLock { count += 1 }
      Issue.record(error)
    }
  }
}
