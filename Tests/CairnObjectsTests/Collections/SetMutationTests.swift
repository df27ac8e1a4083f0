import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random changes of sets, compared with Swift's sets.
@Suite struct SetMutationTests {
  @Test(arguments: [false, true]) func texts(isManaged: Bool) throws {
    try check(\.wordSet, isManaged) { "\(Int.random(in: 0...30, using: &$0))" }
  }

  @Test(arguments: [false, true]) func integers(isManaged: Bool) throws {
    try check(\.numberSet, isManaged) { .random(in: -20...20, using: &$0) }
  }

  @Test(arguments: [false, true]) func mixedValues(isManaged: Bool) throws {
    try check(\.anySet, isManaged) { random in
      switch Int.random(in: 0...3, using: &random) {
      case 0: .none
      case 1: .int(.random(in: 0...9, using: &random))
      case 2: .double(.random(in: 0...9, using: &random))
      default: .string("\(Int.random(in: 0...9, using: &random))")
      }
    }
  }

  private func check<Element: Hashable>(
    _ property: KeyPath<ToyBox, MutableSet<Element>>, _ isManaged: Bool,
    _ make: (inout SplitMix64) -> Element
  ) throws {
    let seed = Soak.seed(133, of: "SetMutationTests")
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    var expected = Set<Element>()
    let loose = ToyBox()
    for _ in 0..<8 {
      let realm = isManaged ? try file.realm() : nil
      realm?.beginWrite()
      let box =
        realm.map { $0.object(ofType: ToyBox.self, forPrimaryKey: 0) ?? $0.create(ToyBox.self) }
        ?? loose
      let set = box[keyPath: property]
      for _ in 0..<40 { change(set, &expected, &random, make) }
      #expect(Set(set) == expected, "seed \(seed)")
      #expect(set.count == expected.count)
      try realm?.commitWrite()
      let read = box[keyPath: property]
      #expect(Set(read) == expected, "seed \(seed)")
      for (position, element) in read.enumerated() { #expect(read.index(of: element) == position) }
    }
  }

  private func change<Element: Hashable>(
    _ set: MutableSet<Element>, _ expected: inout Set<Element>, _ random: inout SplitMix64,
    _ make: (inout SplitMix64) -> Element
  ) {
    let one = make(&random)
    let other = MutableSet<Element>()
    other.insert(objectsIn: (0..<20).map { _ in make(&random) })
    switch Int.random(in: 0...20, using: &random) {
    case 0:
      set.formUnion(other)
      expected.formUnion(other)
    case 1:
      set.subtract(other)
      expected.subtract(other)
    case 2:
      set.formIntersection(other)
      expected.formIntersection(other)
    case 3:
      set.removeAll()
      expected.removeAll()
    case 4...9:
      set.remove(one)
      expected.remove(one)
    default:
      set.insert(one)
      expected.insert(one)
    }
    #expect(set.contains(one) == expected.contains(one))
    #expect(set.intersects(other) == !expected.isDisjoint(with: other))
    #expect(set.isSubset(of: other) == expected.isSubset(of: other))
  }
}

/// Sets of objects: two instances of one row are the same element.
@Suite struct ObjectSetTests {
  @Test func instancesOfOneRow() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write {
      realm.add(box)
      box.toySet.insert(objectsIn: [Toy("a", 1), Toy("b", 2)])
    }
    let other = MutableSet<Toy>()
    other.insert(objectsIn: realm.objects(Toy.self).filter("name == 'a'"))
    #expect(other.isSubset(of: box.toySet) && box.toySet.intersects(other))
    #expect(other.intersects(box.toySet) && !box.toySet.isSubset(of: other))
    #expect(box.toySet.allSatisfy { other.contains($0) == ($0.name == "a") })
    try realm.write { box.toySet.formIntersection(other) }
    #expect(box.toySet.map(\.name) == ["a"])
    #expect(box.toySet.isSubset(of: other))
    try realm.write { box.toySet.subtract(other) }
    #expect(box.toySet.isEmpty)
  }
}
