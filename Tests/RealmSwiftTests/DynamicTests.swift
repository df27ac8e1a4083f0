import CairnModelTestSupport
import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// Objects and classes accessed by name.
@Suite struct DynamicTests {
  let realm: Realm
  let ship: Ship

  init() throws {
    let ship = Ship("Ark")
    ship.crew.append(objectsIn: [Sailor(1, "Ann"), Sailor(2, "Bo")])
    ship.guests.insert(Sailor(3, "Cy"))
    ship.byDuty["helm"] = ship.crew[0]
    ship.mixed = .object(ship.crew[1])
    realm = try TestRealm(ship).realm
    self.ship = ship
  }

  // MARK: Creating

  @Test func createsObjectsByName() throws {
    var made: DynamicObject?
    try realm.write {
      made = realm.dynamicCreate("Sailor", value: ["number": 7, "name": "Eve", "rank": 2])
      realm.dynamicCreate("Ship")
    }
    #expect(made?["name"] as? String == "Eve")
    let sailor = try #require(realm.object(ofType: Sailor.self, forPrimaryKey: 7))
    #expect(sailor.name == "Eve")
    #expect(sailor.rank == .captain)
    #expect(realm.objects(Ship.self).count == 2)
  }

  /// The class is known only at run time.
  @Test func createsObjectsOfAClassValue() throws {
    let type: Object.Type = Sailor.self
    try realm.write {
      realm.create(type, value: ["number": 1, "name": "Eve"], update: .modified)
    }
    #expect(ship.crew[0].name == "Eve")
    #expect(realm.objects(type).count == 3)
    #expect(realm.object(ofType: type, forPrimaryKey: 2)?["name"] as? String == "Bo")
  }

  @Test func updatesObjectsByName() throws {
    try realm.write {
      realm.dynamicCreate("Sailor", value: ["number": 1, "name": "Eve"], update: .modified)
      realm.dynamicCreate("Sailor", value: ["number": 8, "name": "Flo"], update: .all)
    }
    #expect(ship.crew[0].name == "Eve")
    #expect(realm.objects(Sailor.self).count == 4)
  }

  /// A store whose classes the program has not used, so that Cairn has not seen them.
  @Test func createsObjectsOfAnUnusedClass() throws {
    let store = TemporaryStore()
    defer { withExtendedLifetime(store) {} }
    let file = store.url
    try realm.writeCopy(toFile: file)
    // A realm whose configuration lists one class does not include the others.
    let other = try Realm(
      configuration: .init(fileURL: file, objectTypes: [LegacyToy.self]))
    try other.write {
      let eve = other.dynamicCreate(
        "Sailor", value: ["number": 9, "name": "Eve", "spare": NSNull()])
      other.dynamicCreate("Sailor", value: ["number": 1, "isAboard": true], update: .modified)
      let cog = other.dynamicCreate("Ship", value: ["Cog"])
      cog.dynamicList("crew").append(eve)
    }
    let sailors = other.dynamicObjects("Sailor")
    #expect(sailors.count == 4)
    let ann = try #require(other.dynamicObject(ofType: "Sailor", forPrimaryKey: 1))
    #expect(ann["name"] as? String == "Ann")
    #expect(ann["isAboard"] as? Bool == true)
    let cog = try #require(other.dynamicObjects("Ship").filter("name == 'Cog'").first)
    #expect(cog.dynamicList("crew").first?["number"] as? Int == 9)
  }

  @Test func invalidCreationsEndTheProgram() {
    Misuse.trap("dynamicCreate: a misspelt class")
    Misuse.trap("dynamicCreate: an update without a primary key")
    Misuse.trap("dynamicCreate: the same key twice")
  }

  // MARK: Collections

  @Test func collectionsOfTypedObjects() throws {
    #expect(ship.dynamicList("crew").map { $0["name"] as? String } == ["Ann", "Bo"])
    #expect(ship.dynamicMutableSet("guests").first?["number"] as? Int == 3)
    let duties: Map<String, DynamicObject?> = ship.dynamicMap("byDuty")
    #expect(duties["helm"]??["name"] as? String == "Ann")
    try realm.write { ship.dynamicList("crew").remove(at: 0) }
    #expect(ship.crew.map(\.name) == ["Bo"])
    let dynamic = try #require(realm.dynamicObjects("Ship").first)
    #expect(dynamic.dynamicList("crew").count == 1)
  }

  @Test(arguments: ["name", "stosp", "skipped", "numbers"])
  func propertiesOfOtherTypesHaveNoDynamicList(name: String) {
    Misuse.trap("dynamicList: \(name)")
  }

  @Test func objectsInMixedValues() {
    #expect(ship.mixed.dynamicObject?["name"] as? String == "Bo")
    #expect(AnyRealmValue.int(3).dynamicObject == nil)
    #expect(AnyRealmValue.none.dynamicObject == nil)
    #expect(AnyRealmValue.object(Sailor(5, "Flo")).dynamicObject == nil)
  }

  // MARK: Schema

  @Test func theSchemaListsItsClasses() throws {
    let schema = try #require(realm.schema["Ship"])
    #expect(schema.className == "Ship")
    #expect(ObjectIdentifier(schema.objectClass) == ObjectIdentifier(Ship.self))
    #expect(!schema.isEmbedded)
    #expect(realm.schema["BerthObject"]?.isEmbedded == true)
    #expect(schema.primaryKeyProperty == nil)
    #expect(realm.schema["Sailor"]?.primaryKeyProperty?.name == "number")
    #expect(schema.properties.map(\.name).prefix(3) == ["name", "crew", "guests"])
    #expect(schema == ship.objectSchema)
    #expect(schema != realm.schema["Sailor"])
    #expect(Ship().objectSchema["crew"]?.objectClassName == "Sailor")
  }

  @Test func theSchemaListsItsProperties() throws {
    let schema = ship.objectSchema
    let crew = try #require(schema["crew"])
    #expect(crew.isArray && !crew.isSet && !crew.isMap && crew.type == .object)
    #expect(crew.objectClassName == "Sailor")
    #expect(schema["guests"]?.isSet == true)
    let spares = try #require(schema["sparesByDuty"])
    #expect(spares.isMap && spares.isOptional && spares.type == .int)
    let sailors = try #require(schema["sailors"])
    #expect(sailors.type == .linkingObjects)
    #expect(sailors.objectClassName == "Sailor")
    #expect(!schema.properties.contains(sailors))
    #expect(schema["nobody"] == nil)
    #expect(schema["mixed"]?.type == .any)
  }

  @Test func theSchemaShowsMappedNames() throws {
    let realm = try TestRealm(Renamed()).realm
    let property = try #require(realm.schema["Renamed"]?["title"])
    #expect(property.name == "title")
    #expect(property.columnName == "heading")
    #expect(Renamed().objectSchema["title"]?.columnName == "heading")
    #expect(ship.objectSchema["name"]?.columnName == "name")
  }
}

class Renamed: Object {
  @Persisted var title = ""

  override class func propertiesMapping() -> [String: String] { ["title": "heading"] }
}
