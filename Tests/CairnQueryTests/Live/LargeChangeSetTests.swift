import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Change sets over several chunks: of a few rows, and of so many that results are recomputed.
@Suite struct LargeChangeSetTests {
  private static let columns = [
    column("number", .int), column("name", .string, indexed: true), column("at", .point),
  ]

  private static func value(_ position: Int, _ random: inout SplitMix64) -> Value {
    if random.chance(0.05) { return .null }
    switch position {
    case 0: return .int(Int64(random.below(50)))
    case 1: return .string(random.word())
    default: return .point(random.position())
    }
  }

  private static func queries() throws -> [TableQuery] {
    let center = GeoPoint(latitude: 10, longitude: 10)
    let circle = try #require(
      center.flatMap { center in
        Distance.kilometers(5000).map { GeoCircle(center: center, radius: $0) }
      })
    let few = Predicate(.compare(.property("number"), .less, .value(.int(20)), []))
    return [
      TableQuery(table: "Row"), TableQuery(table: "Row", predicate: few),
      TableQuery(
        table: "Row",
        predicate: Predicate(.relation(PropertyPath("at"), .within, .shape(.circle(circle))))),
      TableQuery(table: "Row", sort: [.property("number", ascending: false)]),
      TableQuery(
        table: "Row", predicate: few,
        sort: [.property("name", ascending: true), .property("number", ascending: true)]),
      TableQuery(
        table: "Row", sort: [.distance("at", longitude: 10, latitude: 10, ascending: true)]),
      TableQuery(table: "Row", sort: [.property("number", ascending: true)], limit: 100),
    ]
  }

  @Test(arguments: [(91 as UInt64, 9000)] + (Soak.isOn ? [(92, 13_000)] : []))
  func randomStepsOfEverySize(seed: UInt64, rows: Int) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      try Self.insert(rows, writer, &random)
    }
    var base = try store.snapshot()
    let table = try #require(base.table("Row"))
    let trackers = try Self.queries().map { try ResultsTracker($0, on: base, table: table) }
    for (number, size) in [1, 0, 3, 40, 700, 1, 6000, 2, 2].enumerated() {
      try store.write { transaction in
        let writer = try #require(transaction.table("Row"))
        try change(size, number, writer, &random)
      }
      let now = try store.snapshot()
      let step = ObjectChanges(now.changes(since: base))
      for tracker in trackers {
        try check(tracker, step, "seed \(seed), step \(number), \(tracker.query)")
      }
      base = now
    }
  }

  private static func insert(
    _ count: Int, _ writer: TableWriter, _ random: inout SplitMix64
  ) throws {
    for _ in 0..<count { try writer.insert((0..<3).map { value($0, &random) }) }
  }

  private func change(
    _ size: Int, _ number: Int, _ writer: TableWriter, _ random: inout SplitMix64
  ) throws {
    if number == 7 { writer.deleteAll() }
    for _ in 0..<size {
      let key = random.below(max(1, writer.table.endKey))
      guard writer.table.isLive(key), random.chance(0.9) else {
        try Self.insert(number == 7 ? 3000 : 1, writer, &random)
        continue
      }
      if random.chance(0.2) {
        try writer.delete(key)
      } else {
        let position = random.below(3)
        try writer.set(Self.value(position, &random), position: position, at: key)
      }
    }
  }

  private func check(
    _ tracker: ResultsTracker, _ step: ObjectChanges, _ label: String
  ) throws {
    let table = try #require(step.log.new.table("Row"))
    let old = tracker.keys
    let new = try Execution(tracker.query, on: table).keys()
    let changes = try tracker.update(step, observed: .everything)
    #expect(tracker.keys == new, "\(label)")
    #expect(changes.applied(to: old, new) == new, "\(label)")
    #expect(tracker.key(at: new.count - 1) == new.last, "\(label)")
    let modified = step.modified("Row", paths: .everything)
    let gone = Set(changes.deletions)
    #expect(
      changes.modifications
        == old.indices.filter { modified.contains(old[$0]) && !gone.contains($0) }, "\(label)")
    // Rows that did not change do not appear in the change set.
    let touched = step.log.changes(of: "Row")
    let changed = modified.union(touched.deleted).union(touched.inserted)
    guard tracker.query.limit == nil else { return }
    #expect((changes.deletedKeys + changes.insertedKeys).allSatisfy(changed.contains), "\(label)")
  }

  /// A live geofence: entering it is an insertion, leaving it a deletion, moving inside it a
  /// modification.
  @Test func geofenceChanges() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let inside = Position(latitude: 10, longitude: 10.01)
    let outside = Position(latitude: -70, longitude: 10)
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for number in 0..<10 as Range<Int64> {
        try writer.insert([.int(number), .null, .point(number < 5 ? inside : outside)])
      }
    }
    let base = try store.snapshot()
    let tracker = try ResultsTracker(
      try Self.queries()[2], on: base, table: try #require(base.table("Row")))
    #expect(tracker.keys == [0, 1, 2, 3, 4])
    try store.write { transaction in
      let writer = try #require(transaction.table("Row"))
      try writer.set(.point(outside), position: 2, at: 1)
      try writer.set(.point(Position(latitude: 10.5, longitude: 10)), position: 2, at: 3)
      try writer.set(.point(inside), position: 2, at: 7)
      try writer.set(.null, position: 2, at: 4)
      try writer.set(.int(3), position: 0, at: 8)
    }
    let changes = try tracker.update(
      ObjectChanges(try store.snapshot().changes(since: base)), observed: .everything)
    #expect(changes.deletions == [1, 4])
    #expect(changes.deletedKeys == [1, 4])
    #expect(changes.modifications == [3])
    #expect(changes.insertions == [3])
    #expect(changes.insertedKeys == [7])
    #expect(tracker.keys == [0, 2, 3, 7])
  }

  /// A row that moves within the sort order is a deletion and an insertion; the others do not
  /// change.
  @Test func aRowThatMovesInTheOrderIsDeletedAndInserted() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.write { transaction in
      let writer = try transaction.createTable("Row", columns: Self.columns)
      for number in 0..<10 as Range<Int64> { try writer.insert([.int(number * 10), .null, .null]) }
    }
    var base = try store.snapshot()
    let tracker = try ResultsTracker(
      TableQuery(table: "Row", sort: [.property("number", ascending: true)]), on: base,
      table: try #require(base.table("Row")))
    let step = { (key: Int, number: Int64) -> Changes in
      try store.write { try $0.table("Row")?.set(.int(number), position: 0, at: key) }
      let now = try store.snapshot()
      defer { base = now }
      return try tracker.update(ObjectChanges(now.changes(since: base)), observed: .everything)
    }
    let stayed = try step(4, 45)
    #expect(stayed.modifications == [4] && stayed.deletions.isEmpty && stayed.insertions.isEmpty)
    let moved = try step(4, 75)
    #expect(moved.modifications.isEmpty && moved.deletions == [4] && moved.insertions == [7])
    #expect(moved.deletedKeys == [4] && moved.insertedKeys == [4])
    #expect(tracker.keys == [0, 1, 2, 3, 5, 6, 7, 4, 8, 9])
  }
}
