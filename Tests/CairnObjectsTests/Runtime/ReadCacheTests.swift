import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The caches of property reads are invalidated by every kind of change.
@Suite struct ReadCacheTests {
  @Test func linksOutliveTheClassesTheyLeadTo() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    // From here on only the box retains the session; the toy class is released with each toy that
    // is read.
    let box = try box(in: file)
    for _ in 0..<3 {
      #expect(box.favourite?.name == "a")
      let toy = box.favourite
      #expect(box.favourite?.price == 1)
      #expect(toy?.fans.first == box)
    }
  }

  private func box(in file: TemporaryStore) throws -> ToyBox {
    let realm = try file.realm()
    let box = ToyBox()
    box.favourite = Toy("a", 1)
    try realm.write { realm.add(box) }
    return box
  }

  @Test func linksFollowWritesAndRefreshes() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let box = try box(in: file)
    let realm = try #require(box.realm)
    #expect(box.favourite?.name == "a")
    try realm.write {
      let toy = Toy("b", 2)
      box.favourite = toy
      #expect(box.favourite?.name == "b")
      toy.name = "c"
      #expect(box.favourite?.name == "c")
    }
    #expect(box.favourite?.name == "c")
    try realm.write {
      realm.delete(realm.objects(Toy.self).filter("name == 'c'"))
      #expect(box.favourite == nil)
    }
    #expect(box.favourite == nil)
    realm.beginWrite()
    box.favourite = realm.objects(Toy.self).first
    #expect(box.favourite?.name == "a")
    realm.cancelWrite()
    #expect(box.favourite == nil)
  }

  @Test func countsOfListsFollowWrites() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let box = try box(in: file)
    let realm = try #require(box.realm)
    #expect(box.doubles.isEmpty)
    let doubles = box.doubles
    try realm.write {
      doubles.append(objectsIn: [1, 2])
      #expect(doubles[1] == 2)
      #expect(box.doubles[0] == 1)
      box.numbers.append(7)
      doubles[1] = 2.5
      #expect(box.doubles[1] == 2.5)
    }
    #expect(doubles[1] == 2.5)
    #expect(box.doubles[0] == 1)
    #expect(box.freeze().doubles[1] == 2.5)
    realm.beginWrite()
    doubles.replace(index: 0, object: 9)
    realm.cancelWrite()
    #expect(doubles[0] == 1)
    #expect(Array(doubles) == [1, 2.5])
  }

  @Test func unmanagedListsKeepTheirElements() {
    let box = ToyBox()
    box.doubles.append(1)
    box.doubles.append(objectsIn: [2, 3].lazy.map { $0 * 2 })
    #expect(box.doubles[2] == 6)
    #expect(Array(box.doubles) == [1, 4, 6])
  }

  @Test func listsOfDeletedObjectsAreInvalid() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let box = try box(in: file)
    let realm = try #require(box.realm)
    let (doubles, toys, words) = (box.doubles, box.toys, box.wordSet)
    #expect(!doubles.isInvalidated)
    try realm.write { realm.delete(box) }
    #expect(doubles.isInvalidated)
    #expect(toys.isInvalidated)
    #expect(words.isInvalidated)
  }
}
