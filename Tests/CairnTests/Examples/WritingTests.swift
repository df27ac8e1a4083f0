import Cairn
import CairnModelTestSupport
import Foundation
import Testing

class Chore: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
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
