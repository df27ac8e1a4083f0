import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Rows that enter and leave fences, compared with a test of every row against every fence.
@Suite struct FenceWatcherTests {
  /// A fence on whole degrees: a rectangle, or the places within a distance along both axes.
  private struct Fence {
    var x: Int
    var y: Int
    var size: Int
    var isDiamond: Bool
    /// More vertices along the same boundary.
    var isDense: Bool

    func contains(_ place: (x: Int, y: Int)) -> Bool {
      let (dx, dy) = (abs(place.x - x), abs(place.y - y))
      return isDiamond ? dx + dy <= size : max(dx, dy) <= size
    }

    var geometry: Geometry {
      get throws {
        let corners =
          isDiamond
          ? [(x - size, y), (x, y - size), (x + size, y), (x, y + size)]
          : [
            (x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size),
          ]
        var texts: [String] = []
        for (index, corner) in corners.enumerated() {
          let next = corners[(index + 1) % 4]
          // Sixteenths of whole numbers are exact, so that the vertices lie on the edge.
          for step in 0..<(isDense ? 16 : 1) {
            let part = Double(step) / 16
            texts.append(
              "\(Double(corner.0) + part * Double(next.0 - corner.0)) "
                + "\(Double(corner.1) + part * Double(next.1 - corner.1))")
          }
        }
        return try Geometry(wkt: "POLYGON ((\((texts + [texts[0]]).joined(separator: ","))))")
      }
    }
  }

  private struct Pair: Hashable {
    let row: Int
    let fence: Int
  }

  /// A store with moving rows and fences, and the same in memory.
  private final class World {
    let temporary: TemporaryStore
    /// A handle of another program would be like this one.
    let store: Store
    private var random: SplitMix64
    /// The rows by key: a place, if any, and whether the row meets the condition.
    private(set) var rows: [Int: (place: (x: Int, y: Int)?, isWanted: Bool)] = [:]
    private(set) var fences: [Int: Fence?] = [:]

    private static func column(_ name: String, _ type: ValueType) -> ColumnSchema {
      ColumnSchema(
        id: 0, name: name, type: type, isOptional: true, isPrimaryKey: false, position: 0)
    }

    init(seed: UInt64) throws {
      temporary = try TemporaryStore()
      store = temporary.store
      random = SplitMix64(seed: seed)
      try store.write { transaction in
        _ = try transaction.createTable(
          "cars",
          columns: [
            Self.column("name", .string), Self.column("place", .point), Self.column("load", .int),
          ])
        _ = try transaction.createTable(
          "zones", columns: [Self.column("name", .string), Self.column("area", .geometry)])
      }
    }

    var expected: Set<Pair> {
      var pairs: Set<Pair> = []
      for (row, value) in rows {
        guard value.isWanted, let place = value.place else { continue }
        for (key, fence) in fences where fence?.contains(place) ?? false {
          pairs.insert(Pair(row: row, fence: key))
        }
      }
      return pairs
    }

    private func place() -> (x: Int, y: Int)? {
      random.chance(0.9) ? (random.below(40) - 20, random.below(40) - 20) : nil
    }

    private func value(_ place: (x: Int, y: Int)?) -> Value {
      place.map {
        .point(Position(latitude: Double($0.y), longitude: Double($0.x)))
      } ?? .null
    }

    private func fence() -> Fence? {
      guard random.chance(0.95) else { return nil }
      return Fence(
        x: random.below(40) - 20, y: random.below(40) - 20, size: 1 + random.below(8),
        isDiamond: random.chance(0.5), isDense: random.chance(0.4))
    }

    /// Commits random changes to rows, and sometimes to fences.
    func commit(rows count: Int, fences fenceCount: Int) throws {
      try store.write { transaction in
        guard let cars = transaction.table("cars"), let zones = transaction.table("zones") else {
          return
        }
        for _ in 0..<count { try changeRow(cars) }
        for _ in 0..<fenceCount { try changeFence(zones) }
      }
    }

    private func changeRow(_ cars: TableWriter) throws {
      let keys = rows.keys.sorted()
      switch keys.isEmpty ? 0 : random.below(8) {
      case 0, 1:
        let (place, load) = (place(), random.below(2))
        let key = try cars.insert([.string("car"), value(place), .int(Int64(load))])
        rows[key] = (place, load == 1)
      case 2:
        let key = random.pick(keys)
        try cars.delete(key)
        rows[key] = nil
      case 3:
        let (key, load) = (random.pick(keys), random.below(2))
        try cars.set(.int(Int64(load)), position: 2, at: key)
        rows[key]?.isWanted = load == 1
      case 4: try cars.set(.string("other"), position: 0, at: random.pick(keys))
      default:
        let (key, place) = (random.pick(keys), place())
        try cars.set(value(place), position: 1, at: key)
        rows[key]?.place = place
      }
    }

    private func changeFence(_ zones: TableWriter) throws {
      let keys = fences.keys.sorted()
      let fence = fence()
      let value = try fence.map { Value.geometry(try $0.geometry.bytes) } ?? .null
      switch keys.isEmpty ? 0 : random.below(5) {
      case 0, 1: fences[try zones.insert([.string("zone"), value])] = .some(fence)
      case 2:
        let key = random.pick(keys)
        try zones.delete(key)
        fences[key] = nil
      case 3: try zones.set(.string("other"), position: 0, at: random.pick(keys))
      default:
        let key = random.pick(keys)
        try zones.set(value, position: 1, at: key)
        fences[key] = .some(fence)
      }
    }

    func watcher() throws -> FenceWatcher {
      let snapshot = try store.snapshot()
      return try FenceWatcher(
        TableQuery(table: "cars", predicate: try Predicate(parsing: "load == 1")), on: snapshot,
        table: try #require(snapshot.table("cars")), fences: try #require(snapshot.table("zones")),
        of: store)
    }
  }

  /// The knowledge of a client. Each enter and leave of a step must be news, unless the client resumed.
  private static func apply(
    _ step: FenceEvents, to known: inout Set<Pair>, isResumed: Bool = false
  ) {
    for event in step.events {
      switch (event.kind, event.row, event.fence) {
      case (.reset, let row?, nil): known = known.filter { $0.row != row }
      case (.reset, nil, let fence?): known = known.filter { $0.fence != fence }
      case (.enter, let row?, let fence?), (.initial, let row?, let fence?):
        #expect(known.insert(Pair(row: row, fence: fence)).inserted)
      case (.leave, let row?, let fence?):
        #expect(!isResumed && known.remove(Pair(row: row, fence: fence)) != nil)
      default: Issue.record("\(event)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func eventsAreTheDifferenceOfAllPairs(seed: UInt64) throws {
    let world = try World(seed: seed)
    try world.commit(rows: 200, fences: 40)
    var watcher = try world.watcher()
    var known: Set<Pair> = []
    Self.apply(try watcher.initial(), to: &known)
    #expect(known == world.expected, "seed \(seed)")
    var random = SplitMix64(seed: seed &* 31)
    var count = 0
    for step in 0..<50 {
      // Several commits may come between two steps.
      for _ in 0...random.below(2) {
        try world.commit(rows: random.below(12), fences: random.chance(0.3) ? 1 : 0)
      }
      if random.chance(0.2) {
        // The client was interrupted, and continues from its cursor.
        let cursor = watcher.cursor
        try world.commit(rows: random.below(6), fences: random.below(2))
        watcher = try world.watcher()
        Self.apply(try watcher.changes(since: cursor), to: &known, isResumed: true)
      } else if let found = try watcher.advance() {
        Self.apply(found, to: &known)
        count += found.events.count
      }
      #expect(known == world.expected, "seed \(seed), step \(step)")
    }
    #expect(try watcher.advance() == nil)
    #expect(count > 0, "seed \(seed)")
  }

  /// Rows that did not move are not looked at.
  @Test func otherChangesHaveNoEvents() throws {
    let world = try World(seed: 9)
    try world.commit(rows: 200, fences: 40)
    let watcher = try world.watcher()
    try world.store.write { transaction in
      let zones = try #require(transaction.table("zones"))
      for key in 0..<5 where zones.table.isLive(key) {
        try zones.set(.string("renamed"), position: 0, at: key)
      }
      let cars = try #require(transaction.table("cars"))
      for key in 0..<20 where cars.table.isLive(key) {
        try cars.set(.string("renamed"), position: 0, at: key)
      }
    }
    #expect(try watcher.advance()?.events.isEmpty == true)
  }

  @Test(arguments: ["cars", "zones"]) func aRemovedClassEndsTheWatch(name: String) throws {
    let world = try World(seed: 4)
    try world.commit(rows: 300, fences: 60)
    let watcher = try world.watcher()
    var known = world.expected
    try #require(!known.isEmpty)
    try world.store.write { $0.removeTable(name) }
    Self.apply(try #require(try watcher.advance()), to: &known)
    #expect(known.isEmpty && watcher.isRemoved)
    #expect(try watcher.advance() == nil)
  }

  @Test func classesWithoutGeometryAreRefused() throws {
    let world = try World(seed: 4)
    let snapshot = try world.store.snapshot()
    let (cars, zones) = (
      try #require(snapshot.table("cars")), try #require(snapshot.table("zones"))
    )
    #expect(throws: QueryError.self) {
      try FenceWatcher(
        TableQuery(table: "zones"), on: snapshot, table: zones, fences: cars, of: world.store)
    }
    #expect(throws: CommitCursor.Problem.self) {
      try world.watcher().changes(since: try #require(CommitCursor("1-0")))
    }
    #expect(throws: QueryDeadline.Missed.self) {
      let deadline = QueryDeadline(after: 0)
      _ = try FenceWatcher(
        TableQuery(table: "cars"), on: snapshot, table: cars, fences: zones, of: world.store,
        deadline: deadline)
      try deadline.checkNow()
    }
  }

  /// Rows with geometries are within the fences that they meet.
  @Test func geometriesMoveToo() throws {
    let world = try World(seed: 4)
    try world.commit(rows: 0, fences: 12)
    let snapshot = try world.store.snapshot()
    let zones = try #require(snapshot.table("zones"))
    let watcher = try FenceWatcher(
      TableQuery(table: "zones"), on: snapshot, table: zones, fences: zones, of: world.store)
    let pairs = Set(
      try watcher.initial().events.map { Pair(row: $0.row ?? -1, fence: $0.fence ?? -1) })
    let areas = try world.fences.compactMapValues { try $0?.geometry }
    for (row, area) in areas {
      for (fence, other) in areas {
        let isExpected = area.withView { one in
          other.withView { PlanarRelation.holds(.intersects, one, to: $0) }
        }
        #expect(pairs.contains(Pair(row: row, fence: fence)) == isExpected)
      }
    }
  }
}
