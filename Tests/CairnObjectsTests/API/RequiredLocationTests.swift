import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private class Place: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var position: GeoPoint
  @Persisted var near: List<Place>
}

/// A site, stored as a location.
private struct Site: CustomPersistable, Hashable {
  var point: GeoPoint
  init(_ point: GeoPoint) { self.point = point }
  init(persistedValue: GeoPoint) { point = persistedValue }
  var persistableValue: GeoPoint { point }
}

private class Camp: Object, Codable {
  @Persisted var name = ""
  @Persisted var position: GeoPoint
}

private class Tent: Object {
  @Persisted var number = 0
  @Persisted var site: Site
}

/// A required location has no default value.
@Suite struct RequiredLocationTests {
  private let file = TemporaryStore()
  private let bonn = GeoPoint(latitude: 50.7, longitude: 7.1)

  @Test func aLocationIsSetAndStored() throws {
    let bonn = try #require(bonn)
    let realm = try file.realm()
    let place = Place()
    place.position = bonn
    #expect(place.position == bonn)
    try realm.write {
      realm.add(place)
      realm.create(Place.self, value: ["id": 1, "position": bonn])
      realm.create(Place.self, value: ["id": 1, "name": "renamed"], update: .all)
      realm.create(Tent.self, value: ["site": Site(bonn)])
    }
    #expect(place.position == bonn)
    let all = realm.objects(Place.self)
    #expect(all.map(\.name) == ["", "renamed"] && all.allSatisfy { $0.position == bonn })
    let circle = try #require(GeoCircle(center: bonn, radiusInRadians: 0.001) as GeoCircle?)
    #expect(all.where { $0.position.geoWithin(circle) }.count == 2)
    #expect(realm.objects(Tent.self).where { $0.site == Site(bonn) }.count == 1)
    #expect(all.sorted(by: \.position, distanceTo: bonn).count == 2)
  }

  @Test func missingLocationsThrow() throws {
    let realm = try file.realm()
    let sentences = [
      #expect(throws: Realm.Error.self) { try Place(validating: ["id": 3], tolerating: .all) },
      #expect(throws: Realm.Error.self) {
        try realm.write {
          _ = try realm.create(Place.self, validating: ["id": 3], tolerating: .all)
        }
      },
      #expect(throws: Realm.Error.self) { try realm.write { try realm.add(validating: Place()) } },
      #expect(throws: Realm.Error.self) {
        try realm.write {
          let place = Place(value: ["position": bonn as Any])
          place.near.append(Place())
          try realm.add(validating: place)
        }
      },
      #expect(throws: Realm.Error.self) { try Place().value(validatingKey: "position") },
    ].map { $0?.description ?? "" }
    for text in sentences { #expect(text.contains("'Place.position'"), "\(text)") }
    #expect(sentences[2].contains("a location or geometry has no default value"))
    #expect(throws: Realm.Error.self) { try realm.write { try realm.add(validating: Tent()) } }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Camp()) }
    #expect(realm.objects(Place.self).isEmpty)
  }

  @Test func missingLocationsEndTheProgram() {
    let read = Misuse.trap("required location: read before it is set")
    #expect(read.contains("Property 'Signal.position' is required and was not set"))
    let added = Misuse.trap("required location: added without a value")
    #expect(added.contains("Property 'Signal.position' is required"))
    let updated = Misuse.trap("required location: updated without a value")
    #expect(updated.contains("Property 'Signal.position' is required"))
    let made = Misuse.trap("required location: init(value:) without it")
    #expect(made.contains("Missing value for property 'Signal.position'"))
    let created = Misuse.trap("required location: created without it")
    #expect(created.contains("Missing value for property 'Signal.position'"))
    Misuse.trap("required location: read by its name")
    Misuse.trap("required location: read as a custom type")
  }

  @Test func aMissingLocationIsPrintedAsNull() {
    #expect(Place().description.contains("position = (null);"))
  }

  // MARK: Migrations

  private enum Then { class Spot: Object { @Persisted var name = "" } }
  private enum Now {
    class Spot: Object {
      @Persisted var name = ""
      @Persisted var position: GeoPoint
    }
  }
  private enum Maybe {
    class Spot: Object {
      @Persisted var name = ""
      @Persisted var position: GeoPoint?
    }
  }

  private func fill() throws {
    let realm = try file.realm(0, [Then.Spot.self])
    try realm.write {
      for number in 0..<5000 { realm.create(Then.Spot.self, value: ["\(number)"]) }
    }
  }

  @Test func aNewColumnNeedsAValueForEveryObject() throws {
    try fill()
    let before = try file.bytes()
    let error = #expect(throws: Realm.Error.self) { try file.realm(1, [Now.Spot.self]) }
    #expect(
      error?.description.contains(
        "'Spot.position' is a required location, and 5000 objects have none")
        == true)
    #expect(error?.description.contains("Make the property optional, or set it") == true)
    #expect(try file.bytes() == before)
    let one = #expect(throws: Realm.Error.self) {
      try file.realm(1, [Now.Spot.self]) { migration, _ in
        migration.enumerateObjects(ofType: "Spot") { old, new in
          #expect(new?["position"] == nil)
          if old?["name"] as? String != "4999" { new?["position"] = bonn }
        }
      }
    }
    #expect(one?.description.contains("and 1 object has none") == true)
    #expect(try file.bytes() == before)
    let realm = try file.realm(1, [Now.Spot.self]) { migration, _ in
      migration.enumerateObjects(ofType: "Spot") { old, new in
        guard let new, let number = Int(old?["name"] as? String ?? "") else { return }
        if number == 17 { return migration.delete(new) }
        new["position"] = GeoPoint(latitude: Double(number) / 100, longitude: 7)
      }
    }
    let spots = realm.objects(Now.Spot.self)
    #expect(spots.count == 4999)
    #expect(spots.allSatisfy { $0.position.latitude == (Double($0.name) ?? 0) / 100 })
    let box = try #require(GeoBox(bottomLeft: (9.995, 6), topRight: (20.005, 8)))
    #expect(spots.where { $0.position.geoWithin(box) }.count == 1001)
  }

  @Test func nullsMustBeReplaced() throws {
    let bonn = try #require(bonn)
    let realm = try file.realm(0, [Maybe.Spot.self])
    try realm.write {
      realm.create(Maybe.Spot.self, value: ["name": "a", "position": bonn])
      realm.create(Maybe.Spot.self, value: ["name": "b"])
    }
    let error = #expect(throws: Realm.Error.self) { try file.realm(1, [Now.Spot.self]) }
    #expect(error?.description.contains("and 1 object has none") == true)
    let now = try file.realm(1, [Now.Spot.self]) { migration, _ in
      migration.enumerateObjects(ofType: "Spot") { old, new in
        if old?["position"] == nil { new?["position"] = bonn }
      }
    }
    #expect(now.objects(Now.Spot.self).map(\.position) == [bonn, bonn])
  }

  @Test func anEmptyClassGetsTheColumn() throws {
    try file.realm(0, [Then.Spot.self]).write {}
    let realm = try file.realm(1, [Now.Spot.self]) { migration, _ in
      migration.create("Spot", value: ["name": "new", "position": bonn as Any])
    }
    #expect(realm.objects(Now.Spot.self).map(\.position) == [bonn])
  }

  /// An older program whose class lacks the location cannot add objects.
  @Test func aClassWithoutTheLocationCannotAddObjects() throws {
    try file.realm(0, [Now.Spot.self]).write {}
    let realm = try file.realm(0, [Then.Spot.self])
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try realm.add(validating: Then.Spot()) }
    }
    #expect(
      error?.description.contains("Class 'Spot' in the store requires the location 'position'")
        == true)
    #expect(realm.objects(Then.Spot.self).isEmpty)
  }
}
