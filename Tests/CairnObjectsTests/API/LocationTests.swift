import CairnObjects
import Testing

/// The geo shapes of the reference pages, and their counts.
@Suite struct PlaceTests {
  static let outer = [
    (48.0, -122.8), (48.2, -121.8), (47.6, -121.6), (47.0, -122.0), (47.2, -122.6), (48.0, -122.8),
  ]
  static let hole = [
    (47.8, -122.6), (47.7, -122.2), (47.4, -122.6), (47.6, -122.5), (47.8, -122.6),
  ]
  static let secondHole = [(47.55, -122.05), (47.55, -121.9), (47.3, -122.1), (47.55, -122.05)]

  static func companies(_ world: World) throws -> Results<DynamicObject> {
    try world.realm().dynamicObjects("Company")
  }

  static func names(_ results: Results<DynamicObject>) -> [String] { ResultsTests.names(results) }

  @Test func circles() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let companies = try Self.companies(world)
    let small = GeoCircle(center: (47.3, -121.9), radiusInRadians: 0.004363323)
    let center = try #require(GeoPoint(latitude: 47.8, longitude: -122.6))
    let radius = try #require(Distance.kilometers(44.4))
    let large = GeoCircle(center: center, radius: radius)
    #expect(companies.filter("location IN %@", small).count == 0)
    #expect(Self.names(companies.filter("location IN %@", large)) == ["company1"])
    #expect(Self.names(companies.within(large, property: "location")) == ["company1"])
    #expect(
      Self.names(companies.filter("location GEOWITHIN geoCircle([-122.6, 47.8], 44.4km)")) == [
        "company1"
      ])
  }

  @Test func boxes() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let companies = try Self.companies(world)
    let large = GeoBox(bottomLeft: (47.3, -122.7), topRight: (48.1, -122.1))
    let small = GeoBox(bottomLeft: (47.5, -122.4), topRight: (47.9, -121.8))
    #expect(Self.names(companies.filter("location IN %@", large)) == ["company1"])
    #expect(companies.filter("location GEOWITHIN %@", small).count == 2)
    #expect(companies.within(try #require(small), property: "location").count == 2)
  }

  @Test func polygons() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let companies = try Self.companies(world)
    let basic = try #require(GeoPolygon(outerRing: Self.outer))
    let one = try #require(GeoPolygon(outerRing: Self.outer, holes: Self.hole))
    let two = try #require(GeoPolygon(outerRing: Self.outer, holes: Self.hole, Self.secondHole))
    #expect(companies.within(basic, property: "location").count == 2)
    #expect(Self.names(companies.within(one, property: "location")) == ["company2"])
    #expect(Self.names(companies.filter("location IN %@", two)) == ["company2"])
    #expect(companies.count(inEach: [basic, one, two], property: "location") == [2, 1, 1])
    #expect(
      companies.filter("name == 'company1'").count(inEach: [basic, one], property: "location") == [
        1, 0,
      ])
  }

  @Test func theOnlyLocationNeedsNoName() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    let radius = try #require(Distance.kilometers(40))
    let rhine = try #require(GeoCircle(center: (50.8, 7.0), radius: radius))
    #expect(Self.names(cities.within(rhine)) == ["Bonn", "Köln"])
    #expect(Self.names(cities.within(rhine).filter("population > 1e6")) == ["Köln"])
    #expect(cities.count(inEach: [rhine]) == [2])
    let fiji = try #require(GeoBox(bottomLeft: (-20, 175), topRight: (-10, -175)))
    #expect(Self.names(cities.within(fiji)) == ["Suva"])
    #expect(cities.count(inEach: [fiji, fiji]) == [1, 1])
    #expect(cities.filter("NOT location IN %@", fiji).count == 6)
  }

  @Test func nearestFirst() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    let bonn = try #require(GeoPoint(latitude: 50.7339, longitude: 7.0998))
    let order = ["Bonn", "Köln", "Aachen", "Paris", "Lyon", "Suva", "Nowhere"]
    #expect(Self.names(cities.nearest(to: bonn)) == order)
    #expect(Self.names(cities.nearest(to: bonn).limit(3)) == Array(order.prefix(3)))
    #expect(cities.nearest(to: bonn).first?["name"] as? String == "Bonn")
    #expect(cities.nearest(to: bonn)[4]["name"] as? String == "Lyon")
    #expect(Self.names(cities.filter("country != 'DE'").nearest(to: bonn).limit(1)) == ["Paris"])
    let farthest = cities.sorted(byKeyPath: "location", distanceTo: bonn, ascending: false)
    #expect(Self.names(farthest).first == "Suva")
    #expect(Self.names(farthest).last == "Nowhere")
  }
}
