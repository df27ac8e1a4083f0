import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Counts, aggregates, conditions on elements and sort orders along links over several chunks,
/// compared with plain Swift. A failure prints its seed.
@Suite struct CollectionQueryTests {
  typealias Owner = PackWorld.Owner
  typealias Question = (text: String, holds: (Owner) -> Bool)

  private func withWorld(
    seed: UInt64, _ body: (Table, PackWorld, inout SplitMix64) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    let first = try temporary.store.beginWrite()
    var world = try PackWorld(
      first, dogs: 5000, owners: 4500, SplitMix64(seed: random.next()))
    try first.commit()
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table("Owner")), world, &random)
    let second = try temporary.store.beginWrite()
    try world.delete(400, second)
    try body(try #require(second.table("Owner")).table, world, &random)
    try second.commit()
    withExtendedLifetime(snapshot) {}
  }

  @Test(arguments: [71 as UInt64, 72])
  func conditions(seed: UInt64) throws {
    try withWorld(seed: seed) { table, world, random in
      for number in 0..<Soak.count(25, long: 400) {
        let question = question(world, &random)
        let query = TableQuery(table: "Owner", predicate: try Predicate(parsing: question.text))
        let expected = world.owners.indices.filter { question.holds(world.owners[$0]) }
        let label = "seed \(seed), query \(number): \(question.text)"
        let found = try execution(query, table, &random).keys()
        #expect(found == expected, "\(label)")
        let count = try execution(query, table, &random).count()
        #expect(count == expected.count, "\(label)")
        // A few rows, matched individually.
        let keys = (0..<8).map { _ in random.below(world.owners.count) }
        let few = TableQuery(table: "Owner", source: .keys(keys), predicate: query.predicate)
        let answers = try execution(few, table, &random).keys()
        let right = keys.filter { question.holds(world.owners[$0]) }
        #expect(answers == right, "\(label) of \(keys)")
      }
    }
  }

  // MARK: Conditions

  private func question(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let question = random.pick([count, subquery, aggregate, elements, linked])(world, &random)
    guard random.chance(0.3), !question.text.hasPrefix("A") else { return question }
    // The same for a friend; without a friend the collections are empty.
    let text =
      question.text.hasPrefix("SUBQUERY(")
      ? "SUBQUERY(friend." + question.text.dropFirst("SUBQUERY(".count) : "friend.\(question.text)"
    let nobody = Owner(links: [:], numbers: [:])
    return (text, { question.holds($0.friend.map { world.owners[$0] } ?? nobody) })
  }

  private func operation(_ random: inout SplitMix64) -> String {
    random.pick(["==", "!=", "<", "<=", ">", ">="])
  }

  private func count(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let (operation, most) = (operation(&random), random.pick([0, 1, 3, 64, 100]))
    let links = ["dogs", "pack", "pets"]
    let name = random.pick(links + ["scores", "weights", "ratios", "limits"])
    return (
      "\(name).@count \(operation) \(most)",
      { owner in
        let count =
          links.contains(name)
          ? world.dogs(owner, name).count : owner.numbers[name, default: []].count
        return PackWorld.compares(Double(count), operation, Double(most))
      }
    )
  }

  private func subquery(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let (operation, most) = (operation(&random), random.pick([0, 1, 2, 40]))
    let name = random.pick(["dogs", "pack", "pets"])
    let (inner, age) = (self.operation(&random), Double(random.below(16)))
    return (
      "SUBQUERY(\(name), $d, $d.age \(inner) \(Int(age))).@count \(operation) \(most)",
      { owner in
        let count = world.dogs(owner, name)
          .filter { $0.map { PackWorld.compares($0.numbers["age"] ?? nil, inner, age) } ?? false }
          .count
        return PackWorld.compares(Double(count), operation, Double(most))
      }
    )
  }

  private func aggregate(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let function = random.pick(["sum", "min", "max", "avg"])
    let (operation, constant) = (operation(&random), Double(random.below(24)) / 2)
    let name = random.pick(["dogs", "pack", "pets", "scores", "weights", "ratios", "limits"])
    guard ["dogs", "pack", "pets"].contains(name) else {
      return (
        "\(name).@\(function) \(operation) \(constant)",
        {
          PackWorld.compares(
            PackWorld.aggregate(function, $0.numbers[name, default: []]), operation, constant)
        }
      )
    }
    let property = random.pick(["age", "weight", "ratio"])
    return (
      "\(name).@\(function).\(property) \(operation) \(constant)",
      { owner in
        let numbers = world.dogs(owner, name).map { $0?.numbers[property] ?? nil }
        return PackWorld.compares(PackWorld.aggregate(function, numbers), operation, constant)
      }
    )
  }

  private func elements(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let isAll = random.chance(0.5)
    let (operation, constant) = (operation(&random), random.below(16))
    let name = random.pick(["scores", "weights", "ratios", "limits"])
    return (
      "\(isAll ? "ALL" : "ANY") \(name) \(operation) \(constant)",
      { owner in
        owner.numbers[name, default: []]
          .contains { PackWorld.compares($0, operation, Double(constant)) != isAll } != isAll
      }
    )
  }

  private func linked(_ world: PackWorld, _ random: inout SplitMix64) -> Question {
    let isAll = random.chance(0.5)
    let (operation, constant) = (operation(&random), random.below(16))
    let name = random.pick(["dogs", "pack", "pets"])
    let property = random.pick(["age", "weight", "ratio"])
    return (
      "\(isAll ? "ALL" : "ANY") \(name).\(property) \(operation) \(constant)",
      { owner in
        world.dogs(owner, name)
          .contains {
            PackWorld.compares($0?.numbers[property] ?? nil, operation, Double(constant)) != isAll
          } != isAll
      }
    )
  }
}

/// Sort orders along links.
extension CollectionQueryTests {
  @Test(arguments: [73 as UInt64, 74])
  func orders(seed: UInt64) throws {
    try withWorld(seed: seed) { table, world, random in
      for number in 0..<Soak.rounds(8) {
        let property = random.pick(["age", "weight", "ratio"])
        let (isFriends, isAscending) = (random.chance(0.5), random.chance(0.5))
        let limit = random.pick([nil, 1, 25])
        let names = (isFriends ? ["friend"] : []) + ["dog", property]
        let path = PropertyPath(names.map { .property($0) })
        let query = TableQuery(
          table: "Owner", sort: [.property(path, ascending: isAscending)], limit: limit)
        let sortKeys = world.owners.map { owner in
          rank(isFriends ? owner.friend.map { world.owners[$0] } : owner, property, world)
        }
        let sorted = world.owners.indices.sorted { a, b in
          if sortKeys[a] != sortKeys[b] { return (sortKeys[a] < sortKeys[b]) == isAscending }
          return a < b
        }
        let expected = Array(sorted.prefix(limit ?? .max))
        let label = "seed \(seed), query \(number): \(path) \(isAscending) \(limit ?? 0)"
        let found = try execution(query, table, &random).keys()
        #expect(found == expected, "\(label)")
        let first = try execution(query, table, &random).first()
        #expect(first == expected.first, "\(label)")
      }
    }
  }

  /// The sort key of an owner: null comes before every number, a missing dog after all of them.
  private func rank(_ owner: Owner?, _ property: String, _ world: PackWorld) -> Double {
    guard let key = owner?.dog, world.dogs[key].isLive else { return .infinity }
    return (world.dogs[key].numbers[property] ?? nil) ?? -.infinity
  }
}

/// Summaries and groups of properties along links.
extension CollectionQueryTests {
  @Test(arguments: [75 as UInt64, 76])
  func groups(seed: UInt64) throws {
    try withWorld(seed: seed) { table, world, random in
      for round in 0..<Soak.rounds(6) {
        let (by, property) = (random.pick(["age", "weight"]), random.pick(["age", "ratio"]))
        let isFriends = random.chance(0.5)
        let way = isFriends ? "friend.dog" : "dog"
        let pairs = world.owners.map { owner -> (key: Double?, number: Double?) in
          let holder = isFriends ? owner.friend.map { world.owners[$0] } : owner
          let dog = holder?.dog.flatMap { world.dogs[$0].isLive ? world.dogs[$0] : nil }
          return (dog?.numbers[by] ?? nil, dog?.numbers[property] ?? nil)
        }
        let execution = try execution(TableQuery(table: "Owner"), table, &random)
        let label = "seed \(seed), query \(round): \(way).\(property) by \(way).\(by)"
        let whole = try execution.summary(of: "\(way).\(property)")
        check(whole, pairs.map(\.number), label)
        let groups = try execution.groups(
          by: ["\(way).\(by)"], summarising: ["\(way).\(property)"])
        let expected = Dictionary(grouping: pairs, by: \.key)
        let keys = expected.keys.sorted { ($0 ?? -.infinity) < ($1 ?? -.infinity) }
        #expect(groups.map { number(in: $0.values[0]) } == keys, "\(label)")
        for (group, key) in zip(groups, keys) {
          let rows = expected[key, default: []]
          #expect(group.count == rows.count, "\(label) of \(key ?? .nan)")
          check(group.summaries[0], rows.map(\.number), "\(label) of \(key ?? .nan)")
        }
      }
    }
  }

  @Test func invalidPathsAreRejected() throws {
    try withWorld(seed: 77) { table, _, _ in
      let execution = try Execution(TableQuery(table: "Owner"), on: table)
      for name in ["dogs.age", "pets.age", "friend.scores", "friend.dog", "dog.x", "x.age"] {
        #expect(throws: QueryError.self, "\(name)") { try execution.groups(by: [name]) }
      }
      for name in ["dogs.age", "friend.scores", "dog.x"] {
        #expect(throws: QueryError.self, "\(name)") { try execution.summary(of: name) }
      }
    }
  }

  private func check(_ summary: Summary, _ numbers: [Double?], _ label: String) {
    let present = numbers.compactMap(\.self)
    #expect(summary.count == present.count, "\(label)")
    #expect(number(in: summary.sum) == present.reduce(0, +), "\(label)")
    #expect(number(in: summary.minimum) == present.min(), "\(label)")
    #expect(number(in: summary.maximum) == present.max(), "\(label)")
  }

  private func number(in value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
