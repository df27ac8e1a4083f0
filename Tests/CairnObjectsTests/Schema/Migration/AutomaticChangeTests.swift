import CairnModelTestSupport
import CairnTestSupport
import Dispatch
import Testing

@testable import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Schema changes that do not need a new schema version, and their effect on open realms.
@Suite struct AutomaticChangeTests {
  let file = TemporaryStore()

  enum Plain {
    class Dog: Object {
      @Persisted var name = ""
      @Persisted(indexed: true) var age = 0
      @Persisted var owner: Owner?
    }
    class Owner: Object { @Persisted var name = "" }
    static let types: [ObjectBase.Type] = [Dog.self, Owner.self]
  }

  enum Indexed {
    class Dog: Object {
      @Persisted(indexed: true) var name = ""
      @Persisted var age = 0
      @Persisted var owner: Owner?
    }
    class Owner: Object {
      @Persisted var name = ""
      @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
    }
    static let types: [ObjectBase.Type] = [Dog.self, Owner.self]
  }

  private func fill() throws {
    let realm = try file.realm(0, Plain.types)
    try realm.write {
      let owner = realm.create(Plain.Owner.self, value: ["name": "Eva"])
      for age in 0..<50 {
        realm.create(Plain.Dog.self, value: ["name": "d\(age % 5)", "age": age, "owner": owner])
      }
    }
  }

  @Test func indexesAndInversePropertiesAreAddedAndRemoved() throws {
    try fill()
    let realm = try file.realm(0, Indexed.types)
    let dog = try #require(realm.schema["Dog"])
    #expect(dog["name"]?.isIndexed == true && dog["age"]?.isIndexed == false)
    #expect(dog["owner"]?.isIndexed == true)
    #expect(realm.objects(Indexed.Dog.self).where { $0.name == "d3" }.count == 10)
    #expect(realm.objects(Indexed.Owner.self).first?.dogs.count == 50)
    #expect(realm.objects(Indexed.Owner.self).where { $0.dogs.age > 48 }.count == 1)
    // The class has not changed, so nothing is written.
    let before = try file.bytes()
    _ = try file.realm(0, Indexed.types)
    #expect(try file.bytes() == before)
  }

  @Test func aClassUsedLaterGetsItsIndexesAtTheNextWrite() throws {
    try fill()
    let realm = try file.realm()
    #expect(realm.objects(Indexed.Dog.self).count == 50)
    try realm.write { realm.create(Indexed.Dog.self, value: ["name": "d3"]) }
    #expect(realm.schema["Dog"]?["name"]?.isIndexed == true)
    #expect(realm.objects(Indexed.Dog.self).where { $0.name == "d3" }.count == 11)
  }

  enum Renumbered {
    class Dog: Object {
      @Persisted var weight: Double?
      @Persisted var age = 7
    }
  }

  @Test func aClassUsedLaterIsUpdated() throws {
    try fill()
    // Another class raises the schema version.
    _ = try file.realm(4, [Renumbered.Dog.self, Shelf.self, Reader.self, Book.self])
    let other = TemporaryStore()
    do {
      let realm = try other.realm(0, Plain.types)
      try realm.write { realm.create(Plain.Dog.self, value: ["name": "x", "age": 3]) }
    }
    _ = try other.realm(4, [Book.self])
    let realm = try other.realm(4, nil)
    #expect(realm.objects(Renumbered.Dog.self).map(\.age) == [3])
    #expect(realm.objects(Renumbered.Dog.self).first?.weight == nil)
    #expect(realm.schema["Dog"]?["name"] == nil)
    let again = try other.realm(4, nil)
    try again.write { again.create(Renumbered.Dog.self) }
    #expect(again.objects(Renumbered.Dog.self).map(\.age) == [3, 7])
  }

  @Test func openRealmsRejectAnIncompatibleSchema() throws {
    try fill()
    let old = try file.realm(0, Plain.types)
    let dogs = old.objects(Plain.Dog.self)
    let frozen = dogs.freeze()
    let dog = try #require(dogs.first)
    try onNewThreadAndWait { [file] in _ = try file.realm(1, [Renumbered.Dog.self]) }
    #expect(dogs.count == 50 && dog.name == "d0" && frozen.last?.age == 49)
    let error = try #require(throws: Realm.Error.self) { try old.write { dog.age = 99 } }
    #expect(error.code == .schemaMismatch)
    #expect(
      error.description.hasPrefix(
        "The classes in the store were altered after the realm was opened"))
    #expect(error.description.contains("- Property 'Dog.name' is not in the store."))
    #expect(dog.name == "d0" && dogs.count == 50)
    #expect(throws: Realm.Error.self) { try old.session.refresh() }
    let new = try onNewThreadAndWait { [file] in
      try file.realm(1, [Renumbered.Dog.self]).objects(Renumbered.Dog.self).map(\.age).max()
    }
    #expect(new == 49)
  }

  @Test func openRealmsAcceptAnExtendedSchema() throws {
    enum Wider {
      class Owner: Object {
        @Persisted var name = ""
        @Persisted var phone: String?
      }
      class Dog: Object {
        @Persisted var name = ""
        @Persisted(indexed: true) var age = 0
        @Persisted var owner: Owner?
        @Persisted var weight: Double?
      }
    }
    try fill()
    let old = try file.realm(0, Plain.types)
    let dog = try #require(old.objects(Plain.Dog.self).first)
    #expect(dog.age == 0)
    try onNewThreadAndWait { [file] in
      let realm = try file.realm(1, [Wider.Dog.self, Wider.Owner.self])
      try realm.write { realm.objects(Wider.Dog.self).first?.weight = 4.5 }
    }
    try old.write {
      dog.age = 12
      old.create(Plain.Dog.self, value: ["name": "late"])
    }
    #expect(dog.age == 12 && old.objects(Plain.Dog.self).last?.name == "late")
    let weights = try onNewThreadAndWait { [file] in
      let dogs = try file.realm(1, [Wider.Dog.self, Wider.Owner.self]).objects(Wider.Dog.self)
      return Array(dogs.map { $0.weight ?? -1 })
    }
    #expect(weights.first == 4.5 && weights.last == -1 && weights.count == 51)
  }

  @Test func onOneThreadAStoreHasOneVersion() async throws {
    try await onNewThread { [file] in
      let realm = try file.realm(0, Plain.types)
      let error = try #require(throws: Realm.Error.self) { try file.realm(1, Plain.types) }
      #expect(error.code == .alreadyOpen)
      withExtendedLifetime(realm) {}
    }
  }
}
