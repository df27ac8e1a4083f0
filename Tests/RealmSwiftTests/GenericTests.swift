import CairnModelTestSupport
import Foundation
import RealmSwift
import Testing

/// Code that uses its collections only through Realm's protocols.
@Suite struct GenericTests {
  let realm: Realm

  init() throws {
    let ship = Ship("Ark")
    ship.crew.append(objectsIn: [Sailor(1, "Ann", .captain), Sailor(2, "Bo"), Sailor(3, "Cy")])
    ship.scores["a"] = 1
    realm = try TestRealm(ship).realm
    try realm.write { ship.crew.forEach { $0.ship = ship } }
  }

  /// Freezes a value and thaws it again.
  private func roundTrip<T: ThreadConfined>(_ value: T) -> Bool {
    let frozen = value.freeze()
    guard !value.isFrozen, frozen.isFrozen, frozen.freeze().isFrozen, let live = frozen.thaw()
    else { return false }
    return !live.isFrozen && live.realm != nil && !live.isInvalidated
  }

  private func roundTrip<C: RealmCollection>(elementsOf collection: C) -> [C.Element]
  where C.Element: Equatable {
    guard let live = collection.freeze().thaw() else { return [] }
    return Array(live)
  }

  @Test func freezingIsRequired() throws {
    let sailors = realm.objects(Sailor.self)
    let ship = try #require(realm.objects(Ship.self).first)
    let view = try #require(realm.objects(SailorView.self).first)
    #expect(roundTrip(sailors))
    #expect(roundTrip(sailors[0]))
    #expect(roundTrip(ship.crew))
    #expect(roundTrip(ship.guests))
    #expect(roundTrip(ship.scores))
    #expect(roundTrip(ship.sailors))
    #expect(roundTrip(AnyRealmCollection(sailors)))
    let sections = sailors.sectioned(by: \.rank)
    #expect(roundTrip(sections))
    #expect(roundTrip(sections[0]))
    #expect(roundTrip(view))
    #expect(roundTrip(elementsOf: sailors).count == 3)
    #expect(roundTrip(elementsOf: AnyRealmCollection(ship.crew)).count == 3)
  }

  @Test func sectionsThroughTheProtocol() {
    func frozenCount<S: RealmSectionedResult>(_ sections: S) -> Int {
      let frozen = sections.freeze()
      return frozen.isFrozen && frozen.thaw() != nil ? frozen.count : -1
    }
    let sections = realm.objects(Sailor.self).sectioned(by: \.rank)
    #expect(frozenCount(sections) == 2)
    #expect(frozenCount(sections[0]) == 2)
  }

  /// A frozen value outlives its object; thawing it returns nil.
  @Test func thawingADeletedObjectReturnsNil() throws {
    func thawed<T: ThreadConfined>(_ value: T) -> T? { value.thaw() }
    let ship = try #require(realm.objects(Ship.self).first)
    let (object, list, map) = (ship.freeze(), ship.crew.freeze(), ship.scores.freeze())
    try realm.write { realm.delete(ship) }
    #expect(thawed(object) == nil)
    #expect(thawed(list) == nil)
    #expect(thawed(map) == nil)
    #expect(list.count == 3)
    #expect(map["a"] == 1)
  }

  // MARK: Fetching

  private func all<T: RealmFetchable>(_ type: T.Type) -> Results<T> { realm.objects(type) }

  @Test func fetchableTypes() {
    #expect(all(Sailor.self).count == 3)
    #expect(all(SailorView.self).map(\.title).sorted() == ["Ann", "Bo", "Cy"])
    #expect(Sailor.className() == "Sailor")
    #expect(SailorView.className() == "Sailor")
  }
}

/// The public names of the module.
@Suite struct ModuleTests {
  @Test func qualifiedNames() throws {
    let list: RealmSwift.List<Int> = RealmSwift.List<Int>()
    list.append(3)
    let realm: RealmSwift.Realm = try TestRealm(Sailor(1, "Ann")).realm
    let results: RealmSwift.Results<Sailor> = realm.objects(Sailor.self)
    let descriptor = RealmSwift.SortDescriptor(keyPath: "name")
    let configuration: RealmSwift.Realm.Configuration = realm.configuration
    #expect(list.count == 1)
    #expect(results.sorted(by: [descriptor]).first?.name == "Ann")
    #expect(configuration.inMemoryIdentifier != nil)
    #expect(RealmSwift.ObjectId.generate() != RealmSwift.ObjectId.generate())
    #expect(RealmSwift.Map<String, Int>().isEmpty)
    #expect(RealmSwift.Object.self == Object.self)
  }

  @Test func autoreleasePools() throws {
    struct Failure: Error {}
    #expect(autoreleasepool { 5 } == 5)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
  }
}
