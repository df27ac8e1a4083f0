import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Toy {
  /// A computed property that reads `name`.
  var firstLetter: String { name.first.map { String($0) } ?? "" }
}

@Suite struct SectionTests {
  private func shop(_ names: [(String, Int)]) throws -> (TemporaryStore, Realm) {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write { for (name, price) in names { realm.add(Toy(name, price)) } }
    return (file, realm)
  }

  @Test func aComputedPropertySortsByWhatItReads() throws {
    let (file, realm) = try shop([("Rex", 1), ("Wolfie", 2), ("Fido", 3), ("Spot", 4), ("Rob", 5)])
    defer { withExtendedLifetime(file) {} }
    let sections = realm.objects(Toy.self).sectioned(by: \.firstLetter, ascending: true)
    #expect(sections.allKeys == ["F", "R", "S", "W"])
    #expect(sections.count == 4)
    #expect(sections[1].map(\.name) == ["Rex", "Rob"])
    #expect(sections[0].key == "F")
    #expect(sections[0].id == "F")
    #expect(sections[0].first?.name == "Fido")
    #expect(sections[1].count == 2)
    let falling = realm.objects(Toy.self).sectioned(by: \.firstLetter, ascending: false)
    #expect(falling.allKeys == ["W", "S", "R", "F"])
    #expect(falling[2].map(\.name) == ["Rob", "Rex"])
    try realm.write { realm.add(Toy("Ace", 6)) }
    #expect(sections.allKeys == ["A", "F", "R", "S", "W"])
    let a = sections[0]
    try realm.write { realm.delete(realm.objects(Toy.self).filter("name == 'Ace'")) }
    #expect(a.isEmpty && a.isInvalidated)
    #expect(sections.count == 4)
  }

  /// Sections by a callback that is independent of the sort order: each key joins the first section
  /// with that key.
  @Test func callbacksAgreeWithArrays() throws {
    let seed = Soak.seed(132)
    var random = SplitMix64(seed: seed)
    let names = (0..<200).map { _ in
      ("\(Int.random(in: 0...99, using: &random))", Int.random(in: 0...20, using: &random))
    }
    let (file, realm) = try shop(names)
    defer { withExtendedLifetime(file) {} }
    let sections = realm.objects(Toy.self).filter("price > 3").sectioned(
      by: { $0.price % 4 == 0 ? nil : $0.price % 4 },
      sortDescriptors: [SortDescriptor(keyPath: \Toy.name, ascending: false), "price"])
    let sorted = names.filter { $0.1 > 3 }.sorted {
      $0.0 == $1.0 ? $0.1 < $1.1 : Array($1.0.utf8).lexicographicallyPrecedes(Array($0.0.utf8))
    }
    var keys: [Int?] = []
    for key in sorted.map({ $0.1 % 4 == 0 ? nil : $0.1 % 4 }) where !keys.contains(key) {
      keys.append(key)
    }
    #expect(sections.allKeys == keys, "seed \(seed)")
    for section in sections {
      let expected = sorted.filter { $0.1 % 4 == section.key ?? 0 }
      #expect(section.map(\.name) == expected.map(\.0), "seed \(seed)")
      #expect(section.map(\.price) == expected.map(\.1), "seed \(seed)")
    }
  }

  @Test func valuesAndOptionalKeys() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    box.words.append(objectsIn: ["pear", "apple", "plum", "avocado"])
    box.gaps.append(objectsIn: [3, nil, 1, 2])
    try realm.write { realm.add(box) }
    let letters = box.words.sectioned(by: { String($0.prefix(1)) }, ascending: true)
    #expect(letters.allKeys == ["a", "p"])
    #expect(letters[1].map { $0 } == ["pear", "plum"])
    let parity = box.gaps.sectioned(by: { $0.map { $0 % 2 } })
    #expect(parity.allKeys == [nil, 1, 0])
    #expect(parity[1].map { $0 } == [1, 3])
  }
}
