import CairnValues
import Testing

@testable import CairnObjects
@testable import CairnStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

class Burrow: Object {
  @Persisted var name = ""
  @Persisted var rooms: List<Chamber>
  @Persisted var marks: MutableSet<Int>
  @Persisted var store: Map<String, Int>
}

class Chamber: Object {
  @Persisted var size = 0
  @Persisted(originProperty: "rooms") var burrows: LinkingObjects<Burrow>
}

/// A weak reference to the snapshot of a realm.
private struct WeakState {
  private weak var transaction: LMDBTransaction?

  init(_ realm: Realm) { transaction = realm.session.snapshot.transaction }

  var isThere: Bool { transaction != nil }
}

/// Idle realms, objects and results do not retain an old snapshot.
@Suite struct IdleRealmTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "idle \(ObjectId.generate())")

  private func filled() throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let burrow = Burrow(value: ["name": "first", "marks": [1, 2], "store": ["nuts": 3]])
      realm.add(burrow)
      for size in 0..<10 { burrow.rooms.append(Chamber(value: ["size": size])) }
    }
    return realm
  }

  @Test func idleObjectsDoNotRetainAnOldSnapshot() throws {
    let realm = try filled()
    let burrow = try #require(realm.objects(Burrow.self).first)
    let rooms = realm.objects(Chamber.self).where { $0.size > 3 }
    let sorted = rooms.sorted(byKeyPath: "size", ascending: false)
    let sections = realm.objects(Chamber.self).sectioned(by: \.size)
    let numbers = burrow.marks.sorted()
    let held = (burrow.rooms, burrow.marks, burrow.store, burrow.rooms[0].burrows)
    #expect(rooms.count == 6 && sorted[2].size == 7 && sections.count == 10 && numbers[1] == 2)
    #expect(
      held.0[3].size == 3 && held.1.count == 2 && held.2["nuts"] == 3 && held.3.count == 1)
    let before = WeakState(realm)
    #expect(before.isThere)
    let other = try Session(
      configuration.openStore(), configuration: configuration, owner: SessionOwner(caller: nil))
    try other.beginWrite()
    let writer = other.writer(of: try other.handle(for: ObjectLayout.of(Chamber.self)))
    try writer.set(.int(50), position: 0, at: 0)
    try other.commitWrite()
    #expect(realm.refresh())
    #expect(!before.isThere)
    #expect(rooms.count == 7 && sorted[0].size == 50 && held.0[0].size == 50)
    #expect(sections.count == 10 && held.3.count == 1 && numbers.count == 2)
  }

  @Test func anInvalidatedRealmDoesNotRetainASnapshot() throws {
    let realm = try filled()
    let rooms = realm.objects(Chamber.self).where { $0.size > 3 }
    let list = try #require(realm.objects(Burrow.self).first).rooms
    #expect(rooms.count == 6 && list.count == 10)
    let before = WeakState(realm)
    realm.invalidate()
    #expect(!before.isThere && rooms.isEmpty && list.isInvalidated)
  }

  @Test func aSessionIsReleasedWithItsObjects() throws {
    weak var session: Session?
    do {
      let realm = try filled()
      session = realm.session
      let rooms = realm.objects(Chamber.self).where { $0.size > 3 }
      let list = try #require(realm.objects(Burrow.self).first).rooms
      #expect(rooms.count == 6 && list[2].size == 2 && session != nil)
    }
    #expect(session == nil)
  }
}
