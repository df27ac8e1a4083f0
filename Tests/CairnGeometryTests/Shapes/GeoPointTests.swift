import Testing

@testable import CairnGeometry

@Suite struct GeoPointTests {
  @Test func rejectsCoordinatesOutsideTheEarth() {
    #expect(GeoPoint(latitude: 90, longitude: -180) != nil)
    #expect(GeoPoint(latitude: 90.0000001, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 180.0000001) == nil)
    #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: .nan) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: .nan) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -0.0) != nil)
    #expect(GeoPoint(latitude: .infinity, longitude: 0) == nil)
  }

  @Test func equalityComparesAllThree() {
    let low = GeoPoint(latitude: 1, longitude: 2)
    #expect(low == GeoPoint(latitude: 1, longitude: 2, altitude: 0))
    #expect(low != GeoPoint(latitude: 1, longitude: 2, altitude: 3))
    #expect(low != GeoPoint(latitude: 2, longitude: 1))
  }

  @Test func distanceOnTheSphere() throws {
    let pole = try #require(GeoPoint(latitude: 90, longitude: 17))
    let equator = try #require(GeoPoint(latitude: 0, longitude: -60))
    #expect(abs(pole.distance(to: equator).asDegrees() - 90) < 1e-12)
    let one = try #require(GeoPoint(latitude: 0, longitude: 180))
    let other = try #require(GeoPoint(latitude: 0, longitude: -180))
    #expect(one.distance(to: other).radians == 0)
    let antipode = try #require(GeoPoint(latitude: 0, longitude: 120))
    #expect(abs(equator.distance(to: antipode).radians - .pi) < 1e-9)
  }
}

@Suite struct DistanceTests {
  @Test func unitsConvertThereAndBack() throws {
    let distance = try #require(Distance.kilometers(44.4))
    #expect(distance.radians == 44.4 * 1000 / 6_378_100)
    #expect(abs(distance.asKilometers() - 44.4) < 1e-12)
    #expect(abs(distance.asMeters() - 44_400) < 1e-9)
    #expect(try abs(#require(Distance.miles(3)).asMeters() - 4828.032) < 1e-9)
    #expect(try abs(#require(Distance.degrees(0.25)).radians - 0.004363323) < 1e-9)
    #expect(try abs(#require(Distance.degrees(7)).asDegrees() - 7) < 1e-12)
    #expect(try abs(#require(Distance.miles(7)).asMiles() - 7) < 1e-12)
    #expect(try abs(#require(Distance.nauticalMiles(2)).asMeters() - 3704) < 1e-9)
    #expect(try abs(#require(Distance.feet(7)).asMeters() - 2.1336) < 1e-9)
    #expect(try abs(#require(Distance.yards(7)).asFeet() - 21) < 1e-9)
    #expect(try abs(#require(Distance.feet(7)).asYards() - 7 / 3.0) < 1e-9)
    #expect(try abs(#require(Distance.meters(1852)).asNauticalMiles() - 1) < 1e-12)
  }

  @Test func rejectsNegativesAndNaN() {
    for make in [
      Distance.radians, Distance.degrees, Distance.meters, Distance.kilometers, Distance.miles,
    ] {
      #expect(make(-1e-300) == nil)
      #expect(make(.nan) == nil)
      #expect(make(-0.0) != nil)
      #expect(make(.infinity) != nil)
    }
  }

  @Test func comparesByLength() throws {
    #expect(try #require(Distance.miles(1)) > #require(Distance.kilometers(1)))
  }
}
