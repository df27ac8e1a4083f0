import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `where` closures run on a store, for behaviour that the predicate tree alone does not show.
@Suite(.tags(.threads)) struct QueryStoreTests {
  let world = TemporaryStore()

  @Test func namesMappedToOtherNamesInTheStore() throws {
    let realm = try world.realm()
    try realm.write {
      for number in 0..<5 {
        let renamed = OtherwiseNamed()
        renamed.title = "t\(number)"
        renamed.rank = 10 - number
        renamed.other = realm.objects(OtherwiseNamed.self).last
        realm.add(renamed)
      }
    }
    let all = realm.objects(OtherwiseNamed.self)
    #expect(all.where { $0.title == "t2" }.map(\.rank) == [8])
    #expect(all.where { $0.other.rank > 8 }.map(\.title) == ["t1", "t2"])
    #expect(all.filter("other.rank > 8 AND title != 't1'").map(\.title) == ["t2"])
    #expect(all.filter("the_title == 't3'").map(\.title) == ["t3"])
    #expect(all.sorted(byKeyPath: "rank").first?.title == "t4")
    #expect(all.sorted(by: \.rank).first?.title == "t4")
    #expect(all.sorted(byKeyPath: "other.rank", ascending: false).map(\.title).first == "t0")
  }

  @Test func listsOfAnObject() throws {
    let realm = try world.realm()
    let bough = Bough()
    for size in 0..<6 {
      let leaf = Leaf()
      leaf.size = size
      leaf.name = "l\(size)"
      bough.leaves.append(leaf)
    }
    try realm.write { realm.add(bough) }
    #expect(bough.leaves.where { $0.size > 3 }.map(\.name) == ["l4", "l5"])
    #expect(bough.leaves.filter("size < %@", 2).map(\.name) == ["l0", "l1"])
    #expect(bough.leaves.index(matching: { $0.size == 4 }) == 4)
    let leaf = try #require(bough.leaves.last)
    #expect(leaf.boughs.where { $0.leaves.count == 6 }.count == 1)
    #expect(realm.objects(Bough.self).where { $0.leaves.contains(leaf) }.count == 1)
    #expect(realm.objects(Leaf.self).where { $0.boughs.leaves.size == 5 }.count == 6)
    #expect(realm.objects(Leaf.self).where { ($0.boughs.numbers.count == 0).count == 1 }.count == 6)
  }

  @Test func threadsTraceTheSameKeyPaths() async {
    let texts = await withTaskGroup(of: String.self, returning: Set<String>.self) { group in
      for _ in 0..<50 {
        group.addTask {
          Predicate(of: Asked.self) { $0.other.int > 5 && $0.string == "a" }.description
        }
      }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(texts == ["other.int > 5 AND string == 'a'"])
  }
}
