import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Change sets of random queries over classes with every kind of link, compared after each step
/// with recomputed results and with objects read property by property. A failure prints its seed.
@Suite(.tags(.threads)) struct ResultsTrackerTests {
  private struct Watched {
    let tracker: ResultsTracker
    let paths: [String]?
    var observed: ObservedPaths
    let label: String
  }

  @Test(arguments: [(71 as UInt64, 4), (72, 20), (73, 60), (74, 60), (75, 100), (76, 20)])
  func randomQueriesAndSteps(seed: UInt64, rows: Int) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.write { transaction in
      try transaction.createTables(LinkedStore.drafts)
      var writer = LinkedWriter(transaction, SplitMix64(seed: random.next()))
      try writer.insert(rows)
    }
    for _ in 0..<Soak.count(1, long: 20) {
      var base = try store.snapshot()
      let links = ReverseLinkLookup(readsBeforeCaching: random.below(3))
      var watched = try (0..<14).map { try watch($0, base, &random) }
      for number in 0..<Soak.count(5, long: 8) {
        let commits = random.chance(0.3) ? 3 : 1
        for _ in 0..<commits { try change(store, rows, &random) }
        let now = try store.snapshot()
        let oracle = ObjectOracle(base, now)
        // Occasionally the link tracker misses a step; it must notice at the next one.
        let step = ObjectChanges(now.changes(since: base), links: random.chance(0.15) ? nil : links)
        for place in watched.indices {
          try check(
            &watched[place], step, oracle, isExact: commits == 1, "seed \(seed), step \(number)")
        }
        base = now
      }
    }
  }

  private func change(_ store: Store, _ rows: Int, _ random: inout SplitMix64) throws {
    try store.write { transaction in
      var writer = LinkedWriter(transaction, SplitMix64(seed: random.next()))
      if random.chance(0.4) { try writer.insert(1 + random.below(3)) }
      try writer.edit(random.chance(0.2) ? rows : 1 + random.below(4))
      if random.chance(0.03) { transaction.table("Dog")?.deleteAll() }
    }
  }

  private func watch(
    _ number: Int, _ base: Snapshot, _ random: inout SplitMix64
  ) throws -> Watched {
    let name = random.pick(["Person", "Person", "Dog"])
    let table = try #require(base.table(name))
    var query = TableQuery(table: name, steps: [])
    if number > 1 {
      var generator = RandomLinkedPredicate(
        world: NaiveWorld(table), random: SplitMix64(seed: random.next()))
      query.predicate = Predicate(generator.node(name))
    }
    if number % 3 == 1 { query.steps = [.sort(sortKeys(name, &random))] }
    if number == 8 { query.steps = [.limit(offset: 1, count: 5)] }
    if number == 9 { query.steps = [.distinct([PropertyPath("name")])] }
    let paths: [String]? = random.pick([
      nil, nil, [], ["name"], ["*"],
      name == "Dog" ? ["owner.age", "toys"] : ["dogs.name", "boss"],
      name == "Dog" ? ["owner.dogs.toys.price"] : ["address.place.coordinates", "dog.*"],
      name == "Dog" ? ["keepers.name"] : ["workers.name", "owned"],
    ])
    return Watched(
      tracker: try ResultsTracker(query, on: base, table: table), paths: paths,
      observed: try paths.map { try ObservedPaths($0, of: table) } ?? .everything,
      label: "query \(number): \(query), observed \(paths?.description ?? "everything")")
  }

  private func sortKeys(_ name: String, _ random: inout SplitMix64) -> [SortKey] {
    let isAscending = random.chance(0.5)
    return name == "Dog"
      ? random.pick([
        [.property("age", ascending: isAscending)],
        [
          .property("name", ascending: isAscending),
          .property(PropertyPath([.property("owner"), .property("age")]), ascending: true),
        ],
      ])
      : random.pick([
        [.property("name", ascending: isAscending)],
        [.property("age", ascending: isAscending), .property("any", ascending: true)],
        [.property(PropertyPath([.property("dog"), .property("name")]), ascending: isAscending)],
        [.distance("at", longitude: 10, latitude: 20, ascending: isAscending)],
      ])
  }

  private func check(
    _ watched: inout Watched, _ step: ObjectChanges, _ oracle: ObjectOracle, isExact: Bool,
    _ label: String
  ) throws {
    let label = "\(label), \(watched.label)"
    let name = watched.tracker.query.table
    let table = try #require(step.log.new.table(name))
    let old = watched.tracker.keys
    let new = try Execution(watched.tracker.query, on: table).keys()
    let changes = try watched.tracker.update(step, observed: watched.observed)
    #expect(watched.tracker.keys == new, "\(label)")
    #expect(watched.tracker.count == new.count)
    #expect(changes.applied(to: old, new) == new, "\(label)")
    #expect(changes.deletedKeys == changes.deletions.map { old[$0] }, "\(label)")
    #expect(changes.insertedKeys == changes.insertions.map { new[$0] }, "\(label)")
    #expect(changes.modifiedKeys == changes.modifications.map { old[$0] }, "\(label)")
    #expect(changes.deletions == changes.deletions.sorted())
    if let place = new.indices.dropFirst(new.count / 2).first {
      #expect(watched.tracker.key(at: place) == new[place])
    }
    let gone = Set(changes.deletions)
    let stayed = old.indices.filter { !gone.contains($0) }
    let modified = stayed.filter { oracle.isModified(name, old[$0], watched.paths) }
    if isExact {
      #expect(changes.modifications == modified, "\(label)")
    } else {
      // A value may have been changed and changed back.
      #expect(Set(changes.modifications).isSuperset(of: modified), "\(label)")
    }
  }
}
