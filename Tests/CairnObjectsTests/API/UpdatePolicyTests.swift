import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct UpdatePolicyTests {
  @Test func createdFromADictionary() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let shelf = try realm.write {
      realm.create(Shelf.self, value: ["id": 1, "owner": ["name": "Ann"]] as [String: Any])
    }
    #expect(shelf.name == "shelf")
    #expect(shelf.owner?.name == "Ann")
    #expect(realm.objects(Shelf.self).count == 1)
    #expect(realm.objects(Reader.self).count == 1)
    #expect(shelf.isSameObject(as: realm.object(ofType: Shelf.self, forPrimaryKey: 1)))
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func anUpdateWritesOnlyTheGivenProperties(_ policy: Realm.UpdatePolicy) throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let ann = ObjectId.generate()
    try realm.write {
      realm.create(
        Shelf.self,
        value: [
          "id": 1, "name": "tall", "height": 2.5,
          "owner": ["id": ann, "name": "Ann"] as [String: Any],
        ]
          as [String: Any])
      realm.create(Shelf.self, value: ["id": 1, "name": "high"] as [String: Any], update: policy)
    }
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1))
    #expect(realm.objects(Shelf.self).count == 1)
    #expect(shelf.name == "high")
    #expect(shelf.height == 2.5)
    try realm.write {
      realm.create(
        Shelf.self,
        value: [
          "id": 1, "height": NSNull(),
          "owner": ["id": ann, "friend": ["name": "Bob"]] as [String: Any],
        ]
          as [String: Any],
        update: policy)
    }
    #expect(shelf.height == nil)
    #expect(shelf.owner?.name == "Ann")
    #expect(shelf.owner?.friend?.name == "Bob")
    #expect(realm.objects(Reader.self).count == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func addingAnObjectWritesAllOfIt(_ policy: Realm.UpdatePolicy) throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let first = Shelf(value: ["id": 1, "height": 2.5] as [String: Any])
    let second = Shelf(value: ["id": 1, "name": "new"] as [String: Any])
    try realm.write {
      realm.add(first)
      realm.add(second, update: policy)
      realm.add(second)
    }
    #expect(realm.objects(Shelf.self).count == 1)
    #expect(first.name == "new")
    #expect(first.height == nil)
    #expect(first.isSameObject(as: second))
    #expect(first == second)
    #expect(Set([first, second]).count == 1)
  }

  @Test func theSameNewKeyTwiceInOneValue() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let id = ObjectId.generate()
    try realm.write {
      realm.create(
        Reader.self,
        value: [
          "name": "Ann",
          "friend": [
            "id": id, "name": "Bob",
            "friend": ["id": id, "favourite": ["title": "Ways"]] as [String: Any],
          ]
            as [String: Any],
        ] as [String: Any], update: .modified)
    }
    #expect(realm.objects(Reader.self).count == 2)
    let bob = try #require(realm.object(ofType: Reader.self, forPrimaryKey: id))
    #expect(bob.name == "Bob")
    #expect(bob.favourite?.title == "Ways")
    #expect(bob.isSameObject(as: bob.friend))
  }

  @Test func fromAnotherRealm() throws {
    let (here, there) = (TemporaryStore(), TemporaryStore())
    let (realm, other) = (try here.realm(), try there.realm())
    let ann = Reader(value: ["name": "Ann", "friend": ["name": "Bob"]] as [String: Any])
    ann.friend?.friend = ann
    try realm.write { realm.add(ann) }
    let copy = try other.write { other.create(Reader.self, value: ann) }
    #expect(copy.name == "Ann")
    #expect(copy.friend?.name == "Bob")
    #expect(copy.friend?.friend?.isSameObject(as: copy) == true)
    #expect(!copy.isSameObject(as: ann))
    #expect(other.objects(Reader.self).count == 2)
    #expect(realm.objects(Reader.self).count == 2)
  }

  @Test func anInvalidValueCreatesNothing() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write {
      realm.create(Shelf.self, value: ["id": 1, "name": "tall"] as [String: Any])
      let error = try #require(throws: Realm.Error.self) {
        try realm.create(
          Shelf.self,
          validating: ["id": 1, "name": "high", "owner": ["friend": ["name": 5]]] as [String: Any],
          update: .modified)
      }
      #expect(
        error.description
          == "Invalid value '5' of type 'Int' for 'string' property 'Reader.name'. "
          + "Expected a string that the property can hold.")
    }
    #expect(realm.objects(Shelf.self).map(\.name) == ["tall"])
    #expect(realm.objects(Reader.self).isEmpty)
  }

  @Test func aRepeatedKeyWithoutAPolicyIsAnError() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let id = ObjectId.generate()
    try realm.write {
      let error = try #require(throws: Realm.Error.self) {
        try realm.create(
          Reader.self,
          validating: ["id": id, "friend": ["id": id]] as [String: Any], tolerating: .all)
      }
      #expect(error.description.contains("with an existing primary key value '\(id)'."))
    }
    #expect(realm.isEmpty)
  }

  @Test func theSameKeyTwice() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write {
      realm.create(Shelf.self, value: ["id": 1])
      let error = try #require(throws: Realm.Error.self) {
        try realm.create(Shelf.self, validating: ["id": 1])
      }
      #expect(
        error.description
          == "Attempting to create an object of type 'Shelf' with an existing primary key value '1'."
      )
    }
    #expect(realm.objects(Shelf.self).count == 1)
  }

  @Test func programmingErrors() {
    let twice = Misuse.trap("add: the same key twice")
    #expect(
      twice.contains(
        "Attempting to create an object of type 'Train' with an existing primary key value '0'."))
    let noKey = Misuse.trap("add: an update without a primary key")
    #expect(noKey.contains("'Station' does not have a primary key and can not be updated"))
    let changed = Misuse.trap("changing a primary key")
    #expect(changed.contains("Primary key can't be changed after an object is inserted."))
    let outside = Misuse.trap("add: outside of a transaction")
    #expect(outside.contains("outside of a write transaction"))
    let foreign = Misuse.trap("add: an object of another realm")
    #expect(foreign.contains("Object is already managed by another Realm."))
  }
}
