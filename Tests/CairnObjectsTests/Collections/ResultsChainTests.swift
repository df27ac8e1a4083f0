import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random chains of filters, sort orders, distinct and limits over classes and lists, compared with
/// arrays.
@Suite struct ResultsChainTests {
  private struct Item: Equatable {
    let name: String
    let price: Int
  }

  @Test(arguments: [false, true]) func chains(ofAList: Bool) throws {
    let seed = Soak.seed(131)
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    let all = (0..<300).map { _ in
      Item(
        name: "\(Int.random(in: 0...20, using: &random))",
        price: Int.random(in: 0...30, using: &random))
    }
    try realm.write {
      realm.add(box)
      let toys = all.map { Toy($0.name, $0.price) }
      for toy in toys { realm.add(toy) }
      box.toys.append(objectsIn: toys)
    }
    for _ in 0..<60 {
      var chain = ofAList ? box.toys.filter("TRUEPREDICATE") : realm.objects(Toy.self)
      var expected = all
      let bar = Int.random(in: 0...30, using: &random)
      if Bool.random(using: &random) {
        chain = chain.where { $0.price >= bar }
        expected = expected.filter { $0.price >= bar }
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        add(to: &chain, &expected, &random)
      }
      check(chain, expected, "seed \(seed)", &random)
    }
  }

  private func add(
    to chain: inout Results<Toy>, _ expected: inout [Item], _ random: inout SplitMix64
  ) {
    let isAscending = Bool.random(using: &random)
    switch Int.random(in: 0...4, using: &random) {
    case 0:
      chain = chain.sorted(by: \.price, ascending: isAscending)
      expected = stable(expected) { isAscending ? $0.price < $1.price : $0.price > $1.price }
    case 1:
      chain = chain.sorted(by: \.name, ascending: isAscending)
      expected = stable(expected) { isAscending ? $0.name < $1.name : $0.name > $1.name }
    case 2:
      chain = chain.distinct(by: [\Toy.name])
      var seen = Set<String>()
      expected = expected.filter { seen.insert($0.name).inserted }
    case 3:
      chain = chain.distinct(by: ["price", "name"])
      var seen = Set<String>()
      expected = expected.filter { seen.insert("\($0.price) \($0.name)").inserted }
    default:
      let limit = Int.random(in: 0...200, using: &random)
      chain = chain.limit(limit)
      expected = Array(expected.prefix(limit))
    }
  }

  private func stable(_ items: [Item], _ isBefore: (Item, Item) -> Bool) -> [Item] {
    items.enumerated().sorted {
      isBefore($0.element, $1.element)
        || (!isBefore($1.element, $0.element) && $0.offset < $1.offset)
    }.map(\.element)
  }

  private func check(
    _ chain: Results<Toy>, _ expected: [Item], _ comment: Comment, _ random: inout SplitMix64
  ) {
    if Bool.random(using: &random), let position = expected.indices.randomElement(using: &random) {
      #expect(chain[position].price == expected[position].price, comment)
    }
    // Before anything is counted, because a prefix does not count either.
    let most = Int.random(in: 0...expected.count + 3, using: &random)
    #expect(
      chain.prefix(most).map { Item(name: $0.name, price: $0.price) }
        == Array(expected.prefix(most)), comment)
    #expect(chain.first?.name == expected.first?.name, comment)
    #expect(chain.last?.price == expected.last?.price, comment)
    #expect(chain.count == expected.count, comment)
    #expect(chain.map { Item(name: $0.name, price: $0.price) } == expected, comment)
    #expect(chain.sum(of: \.price) == expected.map(\.price).reduce(0, +), comment)
    #expect(chain.min(of: \.price) == expected.map(\.price).min(), comment)
    if let position = expected.indices.randomElement(using: &random) {
      #expect(chain.index(of: chain[position]) == position, comment)
      #expect(chain.objects(at: [position])[0].name == expected[position].name, comment)
      let item = expected[position]
      let found = chain.index(matching: "price == %@ AND name == %@", item.price, item.name)
      #expect(found == expected.firstIndex(of: item), comment)
      let typed = chain.index(matching: { $0.price == item.price && $0.name == item.name })
      #expect(typed == found, comment)
    }
  }

  @Test func sortingThroughLinks() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    try realm.write {
      for (id, name) in ["b", nil, "a", "c"].enumerated() {
        let box = ToyBox()
        box.id = id
        box.favourite = name.map { Toy($0, id) }
        realm.add(box)
      }
    }
    let boxes = realm.objects(ToyBox.self)
    #expect(boxes.sorted(byKeyPath: "favourite.name").map(\.id) == [2, 0, 3, 1])
    #expect(boxes.sorted(byKeyPath: "favourite.name", ascending: false).map(\.id) == [1, 3, 0, 2])
    #expect(boxes.sorted(by: \.favourite?.name).map(\.id) == [2, 0, 3, 1])
    #expect(boxes.distinct(by: ["favourite.name"]).count == 3)
  }

  @Test func anyCollection() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write {
      realm.add(box)
      box.toys.append(objectsIn: [Toy("a", 2), Toy("b", 1)])
    }
    let any = [
      AnyRealmCollection(box.toys), AnyRealmCollection(realm.objects(Toy.self)),
    ]
    for toys in any {
      #expect(toys.sorted(by: \.price).map(\.name) == ["b", "a"])
      #expect(toys.count == 2)
      #expect(toys.last?.name == "b")
    }
    #expect(any[0] == AnyRealmCollection(box.toys))
    #expect(any[0] != any[1])
    #expect(box.toys.description.hasPrefix("List<Toy> (\n\t[0] Toy {"))
    #expect(box.toys.prefix(1).map(\.name) == ["a"])
    #expect(box.toys.lazy.filter { $0.price == 1 }.map(\.name).first == "b")
  }
}
