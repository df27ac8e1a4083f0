import CairnObjects
import FoundationEssentials
import Testing

@Suite struct AggregateTests {
  @Test func typed() throws {
    let world = try World()
    defer { world.remove() }
    let cities = try world.realm().dynamicObjects("City")
    #expect(cities.sum(ofProperty: "population") as Int == 4_372_000)
    #expect(cities.sum(ofProperty: "population") as Double == 4_372_000)
    #expect(cities.min(ofProperty: "population") as Int? == 93_000)
    #expect(cities.max(ofProperty: "population") as Int32? == 2_100_000)
    let average = try #require(cities.average(ofProperty: "population") as Double?)
    #expect(abs(average - 4_372_000 / 6.0) < 1e-6)
    // NaN does not count.
    #expect(abs((cities.sum(ofProperty: "area") as Double) - 860.3) < 1e-9)
    #expect(cities.max(ofProperty: "area") as Double? == 405)
    #expect(cities.sum(ofProperty: "budget") as Decimal128 == "20.20")
    #expect(cities.max(ofProperty: "height") as Float? == 173)
    #expect(
      cities.max(ofProperty: "founded") as Date? == Date(timeIntervalSinceReferenceDate: 7 * 86_400)
    )
    #expect(cities.filter("country == 'FR'").sum(ofProperty: "population") as Int == 2_620_000)
  }

  @Test func allInOne() throws {
    let world = try World()
    defer { world.remove() }
    let german = try world.realm().dynamicObjects("City").filter("country == 'DE'")
    let population = german.aggregate(of: "population")
    #expect(population.count == 3)
    #expect(population.sum as? Int == 1_659_000)
    #expect(population.min as? Int == 249_000)
    #expect(population.max as? Int == 1_080_000)
    #expect(population.average == 553_000)
    #expect(
      population.description
        == "Aggregate(count: 3, sum: 1659000, min: 249000, max: 1080000, average: 553000.0)")
    let nothing = german.filter("FALSEPREDICATE").aggregate(of: "population")
    #expect(nothing.count == 0 && nothing.min == nil && nothing.average == nil)
    #expect(nothing.sum as? Int == 0)
  }

  @Test func groups() throws {
    let world = try World()
    defer { world.remove() }
    let groups = try world.realm().dynamicObjects("City").aggregate(
      of: ["population", "height"], by: ["country"])
    #expect(groups.map { $0["country"] as? String } == [nil, "DE", "FJ", "FR"])
    #expect(groups.map(\.count) == [1, 3, 1, 2])
    #expect(
      groups.map { $0.aggregate(of: "population").sum as? Int } == [
        0, 1_659_000, 93_000, 2_620_000,
      ])
    #expect(groups[1].aggregate(of: "height").max as? Float == 173)
    let pairs = try world.realm().dynamicObjects("City").aggregate(
      of: [], by: ["country", "capital"])
    #expect(pairs.map(\.count) == [1, 2, 1, 1, 1, 1])
    #expect(pairs.map { $0["capital"] as? Bool } == [false, false, true, true, false, true])
  }
}
