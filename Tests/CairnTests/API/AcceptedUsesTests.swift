import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// A class with collections of objects and of values.
class Kennel: Object {
  @Persisted var name = ""
  @Persisted var dogs: List<Barker>
  @Persisted var byName: Map<String, Barker?>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
}

class Barker: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var mate: Barker?
}

/// Uses that Realm accepts and that are easy to forget.
@MainActor @Suite struct AcceptedUsesTests {
  private let temporary: TemporaryRealm
  private var kennel: Kennel { temporary.realm.objects(Kennel.self)[0] }

  init() throws {
    temporary = try TemporaryRealm(
      Kennel(value: [
        "name": "North", "numbers": [5, 1, 9], "words": ["b", "a"],
        "dogs": [["name": "Ares", "age": 3], ["name": "Bella", "age": 8]],
      ]))
  }

  @Test func totalsOfUnmanagedMaps() {
    let kennel = Kennel()
    kennel.byName["c"] = Barker(value: ["name": "Cora", "age": 4, "weight": 20.5])
    kennel.byName["d"] = Barker(value: ["name": "Duke", "age": 10])
    kennel.byName["e"] = nil as Barker?
    #expect(kennel.byName.min(of: \Barker.age) == 4)
    #expect(kennel.byName.max(of: \Barker.age) == 10)
    #expect(kennel.byName.sum(of: \Barker.age) == 14)
    #expect(kennel.byName.average(of: \Barker.age) == 7.0)
    #expect(kennel.byName.min(of: \Barker.weight) == 20.5)
    #expect(kennel.byName.sum(of: \Barker.weight) == 20.5)
    #expect(kennel.byName.max(ofProperty: "age") == 10)
    #expect(kennel.byName.sum(ofProperty: "age") == 14)
    let mean: Double? = kennel.byName.average(ofProperty: "age")
    #expect(mean == 7)
    #expect(Kennel().byName.min(of: \Barker.age) == nil)
  }

  @Test func positionsByPredicate() {
    let unmanaged = Kennel(value: kennel)
    for kennel in [kennel, unmanaged] {
      #expect(kennel.dogs.index(matching: NSPredicate(format: "age > 5")) == 1)
      #expect(kennel.dogs.index(matching: NSPredicate(format: "age > 50")) == nil)
      #expect(kennel.dogs.index(matching: "name == %@", "Bella") == 1)
    }
  }

  @Test func observedPathsThroughAnElement() throws {
    let kennel = kennel
    var changes = 0
    let token = kennel.observe(keyPaths: [\Kennel.dogs[0].age]) { change in
      if case .change = change { changes += 1 }
    }
    let realm = temporary.realm
    try realm.write { kennel.dogs[1].age = 9 }
    realm.refresh()
    #expect(changes == 1)
    try realm.write { kennel.dogs[1].name = "Bea" }
    realm.refresh()
    #expect(changes == 1)
    token.invalidate()
  }

  @Test func collectionsOfADeletedObject() throws {
    let kennel = kennel
    let held = kennel.dogs
    try temporary.realm.write { temporary.realm.delete(kennel) }
    #expect(kennel.isInvalidated && held.isInvalidated)
    #expect(kennel.dogs.isInvalidated && kennel.words.isInvalidated)
    #expect(kennel.byName.isInvalidated && kennel.numbers.isInvalidated)
  }
}
