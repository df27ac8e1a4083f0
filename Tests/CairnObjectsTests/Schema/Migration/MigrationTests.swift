import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct MigrationTests {
  let file = TemporaryStore()

  @Test func oneMigrationWithEveryChange() throws {
    try file.fill()
    let realm = try file.realm(2, Second.types) { migration, version in
      #expect(version == 0)
      #expect(migration.oldSchema["Person"]?["firstName"] != nil)
      #expect(migration.newSchema["Person"]?["firstName"] == nil)
      #expect(migration.newSchema["Person"]?["fullName"]?.isIndexed == true)
      migration.renameProperty(onType: "Person", from: "home", to: "house")
      var count = 0
      migration.enumerateObjects(ofType: Second.Person.className()) { old, new in
        guard let old, let new else { return }
        count += 1
        #expect(new["fullName"] as? String == "")
        #expect(new["age"] == nil)
        new["fullName"] = "\(old["firstName"] ?? "") \(old["lastName"] ?? "")"
        new["age"] = "\(old["age"] ?? "")"
      }
      #expect(count == 3)
      migration.enumerateObjects(ofType: "Home") { old, new in
        guard let old, let new else { return }
        new["coordinates"] = [old["longitude"] as? Double, old["latitude"] as? Double]
      }
      migration.enumerateObjects(ofType: "Relic") { old, new in
        #expect(old?["name"] as? String == "old")
        #expect(new?["name"] as? String == "old")
      }
      #expect(migration.deleteData(forType: "Relic"))
      #expect(!migration.deleteData(forType: "Relic"))
      #expect(!migration.deleteData(forType: "Nothing"))
    }
    let people = realm.objects(Second.Person.self).sorted(by: \.fullName)
    #expect(people.map(\.fullName) == ["Ada Lovelace", "Emmy Noether", "Mary Somerville"])
    #expect(people.map(\.age) == ["30", "31", "32"])
    #expect(people.map(\.nickname) == ["ada", "", "mary"])
    #expect(people.map(\.born) == [0, 0, 0])
    #expect(people.map { Array($0.scores) } == [[0, 0, 7], [1, 0, 7], [2, 0, 7]])
    #expect(people.map { $0.house?.street } == ["street 0", "street 1", nil])
    #expect(people[1].friend?.fullName == "Ada Lovelace")
    #expect(people[0].friends.map(\.fullName) == ["Emmy Noether"])
    #expect(realm.schema["Relic"] == nil)
    #expect(realm.objects(Second.Person.self).where { $0.fullName == "Emmy Noether" }.count == 1)
    let circle = try #require(GeoCircle(center: (50, 1), radiusInRadians: 0.001))
    let near = realm.objects(Second.Person.self).where { $0.house.geoWithin(circle) }
    #expect(near.map(\.fullName) == ["Emmy Noether"])
    try realm.write { realm.create(Second.Person.self) }
    #expect(realm.objects(Second.Person.self).last?.born == 1970)
    #expect(try schemaVersionAtURL(file.url) == 2)
  }

  @Test func withoutANewVersionTheErrorListsEveryDifference() throws {
    try file.fill()
    let before = try file.bytes()
    let error = try #require(throws: Realm.Error.self) { try file.realm(0, Second.types) }
    #expect(error.code == .schemaMismatch)
    #expect(
      error.description == """
        The store has other properties than the program's classes:
        - Property 'Person.fullName' is not in the store.
        - Property 'Person.age' is string in the class, int in the store.
        - Property 'Person.nickname' is required in the class, optional in the store.
        - Property 'Person.house' is not in the store.
        - Property 'Person.scores' is required in the class, optional in the store.
        - Property 'Person.born' is not in the store.
        - Property 'Home.coordinates' is not in the store.
        Raise schemaVersion above 0 in the configuration to migrate the store.
        """)
    #expect(try file.bytes() == before)
  }

  @Test func aLowerVersionIsRejected() throws {
    _ = try file.realm(3, First.types)
    let error = try #require(throws: Realm.Error.self) { try file.realm(2, First.types) }
    #expect(
      error.description.hasPrefix("Provided schema version 2 is less than last set version 3"))
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: .init(fileURL: file.url, readOnly: true, objectTypes: First.types))
    }
    _ = try file.realm(3, First.types)
  }

  @Test func aReadOnlyStoreIsNotMigrated() throws {
    try file.fill()
    let error = try #require(throws: Realm.Error.self) {
      try Realm(
        configuration: .init(
          fileURL: file.url, readOnly: true, schemaVersion: 1, objectTypes: First.types))
    }
    #expect(error.code == .schemaMismatch)
    #expect(error.description.contains("open it once for writing"))
  }

  @Test func withoutABlockCompatibleDataIsKept() throws {
    try file.fill()
    let realm = try file.realm(1, Second.types)
    let people = realm.objects(Second.Person.self)
    #expect(people.map(\.fullName) == ["", "", ""])
    #expect(people.map(\.nickname) == ["ada", "", "mary"])
    #expect(people.map { $0.friend == nil } == [true, false, false])
    // The homes were in a property that no longer exists. Data of a class that the program no
    // longer has is kept.
    #expect(realm.dynamicObjects("Home").isEmpty)
    #expect(realm.dynamicObjects("Relic").map { $0["name"] as? String } == ["old"])
  }

  @Test func anErrorLeavesTheStoreUnchanged() throws {
    class Key: Object { @Persisted var number = 0 }
    enum Later { class Key: Object { @Persisted(primaryKey: true) var number = 0 } }
    try file.realm(0, [Key.self]).write {}
    do {
      let realm = try file.realm(0, [Key.self])
      try realm.write { for number in [1, 2, 2] { realm.create(Key.self, value: [number]) } }
    }
    let before = try file.bytes()
    let error = try #require(throws: Realm.Error.self) {
      try file.realm(1, [Later.Key.self]) { migration, _ in
        migration.create("Key", value: ["number": 9])
      }
    }
    #expect(
      error.description.hasPrefix(
        "'Key.number' cannot be the primary key: 2 objects have the value 2"))
    #expect(try file.bytes() == before)
    let realm = try file.realm(1, [Later.Key.self]) { migration, _ in
      var seen: Set<Int> = []
      migration.enumerateObjects(ofType: "Key") { _, new in
        guard let new, let number = new["number"] as? Int else { return }
        if !seen.insert(number).inserted { new["number"] = number + 10 }
      }
    }
    #expect(realm.objects(Later.Key.self).map(\.number) == [1, 2, 12])
    #expect(realm.object(ofType: Later.Key.self, forPrimaryKey: 12) != nil)
  }

  @Test func objectsAreCreatedAndDeleted() throws {
    try file.fill()
    let realm = try file.realm(1, First.types) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new else { return }
        if old["firstName"] as? String == "Ada" { migration.delete(new) }
      }
      var left = 0
      migration.enumerateObjects(ofType: "Person") { _, _ in left += 1 }
      #expect(left == 2)
      let made = migration.create("Person", value: ["firstName": "Sofya", "age": 41])
      made["lastName"] = "Kovalevskaya"
      migration.enumerateObjects(ofType: "Person") { old, new in
        // An object of the old state refers to its migrated object.
        if old?["firstName"] as? String == "Mary" { made["friend"] = old }
        if old?["firstName"] as? String == "Emmy" { #expect(new?["friend"] == nil) }
      }
      migration.deleteData(forType: "Relic")
      migration.create("Relic", value: ["name": "new"])
    }
    let people = realm.objects(First.Person.self)
    #expect(people.map(\.firstName) == ["Emmy", "Mary", "Sofya"])
    #expect(people.last?.friend?.firstName == "Mary" && people.last?.nickname == nil)
    #expect(realm.objects(First.Relic.self).map(\.name) == ["new"])
  }

  @Test func mappedTypesAreWrittenInAMigration() throws {
    enum Then { class Trip: Object { @Persisted var goal = "" } }
    enum Now { class Trip: Object { @Persisted var goal = ""; @Persisted var length: Length } }
    do {
      let realm = try file.realm(0, [Then.Trip.self])
      try realm.write { realm.create(Then.Trip.self, value: ["goal": "Bonn"]) }
    }
    let realm = try file.realm(1, [Now.Trip.self]) { migration, _ in
      migration.enumerateObjects(ofType: "Trip") { _, new in
        new?["length"] = Length(metres: 1500)
        // Reading returns the stored value.
        #expect(new?["length"] as? Double == 1500)
      }
    }
    #expect(realm.objects(Now.Trip.self).first?.length == Length(metres: 1500))
  }

  @Test(arguments: [
    ("home", "fullName", "because one is"), ("firstNam", "fullName", "firstNam"),
    ("firstName", "full", "'full'"),
  ])
  func aMistakenRenameThrows(old: String, new: String, message: String) throws {
    try file.fill()
    let error = #expect(throws: Realm.Error.self) {
      try file.realm(2, Second.types) { migration, _ in
        migration.renameProperty(onType: "Person", from: old, to: new)
        migration.renameProperty(onType: "Person", from: "home", to: "house")
      }
    }
    #expect(error?.description.contains(message) == true, "\(error as Any)")
    let realm = try file.realm(0, First.types)
    #expect(realm.objects(First.Person.self).count == 3)
  }

  @Test func programmingErrorsInTheBlock() {
    let unknown = Misuse.trap("migration: creating an object of a misspelt class")
    #expect(unknown.contains("Did you mean 'Engine'?"))
  }
}

struct Length: CustomPersistable, Equatable {
  var metres: Double
  init(metres: Double) { self.metres = metres }
  init(persistedValue: Double) { self.init(metres: persistedValue) }
  var persistableValue: Double { metres }
}
