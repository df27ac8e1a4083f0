import Cairn
import CairnTestSupport
import Foundation
import Testing

private class Nest: Object {
  @Persisted var counts: List<Int>
  @Persisted var gaps: List<Int?>
  @Persisted var kinds: MutableSet<NestKind>
  @Persisted var prices: Map<String, Double?>
  @Persisted var eggs: Map<String, Egg?>
}

private class Egg: Object {
  @Persisted var weight = 0
  @Persisted var price: Decimal128?
}

private enum NestKind: Int, PersistableEnum { case small = 1, large = 3 }

private func range<C: RealmCollection>(_ collection: C) -> [C.Element?]
where C.Element.PersistedType: MinMaxType {
  [collection.min(), collection.max()]
}

private func total<C: RealmCollection>(_ collection: C) -> (C.Element, Double?)
where C.Element.PersistedType: AddableType {
  (collection.sum(), collection.average())
}

private func inOrder<C: RealmCollection>(_ collection: C) -> [C.Element]
where C.Element.PersistedType: SortableType {
  Array(collection.sorted(ascending: true))
}

/// Totals in generic code, by the stored type of the elements.
@Suite struct GenericTotalsTests {
  private let nest = Nest(value: [
    "counts": [4, 1, 9], "gaps": [3, nil, 5], "kinds": [1, 3], "prices": ["a": 1.5, "b": nil],
    "eggs": ["a": ["weight": 2, "price": "1.5"], "b": ["weight": 5]],
  ])

  private func stored() throws -> Nest {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    try realm.write { realm.add(nest) }
    return nest
  }

  private func check(_ nest: Nest) {
    #expect(range(nest.counts) == [1, 9])
    #expect(total(nest.counts) == (14, 14 / 3))
    #expect(range(nest.gaps) == [3, 5])
    #expect(total(nest.gaps) == (8, 4))
    #expect(range(nest.kinds) == [.small, .large])
    // Without a type from the context, the result has the type of the elements.
    let least = nest.gaps.min()
    #expect(type(of: least) == Int??.self)
    let plain: Int? = nest.gaps.min()
    let sum: Int = nest.gaps.sum()
    #expect(plain == 3 && sum == 8)
    #expect(nest.prices.max() == 1.5)
    let price: Double = nest.prices.sum()
    #expect(price == 1.5)
    #expect(List<Int?>().min() == nil && List<Int?>().sum() == 0)
  }

  @Test func totalsOfUnmanagedCollections() { check(nest) }

  @Test func totalsOfCollectionsInAStore() throws {
    let nest = try stored()
    check(nest)
    #expect(inOrder(nest.counts) == [1, 4, 9])
    #expect(inOrder(nest.gaps) == [nil, 3, 5])
    #expect(inOrder(nest.kinds) == [.small, .large])
    let mean = nest.eggs.average(of: \.weight)
    let price = nest.eggs.average(of: \.price)
    #expect(mean == 3.5 && price == 1.5)
    #expect(nest.eggs.sum(of: \.weight) == 7)
  }

  @Test func aDateIsNumericInQueries() {
    func isNumeric<T: _QueryNumeric>(_ type: T.Type) -> Bool { true }
    func isSortable<T: KeypathSortable>(_ type: T.Type) -> Bool { true }
    #expect(isNumeric(Date.self) && isNumeric(Int?.self) && isSortable(Egg.self))
  }
}
