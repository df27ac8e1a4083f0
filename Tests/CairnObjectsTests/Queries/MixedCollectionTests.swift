import CairnModelTestSupport
import CairnObjects
import CairnQuery
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private class Bag: Object {
  @Persisted var number = 0
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var other: Bag?
}

/// Whole lists and maps in mixed values, compared with constants.
@Suite struct MixedCollectionTests {
  private let world = TemporaryStore()

  private static var list: AnyRealmValue { .fromArray([.int(1), .string("x"), .none]) }

  private static var nested: AnyRealmValue {
    .fromDictionary([
      "a": .fromArray([.fromArray([.int(1)]), .bool(true)]), "b": .double(2.5),
    ])
  }

  private static func values() -> [AnyRealmValue] {
    [
      .none, .int(1), list, nested, .fromArray([]), .fromDictionary([:]),
      .fromArray([.int(1), .string("x")]), .fromArray([.string("x"), .int(1), .none]),
      .fromDictionary(["b": .double(2.5)]), .data(Data([1, 2])), .fromArray([.double(1)]),
    ]
  }

  private func realm() throws -> Realm {
    let realm = try world.realm()
    try realm.write {
      var last: Bag?
      for (number, value) in Self.values().enumerated() {
        let bag = Bag()
        bag.number = number
        bag.any = value
        bag.anys.append(objectsIn: [value, .int(number)])
        bag.other = last
        realm.add(bag)
        last = bag
      }
    }
    return realm
  }

  private func numbers(
    _ realm: Realm, _ isIncluded: (Query<Bag>) -> Query<Bool>
  ) throws -> [Int] {
    let predicate = Predicate(of: Bag.self, where: isIncluded)
    let read = try Predicate(parsing: predicate.description)
    #expect(read == predicate)
    let found = Array(realm.objects(Bag.self).where(isIncluded).map(\.number))
    #expect(try Array(realm.objects(Bag.self).filter(read).map(\.number)) == found)
    return found
  }

  @Test func wholesAreCompared() throws {
    let realm = try realm()
    let all = Array(Self.values().indices)
    #expect(try numbers(realm) { $0.any == Self.list } == [2])
    #expect(try numbers(realm) { $0.any != Self.list } == all.filter { $0 != 2 })
    #expect(try numbers(realm) { !($0.any == Self.nested) } == all.filter { $0 != 3 })
    #expect(try numbers(realm) { $0.any == .fromArray([]) } == [4])
    #expect(try numbers(realm) { $0.any == .fromDictionary([:]) } == [5])
    // Numbers compare by value.
    #expect(try numbers(realm) { $0.any == .fromArray([.int(1)]) } == [10])
    #expect(
      try numbers(realm) { $0.any["a"] == .fromArray([.fromArray([.int(1)]), .bool(true)]) } == [3])
    #expect(try numbers(realm) { $0.any["a"][0] == .fromArray([.int(1)]) } == [3])
    #expect(try numbers(realm) { $0.anys.contains(Self.nested) } == [3])
    #expect(try numbers(realm) { $0.other.any == Self.list } == [3])
    #expect(try numbers(realm) { $0.any.in([Self.list, .int(1), .fromArray([])]) } == [1, 2, 4])
    #expect(try numbers(realm) { $0.anys.containsAny(in: [Self.list, .int(8)]) } == [2, 8])
    #expect(realm.objects(Bag.self).filter("any == {1, 'x', nil}").map(\.number) == [2])
    #expect(realm.objects(Bag.self).filter("ALL anys != {}").count == all.count - 1)
  }

  @Test func unmanagedMixedCollections() {
    let bags = List<Bag>()
    for (number, value) in Self.values().enumerated() {
      bags.append(
        Bag(value: ["number": number, "any": value, "anys": [value, 7 as AnyRealmValue]]))
    }
    #expect(bags.index(matching: { $0.any == Self.list }) == 2)
    #expect(bags.index(matching: { $0.any == Self.nested }) == 3)
    #expect(bags.index(matching: { $0.anys.contains(.fromArray([])) }) == 4)
    #expect(bags.index(matching: { $0.any["a"] != .none && $0.any != Self.nested }) == nil)
  }
}
