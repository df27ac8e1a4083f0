import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// The executor, compared with a row-by-row evaluation. A failure prints its seed.
@Suite struct RandomQueryTests {
  /// Calls a closure with a new class in each state: bulk loaded, edited and committed, inside a
  /// transaction.
  private func withTables(
    seed: UInt64, rows: Int, _ body: (Table, inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    try RandomTable.create(in: store)
    if rows > 0 {
      try RandomTable.load(0..<rows, into: store, &random)
      try withSnapshot(store) { try body($0, &random) }
    }
    let write = try store.beginWrite()
    let writer = try #require(write.table(RandomTable.name))
    try RandomTable.edit(writer, inserting: rows..<rows + 300, changes: 500, &random)
    try body(writer.table, &random)
    try write.commit()
    try RandomTable.load(rows + 300..<rows + 900, into: store, &random)
    try withSnapshot(store) { try body($0, &random) }
    let again = try store.beginWrite()
    let second = try #require(again.table(RandomTable.name))
    try RandomTable.edit(second, inserting: rows + 900..<rows + 950, changes: 100, &random)
    try body(second.table, &random)
    again.rollback()
  }

  private func withSnapshot(_ store: Store, _ body: (Table) throws -> Void) throws {
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table(RandomTable.name))
    try body(table)
    withExtendedLifetime(snapshot) {}
  }

  private func sortKeys(_ random: inout SplitMix64) -> [SortKey] {
    let names = RandomTable.columns.map(\.0).filter { $0 != "location" && $0 != "home" }
    return (0..<random.below(3)).map { _ in
      if random.chance(0.3) {
        let place = random.position()
        return .distance(
          random.pick(["location", "home"]), longitude: place.longitude, latitude: place.latitude,
          ascending: random.chance(0.8))
      }
      return .property(random.pick(names), ascending: random.chance(0.5))
    }
  }

  @Test(arguments: [(1 as UInt64, 0), (2, 2), (3, 63), (4, 700), (5, 4200)])
  func conditions(seed: UInt64, rows: Int) throws {
    try withTables(seed: seed, rows: rows) { table, random in
      let naive = NaiveTable(table)
      for number in 0..<Soak.count(rows > 1000 ? 3 : 6, long: 150) {
        var generator = RandomPredicate(
          table: naive, random: SplitMix64(seed: random.next()))
        let query = TableQuery(table: RandomTable.name, predicate: Predicate(generator.node()))
        let expected = naive.keys(query)
        let execution = try execution(query, table, &random)
        #expect(
          execution.keys() == expected,
          "seed \(seed), rows \(rows), query \(number): \(query.predicate)")
        #expect(execution.count() == expected.count, "\(query.predicate)")
        #expect(execution.first() == expected.first, "\(query.predicate)")
        #expect(Array(execution.makeCursor()) == expected, "\(query.predicate)")
      }
    }
  }

  @Test(arguments: [(11 as UInt64, 0), (12, 100), (13, 1500)])
  func ordersAndRanges(seed: UInt64, rows: Int) throws {
    try withTables(seed: seed, rows: rows) { table, random in
      let naive = NaiveTable(table)
      for number in 0..<Soak.count(4, long: 120) {
        var generator = RandomPredicate(
          table: naive, random: SplitMix64(seed: random.next()))
        var query = TableQuery(table: RandomTable.name)
        if random.chance(0.6) { query.predicate = Predicate(generator.node(depth: 2)) }
        query.sort = sortKeys(&random)
        if random.chance(0.3) { query.distinct = distinctPaths(&random) }
        query.offset = random.chance(0.3) ? random.below(30) : 0
        query.limit = random.chance(0.7) ? random.pick([0, 1, 10, 100, 100_000]) : nil
        try check(query, table, naive, "seed \(seed), rows \(rows), query \(number)", &random)
      }
    }
  }

  private func distinctPaths(_ random: inout SplitMix64) -> [PropertyPath] {
    (0..<1 + random.below(2)).map { _ in
      PropertyPath(random.pick(["kind", "n", "flag", "pop", "d", "nick", "dec"]))
    }
  }

  private func steps(_ random: inout SplitMix64) -> [TableQuery.Step] {
    (0..<random.below(5)).map { _ in
      switch random.below(3) {
      case 0: .sort(sortKeys(&random))
      case 1: .distinct(random.chance(0.1) ? [] : distinctPaths(&random))
      default:
        .limit(
          offset: random.pick([0, 0, 1, 7, .max]),
          count: random.chance(0.3) ? nil : random.pick([0, 1, 10, 300, .max]))
      }
    }
  }

  /// The keys of a list: in any order, some repeated, some deleted or never used.
  private func source(_ table: Table, _ random: inout SplitMix64) -> [Int] {
    let count = random.pick([0, 1, 5, 70, 400, 3000])
    let keys = (0..<count).map { _ in random.below(table.endKey + 5) - (random.chance(0.01) ? 5 : 0)
    }
    return random.chance(0.3) ? Array(Set(keys)).sorted() : keys
  }

  @Test(arguments: [(41 as UInt64, 0), (42, 100), (43, 1500)])
  func stepsAndSources(seed: UInt64, rows: Int) throws {
    try withTables(seed: seed, rows: rows) { table, random in
      let naive = NaiveTable(table)
      for number in 0..<Soak.count(4, long: 120) {
        var generator = RandomPredicate(
          table: naive, random: SplitMix64(seed: random.next()))
        var query = TableQuery(table: RandomTable.name, steps: steps(&random))
        if random.chance(0.6) { query.source = .keys(source(table, &random)) }
        if random.chance(0.6) { query.predicate = Predicate(generator.node(depth: 2)) }
        let name = "seed \(seed), rows \(rows), query \(number)"
        let expected = try check(query, table, naive, name, &random)
        let execution = try execution(query, table, &random)
        let summaries = try execution.summaries(of: ["pop", "d", "kind"])
        for (property, summary) in zip(["pop", "d", "kind"], summaries) {
          #expect(
            summary.isAbout(naive.summary(property, expected)), "\(name), \(property): \(query)")
        }
        try compareGroups(execution, naive, expected, ["kind", "flag"], ["pop", "f"])
      }
    }
  }

  /// Checks the result of a query in every form.
  @discardableResult
  private func check(
    _ query: TableQuery, _ table: Table, _ naive: NaiveTable, _ name: String,
    _ random: inout SplitMix64
  ) throws -> [Int] {
    let expected = naive.keys(query)
    let execution = try execution(query, table, &random)
    #expect(execution.keys() == expected, "\(name): \(query)")
    #expect(execution.count() == expected.count, "\(name): \(query)")
    #expect(execution.first() == expected.first, "\(name): \(query)")
    #expect(Array(execution.makeCursor()) == expected, "\(name): \(query)")
    #expect(execution.explain().matches == expected.count, "\(name): \(query)")
    var visited: [Int] = []
    execution.forEachKey { key in
      visited.append(key)
      return visited.count < 70
    }
    #expect(visited == Array(expected.prefix(70)), "\(name): \(query)")
    return expected
  }

  @Test(arguments: [(21 as UInt64, 0), (22, 400)])
  func summariesAndGroups(seed: UInt64, rows: Int) throws {
    try withTables(seed: seed, rows: rows) { table, random in
      let naive = NaiveTable(table)
      for number in 0..<Soak.count(2, long: 40) {
        var generator = RandomPredicate(
          table: naive, random: SplitMix64(seed: random.next()))
        var query = TableQuery(table: RandomTable.name)
        if random.chance(0.7) { query.predicate = Predicate(generator.node(depth: 2)) }
        if random.chance(0.2) {
          query.sort = sortKeys(&random)
          query.limit = random.below(200)
        }
        let keys = naive.keys(query)
        let execution = try execution(query, table, &random)
        let names = RandomTable.columns.map(\.0)
        let summaries = try execution.summaries(of: names)
        for (name, summary) in zip(names, summaries) {
          #expect(
            summary.isAbout(naive.summary(name, keys)),
            "seed \(seed), rows \(rows), query \(number), \(name): \(query)")
        }
        let by = [["kind"], ["flag", "pop"], ["n"], ["kind", "nick", "flag"], ["d"], ["dec"]][
          random.below(6)]
        try compareGroups(execution, naive, keys, by, ["pop", "price", "f"])
      }
    }
  }

  private func compareGroups(
    _ execution: Execution, _ naive: NaiveTable, _ keys: [Int], _ by: [String], _ of: [String]
  ) throws {
    let positions = by.map { naive.position($0) }
    var expected: [[Value]: [Int]] = [:]
    for key in keys {
      guard let values = naive.row(key) else { continue }
      expected[positions.map { values[$0] }, default: []].append(key)
    }
    let groups = try execution.groups(by: by, summarising: of)
    #expect(groups.count == expected.count)
    for group in groups {
      let keys = try #require(expected[group.values], "\(group.values)")
      #expect(group.count == keys.count)
      for (name, summary) in zip(of, group.summaries) {
        #expect(summary.isAbout(naive.summary(name, keys)), "\(by) \(group.values) \(name)")
      }
    }
    for (first, second) in zip(groups, groups.dropFirst()) {
      let place = zip(first.values, second.values).first { $0 != $1 }
      #expect(place.map { Value.sortOrder($0.0, to: $0.1) == .less } ?? false)
    }
  }

  @Test(arguments: [31 as UInt64, 32])
  func manyRegionsAtOnce(seed: UInt64) throws {
    try withTables(seed: seed, rows: 300) { table, random in
      let naive = NaiveTable(table)
      var generator = RandomPredicate(table: naive, random: SplitMix64(seed: random.next()))
      let regions = (0..<20).map { _ in NaiveMatcher.region(generator.shape()) }
      for query in [
        TableQuery(table: RandomTable.name),
        TableQuery(table: RandomTable.name, predicate: Predicate(generator.node(depth: 1))),
        TableQuery(table: RandomTable.name, sort: [.property("pop", ascending: true)], limit: 500),
      ] {
        let position = naive.position("location")
        let places = naive.keys(query).compactMap { key -> Position? in
          guard case .point(let place)? = naive.row(key)?[position] else { return nil }
          return place
        }
        let counts = try execution(query, table, &random).counts(in: regions, of: "location")
        for (region, count) in zip(regions, counts) {
          let expected = places.count {
            region.contains(longitude: $0.longitude, latitude: $0.latitude)
          }
          #expect(count == expected, "seed \(seed) \(region.description) \(query)")
        }
      }
    }
  }
}

extension Summary {
  /// Whether two summaries agree up to the rounding of sums added in different orders.
  func isAbout(_ other: Summary) -> Bool {
    count == other.count && minimum == other.minimum && maximum == other.maximum
      && Summary.isAbout(sum, other.sum) && Summary.isAbout(average, other.average)
  }

  private static func isAbout(_ a: Value, _ b: Value) -> Bool {
    guard case .double(let x) = a, case .double(let y) = b else { return a == b }
    return a == b || abs(x - y) <= 1e-9 * max(abs(x), abs(y), 1)
  }
}
