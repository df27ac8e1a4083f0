import CairnModelTestSupport
import Foundation
import RealmSwift
import Testing

/// Maps, and generic code over `RealmKeyedCollection`.
@Suite struct KeyedCollectionTests {
  let realm: Realm
  let ship: Ship

  init() throws {
    let ship = Ship("Ark")
    let sailors = [
      Sailor(1, "Ann", .captain, watch: 60), Sailor(2, "Bo", .mate, watch: 30),
      Sailor(3, "Cy", .admiral, watch: 90),
    ]
    for (duty, sailor) in zip(["helm", "deck", "galley"], sailors) { ship.byDuty[duty] = sailor }
    ship.byDuty["vacant"] = .some(nil)
    for (key, score) in [("a", 3), ("b", 1), ("c", 2)] { ship.scores[key] = score }
    ship.maybeScores["a"] = 4
    ship.maybeScores["b"] = .some(nil)
    ship.maybeScores["c"] = 8
    ship.ranksByDuty["helm"] = .captain
    ship.ranksByDuty["deck"] = .mate
    ship.sparesByDuty["helm"] = .some(nil)
    ship.sparesByDuty["deck"] = .admiral
    ship.watchesByDuty["helm"] = Watch(45)
    ship.watchesByDuty["deck"] = Watch(15)
    realm = try TestRealm(ship).realm
    self.ship = ship
  }

  private func names(_ sailors: Results<Sailor?>) -> [String] { sailors.compactMap { $0?.name } }

  @Test func conditions() throws {
    #expect(names(ship.byDuty.where { $0.number > 1 }).sorted() == ["Bo", "Cy"])
    #expect(names(ship.byDuty.where { $0.rank == .captain }) == ["Ann"])
    #expect(names(ship.byDuty.filter("name BEGINSWITH 'C'")) == ["Cy"])
    #expect(names(ship.byDuty.filter(NSPredicate(format: "number < %@", 2))) == ["Ann"])
    let second = try ship.byDuty.filter(Predicate("number == 2"))
    #expect(names(second) == ["Bo"])
  }

  @Test func order() {
    #expect(names(ship.byDuty.sorted(by: \Sailor.name)) == ["Ann", "Bo", "Cy"])
    #expect(names(ship.byDuty.sorted(by: \Sailor.rank, ascending: false)) == ["Cy", "Ann", "Bo"])
    #expect(
      names(ship.byDuty.sorted(byKeyPath: "number", ascending: false)) == ["Cy", "Bo", "Ann"])
    #expect(Array(ship.scores.sorted()) == [1, 2, 3])
    #expect(Array(ship.scores.sorted(ascending: false)) == [3, 2, 1])
    #expect(Array(ship.maybeScores.sorted()) == [nil, 4, 8])
    #expect(Array(ship.ranksByDuty.sorted()) == [.mate, .captain])
    #expect(Array(ship.sparesByDuty.sorted()) == [nil, .admiral])
  }

  @Test func totalsOfProperties() throws {
    #expect(ship.byDuty.min(of: \Sailor.number) == 1)
    #expect(ship.byDuty.max(of: \Sailor.number) == 3)
    #expect(ship.byDuty.sum(of: \Sailor.number) == 6)
    let mean: Double? = ship.byDuty.average(of: \Sailor.number)
    #expect(mean == 2)
    #expect(ship.byDuty.max(of: \Sailor.rank) == .admiral)
    #expect(ship.byDuty.min(of: \Sailor.watch) == Watch(30))
    #expect(ship.byDuty.max(of: \Sailor.spare) == nil)
    #expect(ship.byDuty.max(ofProperty: "number") == 3)
    try realm.write { ship.byDuty.removeAll() }
    #expect(ship.byDuty.min(of: \Sailor.number) == nil)
    #expect(ship.byDuty.sum(of: \Sailor.number) == 0)
  }

  @Test(arguments: [true, false]) func totalsOfValues(isStored: Bool) {
    let ship = isStored ? ship : Ship(value: ship)
    #expect(ship.scores.min() == 1)
    #expect(ship.scores.max() == 3)
    #expect(ship.scores.sum() == 6)
    let mean: Double? = ship.scores.average()
    #expect(mean == 2)
    #expect(ship.maybeScores.min() == 4)
    #expect(ship.maybeScores.max() == 8)
    #expect(ship.maybeScores.sum() == 12)
    let maybeMean: Double? = ship.maybeScores.average()
    #expect(maybeMean == 6)
    #expect(ship.ranksByDuty.max() == .captain)
    #expect(ship.sparesByDuty.min() == .admiral)
    #expect(ship.watchesByDuty.sum() == Watch(60))
    let watchMean: Double? = ship.watchesByDuty.average()
    #expect(watchMean == 30)
  }

  @Test func valuesByPath() throws {
    #expect(ship.byDuty.value(forKeyPath: "helm.name") as? String == "Ann")
    #expect(ship.byDuty.value(forKeyPath: "vacant.name") == nil)
    #expect(ship.byDuty.value(forKeyPath: "nobody.name") == nil)
    #expect(ship.scores.value(forKeyPath: "a") as? Int == 3)
    #expect(ship.scores.value(forKeyPath: "@count") as? Int == 3)
    #expect(ship.scores.value(forKeyPath: "@sum.self") as? Int == 6)
    #expect(ship.byDuty.value(forKeyPath: "@max.number") as? Int == 3)
    #expect(ship.value(forKeyPath: "byDuty.helm.name") as? String == "Ann")
    try realm.write { ship.setValue("Eve", forKeyPath: "byDuty.helm.name") }
    #expect(ship.byDuty["helm"]??.name == "Eve")
    let loose = Map<String, Int>()
    loose["x"] = 7
    #expect(loose.value(forKeyPath: "@max.self") as? Int == 7)
  }

  /// Every requirement of the protocol, called through the protocol alone.
  private func exercise<C: RealmKeyedCollection>(_ map: C, _ value: C.Value) -> [String]
  where C.Key == String {
    var map = map
    map.updateValue(value, forKey: "new")
    map["other"] = value
    var seen = ["\(map.count)", map.keys.joined(separator: " "), "\(map.values.count)"]
    seen.append("\(map.contains { key, _ in key == "new" })")
    map.setValue(nil, forKey: "other")
    seen.append("\(map.value(forKey: "other") == nil) \(map.value(forKeyPath: "new") != nil)")
    map.removeObject(for: "new")
    seen.append("\(map.count) \(map.isInvalidated) \(map.isFrozen) \(map.realm != nil)")
    seen.append("\(map.description.isEmpty)")
    map.removeAll()
    return seen + ["\(map.count)"]
  }

  @Test func genericCode() throws {
    var seen: [String] = []
    try realm.write { seen = exercise(ship.scores, 9) }
    #expect(
      seen == [
        "5", "a b c new other", "5", "true", "true true", "3 false false true", "false", "0",
      ])
    let loose = Map<String, Int>()
    #expect(
      exercise(loose, 9) == [
        "2", "new other", "2", "true", "true true", "0 false false false", "false", "0",
      ])
  }

  @Test func observing() throws {
    func observe<C: RealmKeyedCollection>(
      _ map: C, _ note: @escaping ([C.Key]) -> Void
    ) -> NotificationToken {
      map.observe(keyPaths: nil, on: nil) { change in
        if case .update(_, _, let insertions, _) = change { note(insertions) }
      }
    }
    let store = TemporaryStore()
    defer { withExtendedLifetime(store) {} }
    let queue = DispatchQueue(label: "keyed")
    try queue.sync {
      let realm = try Realm(configuration: .init(fileURL: store.url), queue: queue)
      let ship = Ship("Cog")
      try realm.write { realm.add(ship) }
      var inserted: [String] = []
      let token = observe(ship.scores) { inserted += $0 }
      realm.refresh()
      try realm.write { ship.scores["z"] = 1 }
      realm.refresh()
      token.invalidate()
      #expect(inserted == ["z"])
    }
  }
}
