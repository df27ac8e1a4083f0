import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct AggregateTests {
  @Test func typedAggregates() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
    let cities = try world.realm().dynamicObjects("City")
    #expect(cities.sum(ofProperty: "population") as Int == 4_372_000)
    #expect(cities.sum(ofProperty: "population") as Double == 4_372_000)
    #expect(cities.min(ofProperty: "population") as Int? == 93_000)
    #expect(cities.max(ofProperty: "population") as Int32? == 2_100_000)
    let average = try #require(cities.average(ofProperty: "population") as Double?)
    #expect(abs(average - 4_372_000 / 6.0) < 1e-6)
    // NaN is ignored.
    #expect(abs((cities.sum(ofProperty: "area") as Double) - 860.3) < 1e-9)
    #expect(cities.max(ofProperty: "area") as Double? == 405)
    #expect(cities.sum(ofProperty: "budget") as Decimal128 == "20.20")
    #expect(cities.max(ofProperty: "height") as Float? == 173)
    #expect(
      cities.max(ofProperty: "founded") as Date? == Date(timeIntervalSinceReferenceDate: 7 * 86_400)
    )
    #expect(cities.filter("country == 'FR'").sum(ofProperty: "population") as Int == 2_620_000)
  }

  @Test func allAggregatesAtOnce() throws {
    let world = try World()
    defer { withExtendedLifetime(world) {} }
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
    defer { withExtendedLifetime(world) {} }
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

/// Aggregates of managed and unmanaged collections of values and objects, compared with arrays.
@Suite struct CollectionAggregateTests {
  @Test(arguments: [false, true]) func valuesAndObjects(isManaged: Bool) throws {
    let seed = Soak.seed(124)
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let box = ToyBox()
    let numbers = (0..<50).map { _ in Int.random(in: -99...99, using: &random) }
    box.numbers.append(objectsIn: numbers)
    box.gaps.append(objectsIn: numbers.map { $0 < 0 ? nil : $0 })
    box.doubles.append(objectsIn: numbers.map { $0 % 7 == 0 ? .nan : Double($0) })
    let toys = numbers.map { Toy("t", $0) }
    box.toys.append(objectsIn: toys + toys)
    for (position, number) in numbers.enumerated() { box.numberMap["\(position)"] = number }
    if isManaged {
      let realm = try file.realm()
      try realm.write { realm.add(box) }
    }
    let sum = numbers.reduce(0, +)
    #expect(box.numbers.min() == numbers.min())
    #expect(box.numbers.max() == numbers.max())
    #expect(box.numbers.sum() == sum)
    #expect(box.numbers.average() == Double(sum) / 50)
    let present = numbers.filter { $0 >= 0 }
    #expect(box.gaps.min() == present.min())
    #expect(box.gaps.sum() == present.reduce(0, +))
    let doubles = numbers.filter { $0 % 7 != 0 }.map { Double($0) }
    #expect(box.doubles.max() == doubles.max())
    #expect(box.doubles.sum() == doubles.reduce(0, +))
    #expect(box.toys.sum(of: \.price) == 2 * sum)
    #expect(box.toys.min(of: \.price) == numbers.min())
    #expect(box.toys.max(ofProperty: "price") == numbers.max())
    #expect(box.toys.average(of: \.price) == Double(sum) / 50)
    #expect(List<Int>().min() == nil)
    #expect(List<Int>().sum() == 0)
    #expect(List<Int>().average() == nil as Double?)
  }

  @Test func groupsByKeyPaths() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    try realm.write {
      for (name, price) in [("b", 3), ("a", 1), ("b", 5), ("a", 2), ("c", 9)] {
        realm.add(Toy(name, price))
      }
    }
    let groups = realm.objects(Toy.self).filter("price < 9").aggregate(of: \.price, by: \.name)
    #expect(groups.map(\.key) == ["a", "b"])
    #expect(groups.map(\.count) == [2, 2])
    #expect(groups.map(\.min) == [1, 3])
    #expect(groups.map(\.max) == [2, 5])
    #expect(groups.map(\.sum) == [3, 8])
    #expect(groups.map(\.average) == [1.5, 4])
    #expect(realm.objects(Toy.self).aggregate(by: \.name).map(\.count) == [2, 2, 1])
  }

  @Test func orderedValues() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    box.gaps.append(objectsIn: [3, nil, 1, 3, nil, 2])
    try realm.write { realm.add(box) }
    #expect(Array(box.gaps.sorted()) == [nil, nil, 1, 2, 3, 3])
    #expect(Array(box.gaps.sorted(ascending: false)) == [3, 3, 2, 1, nil, nil])
    #expect(Array(box.gaps.distinct()) == [3, nil, 1, 2])
    let live = box.gaps.distinct().sorted(ascending: false).limit(2)
    #expect(Array(live) == [3, 2])
    try realm.write { box.gaps.append(9) }
    #expect(Array(live) == [9, 3])
    #expect(live.index(of: 3) == 1)
    #expect(live.max() == 9)
  }
}
