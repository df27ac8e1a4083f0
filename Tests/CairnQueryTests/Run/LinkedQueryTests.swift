import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Conditions, sort orders and distinct through every kind of link, compared with a row-by-row
/// evaluation. A failure prints its seed.
@Suite struct LinkedQueryTests {
  /// Calls a closure with the classes in each state: committed, edited inside a transaction,
  /// committed again.
  func withWorld(
    seed: UInt64, rows: Int, _ body: (Table, inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let first = try temporary.store.beginWrite()
    try first.createTables(LinkedStore.drafts)
    var writer = LinkedWriter(first, SplitMix64(seed: random.next()))
    try writer.insert(rows)
    try first.commit()
    let second = try temporary.store.beginWrite()
    writer = LinkedWriter(second, SplitMix64(seed: random.next()))
    try writer.insert(rows / 4)
    try writer.edit(rows)
    try body(try #require(second.table("Person")).table, &random)
    try second.commit()
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table("Person")), &random)
    withExtendedLifetime(snapshot) {}
  }

  @Test(arguments: [(51 as UInt64, 1), (52, 8), (53, 40), (54, 40), (55, 90), (56, 90)])
  func conditions(seed: UInt64, rows: Int) throws {
    try withWorld(seed: seed, rows: rows) { person, random in
      let world = NaiveWorld(person)
      for number in 0..<Soak.rounds(60) {
        let name = random.pick(["Person", "Person", "Dog", "Address"])
        let table = try #require(person.sibling(named: name))
        var generator = RandomLinkedPredicate(
          world: world, random: SplitMix64(seed: random.next()))
        let predicate = Predicate(generator.node(name))
        let query = TableQuery(table: name, predicate: predicate)
        let bound = try predicate.bound(to: table.schema, in: table.classes).root.written
        let expected = (world.tables[name]?.keys ?? []).filter { world.holds(bound, name, $0) }
        let found = try execution(query, table, &random).keys()
        #expect(
          found == expected, "seed \(seed), rows \(rows), query \(number) on \(name): \(predicate)")
        if found != expected { continue }
        #expect(try execution(query, table, &random).count() == expected.count)
        #expect(try execution(query, table, &random).first() == expected.first)
        let few = try execution(query, table, &random)
        for _ in 0..<5 where table.endKey > 0 {
          let key = random.below(table.endKey)
          #expect(few.matches(key) == expected.contains(key), "\(predicate) of \(key)")
        }
        #expect(!few.explain().description.isEmpty)
      }
    }
  }
}

/// Sort orders, distinct and lists.
extension LinkedQueryTests {
  @Test(arguments: [(61 as UInt64, 3), (62, 30), (63, 80)])
  func ordersAndSources(seed: UInt64, rows: Int) throws {
    try withWorld(seed: seed, rows: rows) { person, random in
      let world = NaiveWorld(person)
      for number in 0..<Soak.rounds(40) {
        let name = random.pick(["Person", "Dog"])
        let table = try #require(person.sibling(named: name))
        var generator = RandomLinkedPredicate(
          world: world, random: SplitMix64(seed: random.next()))
        var query = TableQuery(table: name, steps: [])
        if random.chance(0.5) { query.predicate = Predicate(generator.node(name, depth: 1)) }
        if random.chance(0.4) {
          query.source = .keys((0..<random.below(80)).map { _ in random.below(table.endKey + 3) })
        }
        query.steps = (0..<random.below(4)).map { _ in step(name, world, &random) }
        let expected = try world.keys(query, table)
        let label = "seed \(seed), rows \(rows), query \(number): \(query)"
        let found = try execution(query, table, &random).keys()
        #expect(found == expected, "\(label)")
        #expect(try execution(query, table, &random).count() == expected.count, "\(label)")
        #expect(try execution(query, table, &random).first() == expected.first, "\(label)")
        #expect(
          Array(try execution(query, table, &random).makeCursor()) == expected, "\(label)")
      }
    }
  }

  private func step(
    _ name: String, _ world: NaiveWorld, _ random: inout SplitMix64
  ) -> TableQuery.Step {
    switch random.below(3) {
    case 0: .sort((0..<1 + random.below(2)).map { _ in sortKey(name, world, &random) })
    case 1: .distinct([single(name, world, &random) { _ in true }])
    default: .limit(offset: random.below(4), count: random.pick([nil, 1, 10, 40]))
    }
  }

  private func single(
    _ name: String, _ world: NaiveWorld, _ random: inout SplitMix64, _ fits: (RandomPath) -> Bool
  ) -> PropertyPath {
    while true {
      let path = RandomPath(from: name, world, depth: random.below(3), &random)
      if path.many == 0, fits(path) { return PropertyPath(path.components) }
    }
  }

  private func sortKey(
    _ name: String, _ world: NaiveWorld, _ random: inout SplitMix64
  ) -> SortKey {
    let ascending = random.chance(0.5)
    if name == "Person", random.chance(0.3) {
      let path: [PropertyPath.Component] = random.pick([
        [.property("at")], [.property("home")], [.property("boss"), .property("home")],
        [.property("address"), .property("place")], [.property("boss"), .property("at")],
      ])
      return .distance(PropertyPath(path), longitude: 8, latitude: 47, ascending: ascending)
    }
    let path = single(name, world, &random) { $0.table == nil && $0.type != .point }
    return .property(path, ascending: ascending)
  }
}
