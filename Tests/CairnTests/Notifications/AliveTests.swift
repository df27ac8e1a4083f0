import Cairn
import Foundation
import Testing

/// Objects, collections and results show the newest state of their realm.
@Suite struct AliveTests {
  let onQueue = QueueRealm()

  @Test func inTheSameRealmAtOnce() throws {
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

  @Test func ofAnotherThreadAfterRefreshing() throws {
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
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      #expect(otter.name == "Ole" && otters.count == 1 && toys.count == 1)
      #expect(realm.refresh())
      #expect(otter.name == "Olga" && otters.count == 2 && toys.isEmpty)
      #expect(!realm.refresh())
    }
  }

  @Test func ofAnotherRealmOnceAWriteBegins() throws {
    // The test's task has a realm of its own.
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
