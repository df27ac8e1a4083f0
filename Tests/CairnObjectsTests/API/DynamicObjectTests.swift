import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct DynamicObjectTests {
  @Test func everyTypeOfProperty() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let paris = try #require(
      try world.realm().dynamicObjects("City").filter("name = 'Paris'").first)
    #expect(paris["_id"] as? ObjectId == World.cities[2].objectId)
    #expect(paris["name"] as? String == "Paris")
    #expect(paris.name as? String == "Paris")
    #expect(paris["population"] as? Int == 2_100_000)
    #expect(paris["area"] as? Double == 105.4)
    #expect(paris["height"] as? Float == 35)
    #expect(paris["budget"] as? Decimal128 == "10.45")
    #expect(paris["capital"] as? Bool == true)
    #expect(paris["founded"] as? Date == Date(timeIntervalSinceReferenceDate: 3 * 86_400))
    #expect((paris["code"] as? UUID)?.uuidString == "00000000-0000-0000-0000-000000000003")
    #expect(paris["seal"] as? Data == Data([3, 0, 255]))
    #expect(paris["location"] as? GeoPoint == GeoPoint(latitude: 48.8566, longitude: 2.3522))
    #expect(paris.objectSchema.className == "City")
  }

  @Test func nulls() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let nowhere = try #require(
      try world.realm().dynamicObjects("City").filter("population == nil").first)
    #expect(nowhere["population"] == nil)
    #expect(nowhere["country"] == nil)
    #expect(nowhere["location"] == nil)
    #expect((nowhere["area"] as? Double)?.isNaN == true)
  }

  @Test func description() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let company = try #require(try world.realm().dynamicObjects("Company").first)
    #expect(
      company.description == """
        Company {
        \tname = company1;
        \tlocation = (47.68, -122.35);
        \tbranch = (null);
        }
        """)
  }

  @Test func sameObject() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let (one, two) = (try world.realm(), try world.realm())
    let cities = one.dynamicObjects("City")
    #expect(cities[0].isSameObject(as: cities.first))
    #expect(cities[0].isSameObject(as: two.dynamicObjects("City").first))
    #expect(!cities[0].isSameObject(as: cities[1]))
    #expect(!cities[0].isSameObject(as: one.dynamicObjects("Company")[0]))
    #expect(!cities[0].isSameObject(as: nil))
  }
}

@Suite struct DynamicWritingTests {
  private func filled(_ file: TemporaryStore) throws -> Realm {
    let realm = try file.realm()
    try realm.write {
      realm.create(Library.self, value: CollectionValueTests.value)
      let member = realm.create(Member.self, value: ["id": 1] as [String: Any])
      let club = realm.create(ReadingClub.self, value: ["name": "Pals"])
      club.members.append(member)
    }
    return realm
  }

  @Test func everyKindOfProperty() throws {
    let file = TemporaryStore()
    let realm = try filled(file)
    let library = try #require(realm.dynamicObjects("Library").filter("name == 'City'").first)
    #expect((library["years"] as? List<Int>).map { Array($0) } == [1990, 2001])
    #expect((library["ratings"] as? List<Double?>).map { Array($0) } == [1.5, nil, 3])
    #expect((library["tags"] as? MutableSet<String>).map { Set($0) } == ["old", "quiet"])
    #expect((library["opening"] as? Map<String, String>)?["mon"] == "9-17")
    #expect((library["anything"] as? Map<String, AnyRealmValue>)?["b"] == true)
    #expect(library.dynamicList("branches").map { $0["name"] as? String } == ["North", "South"])
    #expect(library.dynamicList("rooms")[0]["seats"] as? Int == 4)
    #expect(library.dynamicMap("byCity")["Bonn"]??["name"] as? String == "B")
    let entrance = library.entrance as? Room
    #expect(entrance?.seats == 1)
    let typed = realm.objects(Library.self).filter("name == 'City'").first
    #expect(library.isSameObject(as: typed))
    #expect(library.description == typed?.description)
    #expect(library.realm == realm)
    let member = try #require(realm.dynamicObject(ofType: "Member", forPrimaryKey: 1))
    let clubs = member["clubs"] as? LinkingObjects<DynamicObject>
    #expect(clubs?.map { $0["name"] as? String } == ["Pals"])
  }

  @Test func writing() throws {
    let file = TemporaryStore()
    let realm = try filled(file)
    let library = try #require(realm.dynamicObjects("Library").filter("name == 'City'").first)
    let member = try #require(realm.dynamicObject(ofType: "Member", forPrimaryKey: 1))
    try realm.write {
      library["name"] = "Town"
      library.years = [7]
      library["anything"] = "text"
      library["entrance"] = nil
      library["rooms"] = [[String: Any]]()
      member["libraries"] = [library]
    }
    let typed = try #require(realm.objects(Library.self).filter("name == 'Town'").first)
    #expect(Array(typed.years) == [7])
    #expect(typed.anything == "text")
    #expect(typed.entrance == nil)
    #expect(typed.rooms.isEmpty)
    #expect(realm.objects(Member.self).first?.libraries.first?.name == "Town")
  }

  @Test func programmingErrors() {
    let unknown = Misuse.trap("dynamic: a misspelt property")
    #expect(
      unknown.contains("Invalid property name 'nmae' for class 'Station'. Did you mean 'name'?")
    )
    let wrong = Misuse.trap("dynamic: null for a required property")
    #expect(wrong.contains("for 'string' property 'Station.name'."))
    let link = Misuse.trap("dynamic: a number for a link")
    #expect(link.contains("for 'object?' property 'Train.home'."))
  }

  @Test func descriptions() throws {
    let id: ObjectId = ObjectId("11223344556677889900aabb")
    let toy = Reader(
      value: ["id": id, "name": "Ann", "favourite": ["title": "Ways"]]
        as [String: Any])
    #expect(
      toy.description == """
        Reader {
        \tid = 11223344556677889900aabb;
        \tname = Ann;
        \tfriend = (null);
        \tfavourite = Book {
        \t\ttitle = Ways;
        \t\tpages = 1;
        \t\tprice = (null);
        \t\tweight = (null);
        \t\tisLent = 0;
        \t\tprinted = (null);
        \t\tcover = (null);
        \t\tcode = (null);
        \t\tfound = (null);
        \t};
        }
        """)
    toy.friend = toy
    #expect(toy.description.contains("friend = <Maximum depth exceeded>;"))
    #expect(
      toy.description.split(separator: "\n").filter { $0.contains("friend = Reader {") }.count == 4)
    let book = Book(value: ["cover": Data(repeating: 255, count: 30)])
    #expect(
      book.description.contains(
        "cover = <\(String(repeating: "ff", count: 24))... — 30 total bytes>;"))
    let library = Library(value: ["years": [1, 2], "opening": ["mon": "9"]] as [String: Any])
    #expect(library.description.contains("\tyears = List<Int> (\n\t\t[0] 1,\n\t\t[1] 2\n\t);"))
    #expect(library.description.contains("\topening = Map<String, String> (\n\t\t[mon] 9\n\t);"))
    #expect(library.description.contains("\tanything = (null);"))
  }

  @Test func members() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let book = Book()
    #expect(book.realm == nil)
    #expect(!book.isInvalidated)
    #expect(!book.isFrozen)
    #expect(book.objectSchema.className == "Book")
    #expect(book.objectSchema["pages"]?.type == .int)
    #expect(book != Book())
    #expect(book.isSameObject(as: book))
    #expect(!book.isSameObject(as: nil))
    try realm.write { realm.add(book) }
    #expect(book.realm == realm)
    let again = try #require(realm.objects(Book.self).first)
    // Without a primary key an instance is equal only to itself; frozen instances are equal by row.
    #expect(book != again)
    #expect(book.isSameObject(as: again))
    #expect(book.freeze() == again.freeze())
    #expect(Set([book.freeze(), again.freeze()]).count == 1)
  }
}
