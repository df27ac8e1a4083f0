import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Conditions on geometries and searches for the nearest, compared with every row in turn. A
/// failure prints its seed.
@Suite struct SpatialQueryTests {
  /// Calls a closure with a class in each state: bulk loaded, edited within a transaction,
  /// committed, loaded again, with several delta runs, and compacted.
  private func withTables(
    seed: UInt64, rows: Int, _ body: (Table, inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.file()
    do {
      let store = try Store.open(path, mode: .create)
      try SpatialWorld.create(in: store)
      if rows > 0 {
        try SpatialWorld.load(0..<rows, into: store, &random)
        try withSnapshot(store) { try body($0, &random) }
      }
      let write = try store.beginWrite()
      let writer = try #require(write.table(SpatialWorld.name))
      try SpatialWorld.edit(writer, inserting: rows..<rows + 200, changes: 300, &random)
      try body(writer.table, &random)
      try write.commit()
      try SpatialWorld.load(rows + 200..<rows + 500, into: store, &random)
      for step in 0..<4 {
        try store.write { transaction in
          let writer = try #require(transaction.table(SpatialWorld.name))
          let first = rows + 500 + step * 150
          try SpatialWorld.edit(writer, inserting: first..<first + 150, changes: 100, &random)
        }
      }
      try withSnapshot(store) { try body($0, &random) }
    }
    _ = try Store.compact(path)
    try withSnapshot(try Store.open(path, mode: .readWrite)) { try body($0, &random) }
  }

  private func withSnapshot(_ store: Store, _ body: (Table) throws -> Void) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table(SpatialWorld.name))
    try body(table)
    withExtendedLifetime(snapshot) {}
  }

  private static func values(_ name: String, _ table: Table) throws -> [(key: Int, value: Value)] {
    let position = try #require(table.schema.column(named: name)).position
    return (0..<table.endKey).filter(table.isLive).map { ($0, table.value(position, at: $0)) }
  }

  /// The classes serve all three checks, because making them costs as much as a check.
  @Test(arguments: [(1 as UInt64, 0), (2, 300), (3, 4300)])
  func indexesAgreeWithEveryRow(seed: UInt64, rows: Int) throws {
    let isLarge = rows > 1000
    try withTables(seed: seed, rows: rows) { table, random in
      for _ in 0..<Soak.count(isLarge ? 4 : 9, long: isLarge ? 12 : 25) {
        try checkCondition("seed \(seed)", table, &random)
      }
      for _ in 0..<Soak.count(isLarge ? 3 : 5, long: 8) {
        try checkNearest("seed \(seed)", table, &random)
      }
      if isLarge {
        try checkExplanations(table)
        for edges in [GeoPolygon.Edges.planar, .geodesic] {
          try checkNearestLocations(table, edges)
        }
      }
    }
  }

  private func checkCondition(
    _ seed: String, _ table: Table, _ random: inout SplitMix64
  ) throws {
    let name = random.pick(SpatialWorld.spatial)
    let node = SpatialWorld.condition(PropertyPath(name), &random)
    let comment = "\(seed), \(Predicate(node))"
    let test = try NaiveSpatialTest(node)
    let values = try Self.values(name, table)
    let expected = values.filter { test.holds($0.value) }.map(\.key)
    let query = TableQuery(table: SpatialWorld.name, predicate: Predicate(node))
    let found = try execution(query, table, &random)
    try #require(found.keys() == expected, "\(comment)")
    #expect(found.count() == expected.count, "\(comment)")
    #expect(found.first() == expected.first, "\(comment)")
    #expect(
      try execution(
        TableQuery(
          table: SpatialWorld.name, predicate: Predicate(node), offset: 2, limit: 5), table,
        &random
      ).keys() == Array(expected.dropFirst(2).prefix(5)), "\(comment)")
    try checkCombined(node, expected: Set(expected), table, &random, comment)
  }

  /// Negates a condition, joins it with others, and tests single rows.
  private func checkCombined(
    _ node: PredicateNode, expected: Set<Int>, _ table: Table, _ random: inout SplitMix64,
    _ comment: String
  ) throws {
    let small = PredicateNode.compare(.property("number"), .less, .value(.int(5)), [])
    let numbers = try Self.values("number", table)
    func isSmall(_ value: Value) -> Bool { if case .int(0..<5) = value { true } else { false } }
    let forms: [(PredicateNode, (Int, Value) -> Bool)] = [
      (.not(node), { key, _ in !expected.contains(key) }),
      (.and([node, small]), { key, number in expected.contains(key) && isSmall(number) }),
      (.or([node, small]), { key, number in expected.contains(key) || isSmall(number) }),
    ]
    for (form, holds) in forms {
      let found = try execution(
        TableQuery(table: SpatialWorld.name, predicate: Predicate(form)), table, &random)
      #expect(found.keys() == numbers.filter { holds($0.key, $0.value) }.map(\.key), "\(comment)")
    }
    let one = try Execution(
      TableQuery(table: SpatialWorld.name, predicate: Predicate(node)), on: table)
    for (key, _) in numbers.prefix(40) {
      #expect(one.matches(key) == expected.contains(key), "\(comment), row \(key)")
    }
  }

  @Test func equalityComparesEveryByte() throws {
    try withTables(seed: 25, rows: 300) { table, random in
      let values = try Self.values("area", table)
      let wanted = random.pick(values.map(\.value).filter { !$0.isNull })
      for (comparison, isEqual) in [(ComparisonOperator.equal, true), (.notEqual, false)] {
        let node = PredicateNode.compare(.property("area"), comparison, .value(wanted), [])
        let query = TableQuery(table: SpatialWorld.name, predicate: Predicate(node))
        let expected = values.filter { ($0.value == wanted) == isEqual }.map(\.key)
        #expect(try execution(query, table, &random).keys() == expected)
      }
    }
  }

  /// Searches for the nearest, compared with every row.
  private func checkNearest(_ seed: String, _ table: Table, _ random: inout SplitMix64) throws {
    let name = random.pick(SpatialWorld.spatial)
    let shape = SpatialWorld.shape(&random)
    let isCircle = if case .circle = shape { true } else { false }
    let edges: GeoPolygon.Edges = isCircle || random.chance(0.5) ? .geodesic : .planar
    let isAscending = random.chance(0.8)
    let limit = random.pick([1, 3, 10, 60])
    let isFiltered = random.chance(0.4)
    let comment = "\(seed), \(limit) of \(name) to \(ShapeText.text(of: shape)), \(edges)"
    let origin = try PreparedOrigin(shape, edges: edges)
    let numbers = Dictionary(
      uniqueKeysWithValues: try Self.values("number", table).map { ($0.key, $0.value) })
    let measured = try Self.values(name, table).compactMap { key, value -> (Double, Int)? in
      if isFiltered, numbers[key] != .int(3) { return nil }
      let geometry = NaiveSpatialTest.geometry(value)
      let radians = geometry.flatMap {
        $0.isEmpty ? nil : $0.withView { origin.distance(to: $0) }
      }
      return (radians ?? (isAscending ? .infinity : -.infinity), key)
    }
    let expected = measured.sorted {
      $0.0 != $1.0 ? ($0.0 < $1.0) == isAscending : $0.1 < $1.1
    }
    let query = TableQuery(
      table: SpatialWorld.name,
      predicate: isFiltered ? try Predicate(parsing: "number == 3") : .true,
      sort: [
        .distance(PropertyPath(name), from: shape, edges: edges, ascending: isAscending)
      ], limit: limit)
    let found = try execution(query, table, &random)
    let keys = found.keys()
    let distances = keys.map { found.distance(of: $0) }
    #expect(keys.count == min(limit, expected.count), "\(comment)")
    for (index, key) in keys.enumerated() {
      // Points are measured from points by another formula, which may differ in the last bits.
      let isExact = name != "at"
      #expect(!isExact || key == expected[index].1, "\(comment), place \(index)")
      let metres = expected[index].0 * Sphere.radius
      #expect(
        metres.isInfinite
          ? distances[index] == nil : abs((distances[index] ?? -1) - metres) < 1e-5,
        "\(comment), place \(index)")
    }
  }

  private func checkExplanations(_ table: Table) throws {
    func explain(_ text: String) throws -> Explanation {
      try Execution(
        TableQuery(table: SpatialWorld.name, predicate: try Predicate(parsing: text)), on: table
      ).explain()
    }
    let found = try explain(
      "area GEOINTERSECTS geoPolygon[planar]({[0, 0], [3, 0], [0, 3], [0, 0]}) AND number > 2")
    #expect(found.access.hasPrefix("R-tree of area, "))
    #expect(found.candidates < table.liveCount / 4)
    #expect(found.residual == ["number > 2"])
    let tests = try #require(found.exactTests)
    #expect(tests <= found.candidates && found.matches <= found.candidates)
    let near = try explain("GEODISTANCE(area, geoPoint(3, 4)) <= 50km")
    #expect(near.access.hasPrefix("R-tree of area, ") && near.candidates < table.liveCount / 4)
    #expect(near.query.hasSuffix("<= 50.0 km"))
    let far = try explain("GEODISTANCE(area, geoPoint(3, 4)) > 50km")
    #expect(far.access.hasPrefix("scan of "))
    let query = TableQuery(
      table: SpatialWorld.name,
      sort: [.distance("area", longitude: 3.1, latitude: 4.1, ascending: true)], limit: 5)
    let nearest = try Execution(query, on: table).explain()
    #expect(nearest.access == "R-tree of area, best-first traversal, nearest first")
    #expect(nearest.order == "distance of area, top 5")
    #expect(nearest.candidates < 1000)
  }

  /// The nearest locations to a shape, and in the plane, are found by the tree as well.
  private func checkNearestLocations(_ table: Table, _ edges: GeoPolygon.Edges) throws {
    let line = try Geometry(wkt: "LINESTRING (1 1, 2 3, 4 4)")
    let query = TableQuery(
      table: SpatialWorld.name,
      sort: [
        .distance(
          PropertyPath("at"), from: .geometry(line, edges: .geodesic), edges: edges,
          ascending: true)
      ], limit: 5)
    let nearest = try Execution(query, on: table).explain()
    #expect(nearest.access == "R-tree of at, best-first traversal, nearest first")
    #expect(nearest.candidates < 1000)
  }
}
