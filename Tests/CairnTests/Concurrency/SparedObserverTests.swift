import Cairn
import Testing

/// Observers that a write spares, and realms that were let go of.
@Suite struct SparedObserverTests {
  let onQueue = QueueRealm()

  @Test func aRealmsObserver() throws {
    try onQueue { realm in
      var (spared, told) = (0, 0)
      let tokens = [realm.observe { _, _ in spared += 1 }, realm.observe { _, _ in told += 1 }]
      try realm.write(withoutNotifying: [tokens[0]]) { realm.add(Otter(value: ["id": 1])) }
      #expect(spared == 0 && told == 1)
      realm.refresh()
      #expect(spared == 0 && told == 1)
      try realm.write { realm.add(Otter(value: ["id": 2])) }
      #expect(spared == 1 && told == 2)
      realm.beginWrite()
      realm.add(Otter(value: ["id": 3]))
      try realm.commitWrite(withoutNotifying: tokens)
      #expect(spared == 1 && told == 2)
    }
  }

  @Test func resultsOfARealmThatWasInvalidated() throws {
    try onQueue { realm in
      try realm.write { realm.add(Otter(value: ["id": 1, "name": "Ole"])) }
      let otters = realm.objects(Otter.self)
      let chained = otters.where { $0.name == "Ole" }.sorted(byKeyPath: "id")
      #expect(!otters.isInvalidated && !chained.isInvalidated)
      realm.invalidate()
      #expect(otters.isInvalidated && chained.isInvalidated)
      #expect(otters.isEmpty && chained.isEmpty)
      let fresh = realm.objects(Otter.self)
      #expect(!fresh.isInvalidated && fresh.count == 1 && otters.isInvalidated)
      try realm.write { realm.delete(fresh) }
      #expect(!fresh.isInvalidated && fresh.isEmpty)
    }
  }
}
