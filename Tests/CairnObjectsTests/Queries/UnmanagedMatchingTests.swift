import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnQuery
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `index(matching:)` of unmanaged lists; the same managed list is the oracle.
@Suite struct LooseMatchingTests {
  private let world = TemporaryStore()

  private func bough(_ random: inout SplitMix64) -> Bough {
    let bough = Bough()
    func leaf(_ random: inout SplitMix64) -> Leaf {
      let leaf = Leaf()
      leaf.name = ["", "a", "ab", "Ä"][Int.random(in: 0..<4, using: &random)]
      leaf.size = Int.random(in: 0..<4, using: &random)
      leaf.flag = Bool.random(using: &random)
      for _ in 0..<Int.random(in: 0..<3, using: &random) { leaf.tags.append(leaf.name) }
      return leaf
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      bough.leaves.append(leaf(&random))
      bough.numbers.append(Int.random(in: 0..<4, using: &random))
      bough.words.insert(["x", "y"][Int.random(in: 0..<2, using: &random)])
    }
    if Bool.random(using: &random) { bough.main = leaf(&random) }
    if Bool.random(using: &random) { bough.scores["k"] = Int.random(in: 0..<3, using: &random) }
    if Bool.random(using: &random) { bough.leafMap["m"] = leaf(&random) }
    let any: [AnyRealmValue] = [.none, .int(1), .bool(true), .string("a"), .fromArray([.int(1)])]
    bough.any = any[Int.random(in: 0..<any.count, using: &random)]
    if Bool.random(using: &random) {
      let nest = Nest()
      nest.coordinates.append(objectsIn: [Double(Int.random(in: 0..<4, using: &random)), 1])
      bough.nest = nest
    }
    return bough
  }

  private static let conditions = [
    "TRUEPREDICATE", "main == nil", "main.size > 1", "main.size != 2", "NOT main.size == 2",
    "ANY leaves.size == 1", "ALL leaves.size < 2", "NONE leaves.name == 'a'", "leaves.@count == 2",
    "leaves.@sum.size > 3", "leaves.@max.size == 2", "leaves.@avg.size > 1", "numbers.@min == 1",
    "2 IN numbers", "ANY numbers IN {1, 3}", "scores['k'] == 1", "scores['k'] == nil",
    "scores.@allKeys == 'k'", "ANY leafMap.size > 1", "leafMap['m'].name == 'a'", "any == 1",
    "any == 'a'", "any[0] == 1", "any[*] == 1", "any == nil", "words.@count > 1",
    "main.name BEGINSWITH[c] 'A'", "main.name CONTAINS[cd] 'a'", "main.name LIKE '?'",
    "main.name ==[c] 'ä'", "main.size BETWEEN {1, 2}", "main.flag == true",
    "SUBQUERY(leaves, $x, $x.size > 1 AND $x.flag == true).@count > 0",
    "nest GEOWITHIN geoBox([-1, -1], [1.5, 2])", "NOT nest GEOWITHIN geoBox([-1, -1], [1.5, 2])",
    "ANY leaves.tags == 'ab'", "leaves.@count == numbers.@count", "ANY leaves.size == main.size",
    "nest.coordinates.@count == 2", "main.name.@count == 2", "any[*].@count == 1",
    "any[*].@sum == 1", "any[*].@count == 0", "main.tags.@count == 0", "main.tags.@count < 1",
    "ANY leaves.tags.@count == 0",
  ]

  @Test func unmanagedListsMatchLikeManagedOnes() throws {
    let seed = Soak.seed(135)
    var random = SplitMix64(seed: seed)
    let realm = try world.realm()
    for round in 0..<20 {
      let loose = List<Bough>()
      let stored = Bough()
      var copied = random
      for _ in 0..<6 { loose.append(bough(&random)) }
      for _ in 0..<6 { stored.parts.append(bough(&copied)) }
      try realm.write { realm.add(stored) }
      for condition in Self.conditions {
        #expect(
          loose.index(matching: condition) == stored.parts.index(matching: condition),
          "round \(round), seed \(seed): \(condition)")
      }
    }
  }

  @Test func closuresAndMistakes() throws {
    let list = List<Leaf>()
    for size in 0..<5 {
      let leaf = Leaf()
      leaf.size = size
      list.append(leaf)
    }
    #expect(list.index(matching: { $0.size > 2 }) == 3)
    #expect(list.index(matching: { $0.size > 7 }) == nil)
    #expect(try list.index(matching: Predicate("size == 4")) == 4)
    #expect(throws: Predicate.Error.self) { try list.index(matching: Predicate("sise == 4")) }
    let set = MutableSet<Leaf>()
    set.insert(objectsIn: list)
    #expect(set.index(matching: { $0.size == 2 }).map { set[$0].size } == 2)
  }

  /// Managed objects in an unmanaged list.
  @Test func managedObjectsInAnUnmanagedList() throws {
    let realm = try world.realm()
    let list = List<Leaf>()
    try realm.write {
      for size in 0..<3 { list.append(realm.create(Leaf.self, value: ["size": size])) }
    }
    #expect(list.index(matching: { $0.size == 2 }) == 2)
  }
}
