import Cairn
import CairnModelTestSupport
import Foundation
import Testing

class Chore: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
}

class Kitten: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "kittens") var litters: LinkingObjects<Litter>
  @Persisted var weight = 0
  @Persisted(primaryKey: true) var number = 0
}

class Litter: Object {
  @Persisted var kittens: List<Kitten>
}

/// An actor with its own realm.
actor ChoreActor {
  let realm: Realm
  private let temporary: TemporaryRealm

  init() async throws {
    temporary = try TemporaryRealm()
    realm = temporary.realm
    let chore = Chore()
    chore.name = "Walk the dog"
    try realm.write { realm.add(chore) }
  }
}

/// The writes that the reference pages on reading use.
@Suite struct WritingTests {
  let temporary: TemporaryRealm
  var realm: Realm { temporary.realm }

  init() throws { temporary = try TemporaryRealm() }

  @Test func valuesByName() throws {
    let hound = Hound(value: ["name": "Bruno", "age": 13])
    #expect(hound.name == "Bruno" && hound.age == 13)
    let keeper = Keeper(value: [
      "number": 4, "name": "Ida", "home": ["street": "Wall", "town": "Ulm"],
      "hounds": [["name": "Asta", "age": 2], hound],
    ])
    try realm.write { realm.add(keeper) }
    #expect(keeper.home?.town == "Ulm")
    #expect(keeper.hounds.map(\.age) == [2, 13])
    #expect(realm.objects(Hound.self).where { $0.name == "Bruno" }.count == 1)
  }

  @Test func valuesInOrder() throws {
    let toy = Plaything(value: [ObjectId("11223344556677889900aabb"), "Rope"] as [Any])
    #expect(toy.name == "Rope")
    #expect(toy.id == ObjectId("11223344556677889900aabb"))
  }

  /// Inverse properties have no value, so they have no place in an array.
  @Test func valuesInOrderAroundAnInverseProperty() throws {
    let kitten = Kitten(value: ["Mia", 90, 7] as [Any])
    #expect(kitten.name == "Mia" && kitten.weight == 90 && kitten.number == 7)
    try realm.write {
      realm.create(Kitten.self, value: ["Mia", 90, 7] as [Any])
      realm.create(Kitten.self, value: ["Mia", 95, 7] as [Any], update: .modified)
      #expect(throws: Realm.Error.self) {
        try realm.create(Kitten.self, validating: ["Leo", 1, 8, 2] as [Any])
      }
    }
    #expect(realm.objects(Kitten.self).map(\.weight) == [95])
  }

  /// An unmanaged object in the values of a new one is copied, once; assigned to a property it is added.
  @Test func unmanagedObjectsInValues() throws {
    let (asta, home) = (Hound(value: ["name": "Asta"]), Home(value: ["town": "Ulm"]))
    try realm.write {
      let keeper = realm.create(
        Keeper.self, value: ["number": 1, "hounds": [asta, asta], "home": home] as [String: Any])
      #expect(keeper.hounds.map(\.name) == ["Asta", "Asta"])
      #expect(keeper.hounds[0].isSameObject(as: keeper.hounds[1]))
      #expect(keeper.home?.town == "Ulm")
      #expect(asta.realm == nil && home.realm == nil)
      keeper.setValue([asta], forKey: "hounds")
      #expect(asta.realm != nil && keeper.hounds.count == 1)
    }
    #expect(realm.objects(Hound.self).count == 2)
  }

  @Test func aDeletedObjectIsNotAddedAgain() throws {
    let hound = Hound(value: ["name": "Asta"])
    try realm.write {
      realm.add(hound)
      realm.delete(hound)
      let error = #expect(throws: Realm.Error.self) { try realm.add(validating: hound) }
      #expect(
        error?.localizedDescription.contains("Adding a deleted or invalidated object") == true)
    }
    #expect(realm.isEmpty)
    let keeper = Keeper(value: ["number": 1, "hounds": [hound]] as [String: Any])
    try realm.write {
      #expect(throws: Realm.Error.self) { try realm.add(validating: keeper) }
    }
    #expect(realm.isEmpty)
  }

  @Test func valuesOfJSON() throws {
    let text = """
      {"number": 12, "name": "Ida", "unknown": 1, "home": {"town": "Ulm", "country": null},
       "hounds": [{"name": "Asta", "age": 3}, {"name": "Bruno", "age": 4}]}
      """
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [])
    try realm.write {
      realm.create(Keeper.self, value: json, update: .modified)
    }
    let keeper = try #require(realm.object(ofType: Keeper.self, forPrimaryKey: 12))
    #expect(keeper.home?.town == "Ulm")
    #expect(keeper.home?.country == nil)
    #expect(keeper.hounds.map(\.name) == ["Asta", "Bruno"])
  }

  @Test func manyAtOnce() throws {
    let keeper = Keeper()
    try realm.write {
      realm.add(keeper)
      keeper.hounds.append(objectsIn: [
        Hound(value: ["name": "Ben", "age": 13]), Hound(value: ["name": "Lita", "age": 9]),
        Hound(value: ["name": "Maui", "age": 1]),
      ])
    }
    #expect(keeper.hounds.count == 3)
    let hounds = realm.objects(Hound.self)
    #expect(hounds.where { $0.name == "Ben" }.count == 1)
    try realm.write {
      hounds.first?.setValue("Sparky", forKey: "name")
      hounds.setValue("Toronto", forKey: "town")
    }
    #expect(hounds.first?.name == "Sparky")
    #expect(hounds.allSatisfy { $0.town == "Toronto" })
  }

  @Test func upserts() throws {
    try realm.write {
      realm.add(Keeper(value: ["number": 1, "name": "Ida"]))
      realm.add(Keeper(value: ["number": 1, "name": "Ada"]), update: .modified)
      realm.create(Keeper.self, value: ["number": 1, "home": ["town": "Ulm"]], update: .modified)
    }
    let keepers = realm.objects(Keeper.self)
    #expect(keepers.count == 1)
    #expect(keepers.first?.name == "Ada")
    #expect(keepers.first?.home?.town == "Ulm")
    try realm.write { realm.delete(keepers) }
    #expect(keepers.isEmpty)
  }

  @Test func actors() async throws {
    let actor = try await ChoreActor()
    func id(in actor: isolated ChoreActor, forChoreNamed name: String) async -> ObjectId? {
      let chore = actor.realm.objects(Chore.self).where {
        $0.name == name
      }.first
      return chore?._id
    }
    #expect(await id(in: actor, forChoreNamed: "Walk the dog") != nil)
    #expect(await id(in: actor, forChoreNamed: "Sleep") == nil)
  }
}
