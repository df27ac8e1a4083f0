import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Objects, collections and results show the current state of their realm.
@Suite(.tags(.threads)) struct LiveObjectTests {
  let onQueue = QueueRealm()

  @Test func immediatelyInTheSameRealm() throws {
    try onQueue { realm in
      let otter = Otter(value: ["id": 1, "name": "Ole"])
      let otters = realm.objects(Otter.self)
      let named = otters.where { $0.name == "Olaf" }
      let sections = otters.sectioned(by: \.name)
      #expect(otters.isEmpty && sections.isEmpty)
      try realm.write {
        realm.add(otter)
        #expect(otters.count == 1 && named.isEmpty)
        otter.name = "Olaf"
        #expect(named.first == otter && sections.allKeys == ["Olaf"])
        realm.object(ofType: Otter.self, forPrimaryKey: 1)?.toys.append(OtterToy())
        #expect(otter.toys.count == 1)
      }
      let same = try #require(otters.first)
      #expect(same !== otter && same.isSameObject(as: otter) && same == otter)
      let toy = otter.toys[0]
      #expect(toy != otter.toys[0] && toy.isSameObject(as: otter.toys[0]))
      try realm.write { realm.delete(otters) }
      #expect(otter.isInvalidated && same.isInvalidated && !toy.isInvalidated)
      #expect(otters.isEmpty && named.isEmpty && sections.isEmpty && !otters.isInvalidated)
    }
  }

  @Test func changesOfAnotherThreadAfterRefreshing() throws {
    try onQueue { realm in
      let otter = Otter(value: ["id": 1, "name": "Ole", "toys": [["name": "ball"]]])
      try realm.write { realm.add(otter) }
      let otters = realm.objects(Otter.self).where { $0.name.starts(with: "O") }
      let toys = otter.toys
      #expect(otters.count == 1 && toys.count == 1)
      let configuration = onQueue.configuration
      let thread = Thread {
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write {
            let there = realm.objects(Otter.self)[0]
            there.name = "Olga"
            there.toys.removeAll()
            realm.add(Otter(value: ["id": 2, "name": "Otto"]))
          }
        } catch { Issue.record(error) }
      }
      thread.start()
      try eventually("the thread has ended") { thread.isFinished }
      #expect(otter.name == "Ole" && otters.count == 1 && toys.count == 1)
      #expect(realm.refresh())
      #expect(otter.name == "Olga" && otters.count == 2 && toys.isEmpty)
      #expect(!realm.refresh())
    }
  }

  @Test func changesOfAnotherRealmWhenAWriteBegins() throws {
    // The task of the test has its own realm.
    let other = try Realm(configuration: onQueue.configuration)
    try onQueue { realm in
      let otters = realm.objects(Otter.self)
      #expect(otters.isEmpty)
      try other.write { other.add(Otter(value: ["id": 1])) }
      #expect(otters.isEmpty)
      try realm.write {
        #expect(otters.count == 1)
        realm.delete(otters)
      }
      let gone = other.objects(Otter.self)[0]
      #expect(!gone.isInvalidated)
      other.refresh()
      #expect(gone.isInvalidated)
    }
  }
}

/// Observers that a write skips, and invalidated realms.
@Suite struct SkippedObserverTests {
  let onQueue = QueueRealm()

  @Test func aWriteSkipsARealmObserver() throws {
    try onQueue { realm in
      var (skipped, notified) = (0, 0)
      let tokens = [
        realm.observe { _, _ in skipped += 1 }, realm.observe { _, _ in notified += 1 },
      ]
      try realm.write(withoutNotifying: [tokens[0]]) { realm.add(Otter(value: ["id": 1])) }
      #expect(skipped == 0 && notified == 1)
      realm.refresh()
      #expect(skipped == 0 && notified == 1)
      try realm.write { realm.add(Otter(value: ["id": 2])) }
      #expect(skipped == 1 && notified == 2)
      realm.beginWrite()
      realm.add(Otter(value: ["id": 3]))
      try realm.commitWrite(withoutNotifying: tokens)
      #expect(skipped == 1 && notified == 2)
    }
  }

  @Test func resultsOfAnInvalidatedRealm() throws {
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
