import CairnObjects
import CairnTestSupport
import FoundationEssentials
import Testing

/// What values and objects of collections come to, against arrays; in a realm and in none.
@Suite struct CollectionAggregateTests {
  @Test(arguments: [false, true]) func valuesAndObjects(isManaged: Bool) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("collection aggregates: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let file = CollectionFile()
    defer { file.remove() }
    let box = ToyBox()
    let numbers = (0..<50).map { _ in Int.random(in: -99...99, using: &random) }
    box.numbers.append(objectsIn: numbers)
    box.gaps.append(objectsIn: numbers.map { $0 < 0 ? nil : $0 })
    box.doubles.append(objectsIn: numbers.map { $0 % 7 == 0 ? .nan : Double($0) })
    let toys = numbers.map { Toy("t", $0) }
    box.toys.append(objectsIn: toys + toys)
    for (place, number) in numbers.enumerated() { box.numberMap["\(place)"] = number }
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
    let file = CollectionFile()
    defer { file.remove() }
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
    let file = CollectionFile()
    defer { file.remove() }
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
