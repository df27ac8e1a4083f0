import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct RealmTests {
  @Test func opensAndShowsItsClasses() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let realm = try world.realm()
    #expect(realm.schema.objectSchema.map(\.className) == ["City", "Company", "Empty"])
    let city = try #require(realm.schema["City"])
    #expect(city.primaryKeyProperty?.name == "_id")
    #expect(city["population"]?.type == .int)
    #expect(city["population"]?.isIndexed == true)
    #expect(city["location"]?.type == .geoPoint)
    #expect(city["location"]?.isOptional == true)
    #expect(city["nothing"] == nil)
    #expect(realm.schema["Nothing"] == nil)
    #expect(city.description.contains("\tpopulation: int?, indexed"))
    #expect(realm.schema.description.hasPrefix("Schema {\n\tCity {\n\t\t_id: objectId"))
    #expect(!realm.isEmpty)
  }

  @Test func aNewStoreIsEmpty() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    #expect(realm.isEmpty)
    #expect(realm.schema.objectSchema.isEmpty)
    #expect(!realm.refresh())
    #expect(realm.configuration.fileURL == file.url)
  }

  @Test func storesThatCannotBeOpened() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let missing = URL(fileURLWithPath: folder["missing.cairn"])
    let error = try #require(throws: Realm.Error.self) {
      try Realm(configuration: Realm.Configuration(fileURL: missing, readOnly: true))
    }
    #expect(error.code == .fileNotFound)
    #expect(error.description.contains(missing.path))
    #expect(!FileManager.default.fileExists(atPath: missing.path))

    let text = try folder.file("text.txt", String(repeating: "not a store\n", count: 2000))
    #expect(throws: Realm.Error.self) { try Realm(fileURL: text) }
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: Realm.Configuration(fileURL: nil))
    }
  }

  @Test func readOnly() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: world.path), readOnly: true))
    #expect(realm.dynamicObjects("City").count == 7)
  }

  @Test func aRealmKeepsItsSnapshotUntilItIsRefreshed() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let realm = try world.realm()
    let cities = realm.dynamicObjects("City")
    let german = cities.filter("country == 'DE'")
    let bonn = try #require(cities.filter("name == 'Bonn'").first)
    #expect(german.count == 3)
    try world.store().write { transaction in
      let table = try #require(transaction.table("City"))
      try table.insert(City(8, "Trier", "DE", 110_000, 117, 137, nil, false, 49.75, 6.64).values)
      try table.set(.int(331_000), position: 3, at: 0)
    }
    #expect(german.count == 3)
    #expect(bonn["population"] as? Int == 330_000)
    #expect(realm.refresh())
    #expect(!realm.refresh())
    #expect(german.count == 4)
    #expect(cities.count == 8)
    #expect(bonn["population"] as? Int == 331_000)
  }

  @Test func deletedObjects() async throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let realm = try world.realm()
    let bonn = try #require(realm.dynamicObjects("City").filter("name == 'Bonn'").first)
    #expect(!bonn.isInvalidated)
    try world.store().write { transaction in
      let table = try #require(transaction.table("City"))
      try table.delete(0)
    }
    realm.refresh()
    #expect(bonn.isInvalidated)
    #expect(bonn.description == "[invalid object]")
    let cities = realm.dynamicObjects("City")
    #expect(cities.count == 6)
    #expect(cities.map { $0["name"] as? String }.first == "Köln")
    #expect(cities[5]["name"] as? String == "Aachen")
  }

  @Test func primaryKeys() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let realm = try world.realm()
    let id = World.cities[2].objectId
    #expect(realm.dynamicObject(ofType: "City", forPrimaryKey: id)?["name"] as? String == "Paris")
    #expect(realm.dynamicObject(ofType: "City", forPrimaryKey: ObjectId()) == nil)
    #expect(realm.dynamicObject(ofType: "City", forPrimaryKey: "x") == nil)
  }
}

class FirstDog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var toy: FirstToy?
}
class FirstToy: Object {
  @Persisted(primaryKey: true) var id = 7
  @Persisted var name = "ball"
}

@Suite struct ObjectTests {
  @Test func anObjectIsAddedAndReadBack() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    #expect(realm.objects(FirstDog.self).count == 0)
    let dog = FirstDog()
    dog.name = "Rex"
    dog.toy = FirstToy()
    try realm.write {
      realm.add(dog)
      dog.age = 10
    }
    #expect(dog.age == 10)
    let found = try #require(realm.objects(FirstDog.self).first)
    #expect(found.name == "Rex")
    #expect(found.toy?.name == "ball")
    #expect(realm.objects(FirstDog.self).filter("age > 5").count == 1)
    #expect(realm.object(ofType: FirstToy.self, forPrimaryKey: 7)?.name == "ball")
  }
}
