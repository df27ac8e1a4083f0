import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Joins by locations and geometries behind links, compared with nested loops over every pair. A
/// failure prints its seed.
@Suite(.tags(.threads)) struct LinkedJoinTests {
  /// Depots, routes with a depot, and stops with a route and a depot. Some links are null, or lead
  /// to a deleted depot.
  private struct World {
    let temporary: TemporaryStore
    let snapshot: Snapshot

    private static let places = [column("at", .point), column("area", .geometry)]
    private static let drafts = [
      TableDraft(name: "Depot", columns: places + [column("number", .int)]),
      TableDraft(
        name: "Route", columns: [column("depot", .link, to: "Depot"), column("number", .int)]),
      TableDraft(
        name: "Stop",
        columns: places + [
          column("depot", .link, to: "Depot"), column("route", .link, to: "Route"),
          column("depots", .link, .list, to: "Depot"), column("number", .int),
        ]),
    ]

    init(depots: Int, stops: Int, _ random: inout SplitMix64) throws {
      temporary = try TemporaryStore()
      try temporary.store.write { transaction in
        for draft in Self.drafts {
          _ = try transaction.createTable(draft.name, columns: draft.columns)
        }
      }
      let write = try temporary.store.beginWrite()
      for (name, count) in [("Depot", depots), ("Route", depots * 2), ("Stop", stops)] {
        guard let writer = write.table(name) else { preconditionFailure("the class was created") }
        for _ in 0..<count {
          try writer.insert(
            writer.table.schema.properties.map { Self.value($0, depots: depots, &random) })
        }
      }
      for key in 0..<depots where random.chance(0.1) { try write.table("Depot")?.delete(key) }
      try write.commit()
      snapshot = try temporary.store.snapshot()
    }

    private static func value(
      _ column: ColumnSchema, depots: Int, _ random: inout SplitMix64
    ) -> Value {
      guard column.collection == .none else {
        return .data(StoredCollection.encode([.int(0)], of: .link))
      }
      guard column.type == .link else { return SpatialWorld.value(column.type, &random) }
      let count = column.target == "Route" ? depots * 2 : depots
      return random.chance(0.1) ? .null : .int(Int64(random.below(count)))
    }

    func table(_ name: String) throws -> Table { try #require(snapshot.table(name)) }

    /// The geometry at the end of a path, for each row that has one.
    func geometries(_ name: String, _ path: String) throws -> [(key: Int, geometry: Geometry)] {
      let table = try table(name)
      return try (0..<table.endKey).filter(table.isLive).compactMap { key in
        let value = try end(of: path.split(separator: ".").map(String.init)[...], key, table)
        return NaiveSpatialTest.geometry(value).flatMap { $0.isEmpty ? nil : (key, $0) }
      }
    }

    private func end(of path: ArraySlice<String>, _ key: Int, _ table: Table) throws -> Value {
      let column = try #require(table.schema.column(named: path.first ?? ""))
      let value = table.value(column.position, at: key)
      guard path.count > 1 else { return value }
      let target = try self.table(column.target ?? "")
      guard case .int(let next) = value, target.isLive(Int(next)) else { return .null }
      return try end(of: path.dropFirst(), Int(next), target)
    }

    func join(
      _ left: (String, String), _ right: (String, String), on condition: JoinQuery.Condition,
      where predicate: Predicate = .true, isOuter: Bool = false, isOnce: Bool = false
    ) throws -> JoinExecution {
      func path(_ text: String) -> PropertyPath {
        PropertyPath(text.split(separator: ".").map { .property(String($0)) })
      }
      return try JoinExecution(
        JoinQuery(
          left: .init(table: left.0, predicate: predicate, path: path(left.1)),
          right: .init(table: right.0, path: path(right.1)), on: condition, isOuter: isOuter,
          isOnce: isOnce), left: table(left.0), right: table(right.0))
    }
  }

  private static let sides = [
    ("Stop", "depot.at"), ("Stop", "depot.area"), ("Stop", "route.depot.at"),
    ("Stop", "route.depot.area"), ("Stop", "area"), ("Route", "depot.area"), ("Depot", "at"),
  ]

  private func keys(_ pairs: [JoinPair]) -> [[Int?]] { pairs.map { [$0.left, $0.right] } }

  private func eachCase(
    _ seed: UInt64,
    _ body: (World, (String, String), (String, String), inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let world = try World(
      depots: random.pick([3, 12, 30]), stops: Soak.count(25, long: 50), &random)
    for left in Self.sides {
      for right in Self.sides where left.1.contains(".") || right.1.contains(".") {
        try body(world, left, right, &random)
      }
    }
  }

  private func note(_ seed: UInt64, _ left: (String, String), _ right: (String, String)) -> Comment
  {
    "seed \(seed) \(left.0).\(left.1) \(right.0).\(right.1)"
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>, [GeoPolygon.Edges.planar, .geodesic])
  func relations(seed: UInt64, edges: GeoPolygon.Edges) throws {
    try eachCase(seed) { world, left, right, random in
      let relation = random.pick(SpatialRelation.joined(edges))
      let rights = try world.geometries(right.0, right.1)
      let shapes = try Dictionary(
        rights.map { ($0.geometry, try PreparedShape(.geometry($0.geometry, edges: edges))) },
        uniquingKeysWith: { first, _ in first })
      let expected = try world.geometries(left.0, left.1).flatMap { left in
        rights.filter { right in
          left.geometry.withView { shapes[right.geometry]?.holds(relation, $0) ?? false }
        }.map { [left.key, $0.key] as [Int?] }
      }
      let join = try world.join(left, right, on: .relation(relation, edges: edges))
      let note = note(seed, left, right)
      #expect(try keys(join.pairs()) == expected, note)
      #expect(try join.count() == expected.count, note)
      for side in [JoinQuery.Side.left, .right] {
        let grouped = Dictionary(grouping: expected) { $0[side == .left ? 0 : 1] ?? -1 }
        #expect(
          try join.counts(ofEach: side).map { [$0.key, $0.count] }
            == grouped.map { [$0.key, $0.value.count] }.sorted { $0[0] < $1[0] }, note)
      }
    }
  }

  @Test(arguments: 11...12 as ClosedRange<UInt64>)
  func distancesAndNearest(seed: UInt64) throws {
    try eachCase(seed) { world, left, right, random in
      let (limit, count) = (
        try #require(Distance.kilometers(random.pick([0, 60.3, 333.3]))), random.pick([1, 3, 100])
      )
      let rights = try world.geometries(right.0, right.1)
      let note = note(seed, left, right)
      let found = try world.join(left, right, on: .distance(limit)).pairs()
      let nearest = Dictionary(
        grouping: try world.join(left, right, on: .nearest(count)).pairs(), by: \.left)
      var expected: [[Int?]] = []
      for left in try world.geometries(left.0, left.1) {
        let all = rights.map { right in
          let radians = left.geometry.withView { left in
            right.geometry.withView { SphericalDistance.between(left, $0) }
          }
          return (radians: radians, key: right.key)
        }
        expected += all.filter { $0.radians <= limit.radians }.map { [left.key, $0.key] }
        let sorted = all.map(\.radians).sorted().prefix(count)
        let chosen = nearest[left.key] ?? []
        #expect(chosen.count == sorted.count, note)
        for (pair, radians) in zip(chosen, sorted) {
          let exact = all.first { $0.key == pair.right }?.radians ?? .nan
          #expect(abs(pair.radians - radians) <= 1e-12, note)
          #expect(abs(pair.radians - exact) <= 1e-12, note)
        }
      }
      #expect(keys(found) == expected, note)
    }
  }

  @Test(arguments: 21...22 as ClosedRange<UInt64>)
  func conditionsOuterJoinsAndGroups(seed: UInt64) throws {
    try eachCase(seed) { world, left, right, _ in
      let intersects = JoinQuery.Condition.relation(.intersects, edges: .planar)
      let table = try world.table(left.0)
      let position = try #require(table.schema.column(named: "number")).position
      func isFew(_ key: Int) -> Bool {
        if case .int(let number) = table.value(position, at: key) { number < 5 } else { false }
      }
      let all = try world.join(left, right, on: intersects).pairs()
      let few = try Predicate(parsing: "number < 5")
      let note = note(seed, left, right)
      let matched = Dictionary(grouping: all, by: \.left)
      let lefts = (0..<table.endKey).filter { table.isLive($0) && isFew($0) }
      let outer = try world.join(left, right, on: intersects, where: few, isOuter: true)
      let padded = lefts.flatMap {
        matched[$0] ?? [JoinPair(left: $0, right: nil, radians: .nan)]
      }
      #expect(try keys(outer.pairs()) == keys(padded), note)
      #expect(try outer.count() == padded.count, note)
      let groups = try world.join(left, right, on: intersects, where: few).groups(
        by: [.init(.right, name: "number")])
      #expect(
        groups.reduce(0) { $0 + $1.count } == padded.filter { $0.right != nil }.count, note)
      guard left == right else { return }
      let once = try world.join(left, right, on: intersects, isOnce: true)
      #expect(
        try keys(once.pairs()) == keys(all.filter { $0.left < $0.right ?? -1 }), note)
    }
  }

  /// More rows than a chunk has. Many lead to the same areas.
  @Test func manyRowsShareAreas() throws {
    var random = SplitMix64(seed: 31)
    let world = try World(depots: 40, stops: Soak.count(4_500, long: 9_000), &random)
    let stops = ("Stop", "route.depot.area")
    let shapes = try world.geometries(stops.0, stops.1)
    let intersects = JoinQuery.Condition.relation(.intersects, edges: .geodesic)
    let depots = try world.geometries("Depot", "at")
    let byArea = Dictionary(grouping: shapes, by: \.geometry)
    var expected = 0
    for (area, rows) in byArea {
      let shape = try PreparedShape(.geometry(area, edges: .geodesic))
      expected +=
        rows.count
        * depots.filter { $0.geometry.withView { shape.holds(.intersects, $0) } }.count
    }
    #expect(expected > 0)
    #expect(try world.join(stops, ("Depot", "at"), on: intersects).count() == expected)
    #expect(try world.join(("Depot", "at"), stops, on: intersects).count() == expected)
  }

  @Test func mistakesAreNamed() throws {
    var random = SplitMix64(seed: 41)
    let world = try World(depots: 3, stops: 3, &random)
    func message(_ path: String) -> String {
      do {
        _ = try world.join(("Stop", path), ("Depot", "area"), on: .nearest(1))
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      message("depot.nowhere").hasPrefix("Property 'nowhere' not found in object of type 'Depot'."))
    #expect(
      message("route.depot.number")
        == "'route.depot.number' of class 'Stop' is neither a location nor a geometry to join by")
    #expect(
      message("depot")
        == "'depot' of class 'Stop' is neither a location nor a geometry to join by")
    #expect(
      message("depots.at")
        == "'depots.at' of class 'Stop' leads to several values; a join compares one of each row")
    #expect(message("at.depot").contains("which is not a link"))
  }

  @Test func theExplanationNamesTheLinks() throws {
    var random = SplitMix64(seed: 51)
    let world = try World(depots: 9, stops: 40, &random)
    let text = try world.join(
      ("Stop", "route.depot.at"), ("Depot", "area"), on: .relation(.within, edges: .planar)
    ).explain()
    #expect(
      text.hasPrefix(
        "Stop.route.depot.at within (planar edges) Depot.area\n└─ visit Stop.route.depot.at, "),
      "\(text)")
    #expect(text.contains("\n      through links to Depot, along the Hilbert curve\n"), "\(text)")
  }
}
