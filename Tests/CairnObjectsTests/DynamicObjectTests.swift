import CairnObjects
import FoundationEssentials
import Testing

@Suite struct DynamicObjectTests {
  @Test func everyTypeOfProperty() throws {
    let world = try World()
    defer { world.remove() }
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
    defer { world.remove() }
    let nowhere = try #require(
      try world.realm().dynamicObjects("City").filter("population == nil").first)
    #expect(nowhere["population"] == nil)
    #expect(nowhere["country"] == nil)
    #expect(nowhere["location"] == nil)
    #expect((nowhere["area"] as? Double)?.isNaN == true)
  }

  @Test func description() throws {
    let world = try World()
    defer { world.remove() }
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
    defer { world.remove() }
    let (one, two) = (try world.realm(), try world.realm())
    let cities = one.dynamicObjects("City")
    #expect(cities[0].isSameObject(as: cities.first))
    #expect(cities[0].isSameObject(as: two.dynamicObjects("City").first))
    #expect(!cities[0].isSameObject(as: cities[1]))
    #expect(!cities[0].isSameObject(as: one.dynamicObjects("Company")[0]))
    #expect(!cities[0].isSameObject(as: nil))
  }
}
