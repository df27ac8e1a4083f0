import CairnModelTestSupport
import Foundation
import RealmSwift
import Testing

private class Vessel: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var label = ""
  @Persisted var holds: List<Int>
  @Persisted var crew: Map<String, Int>
  @Persisted var sister: Vessel?

  override class func _realmObjectName() -> String? { "Ship" }
}

private class Draft: Object {
  @Persisted var label = ""

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Names that programs for Realm use beside those of the reference pages.
@Suite struct FurtherNamesTests {
  private let file = TemporaryStore()

  private func realm() throws -> Realm {
    let realm = try Realm(configuration: Realm.Configuration(fileURL: file.url))
    try realm.write {
      realm.add(Vessel(value: ["id": 1, "label": "Alba", "holds": [3, 4], "crew": ["cook": 2]]))
    }
    return realm
  }

  @Test func aClassWithAnotherName() throws {
    let realm = try realm()
    #expect(Vessel.className() == "Ship")
    #expect(realm.schema["Ship"]?.primaryKeyProperty?.name == "id")
    #expect(realm.dynamicObjects("Ship").count == 1)
    let schema = try #require(Vessel.sharedSchema())
    #expect(schema.className == "Ship")
    #expect(schema.properties.map(\.name) == ["id", "label", "holds", "crew", "sister"])
    #expect(schema["sister"]?.objectClassName == "Ship")
  }

  @Test func aClassOutsideOfTheDefaultSchema() throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try realm.add(validating: Draft()) }
    }
    #expect(error?.description.contains("shouldIncludeInDefaultSchema() is false") == true)
    let other = TemporaryStore()
    let listed = try Realm(
      configuration: Realm.Configuration(fileURL: other.url, objectTypes: [Draft.self]))
    try listed.write { listed.add(Draft()) }
    #expect(listed.objects(Draft.self).count == 1)
  }

  @available(*, deprecated)
  private func addTwice(_ realm: Realm) throws {
    try realm.write {
      realm.add(Vessel(value: ["id": 1, "label": "Beta"]), update: true)
      realm.add([Vessel(value: ["id": 2, "label": "Cara"])], update: false)
    }
  }

  @Test func addingWithAFlag() throws {
    let realm = try realm()
    try addTwice(realm)
    #expect(realm.objects(Vessel.self).sorted(by: \.id).map(\.label) == ["Beta", "Cara"])
  }

  @Test func freezingThroughTheRealm() throws {
    let realm = try realm()
    let vessel = realm.objects(Vessel.self)[0]
    let (object, list) = (realm.freeze(vessel), realm.freeze(vessel.holds))
    let results = realm.freeze(realm.objects(Vessel.self))
    #expect(object.isFrozen && list.isFrozen && results.isFrozen)
    try realm.write { vessel.label = "Dora" }
    #expect(object.label == "Alba")
    #expect(realm.thaw(object)?.label == "Dora")
    #expect(realm.thaw(list)?.isFrozen == false)
    #expect(realm.thaw(results)?.first?.label == "Dora")
    #expect(realm.thaw(vessel) === vessel)
    try realm.write { realm.delete(vessel) }
    #expect(realm.thaw(object) == nil)
  }

  @MainActor @Test func smallNames() throws {
    let realm = try realm()
    let vessel = realm.objects(Vessel.self)[0]
    let token = realm.objects(Vessel.self).observe { _ in }
    #expect(token.invalidate())
    #expect(!token.invalidate())
    #expect(Realm.Error(.fail).code == .fail)
    #expect(_name(for: \Vessel.sister?.label) == "sister.label")
    #expect(vessel.crew.object(forKey: "cook") == 2)
    #expect(vessel.holds.isEqual(vessel.holds) && !vessel.holds.isEqual(3))
    #expect(RealmProperty<Int?>(3) == RealmProperty<Int?>(3))
    #expect(RealmOptional<Int>(3) != RealmOptional<Int>(nil))
    var number: Decimal128 = 1.5
    number.negate()
    #expect(number == -1.5)
  }
}
