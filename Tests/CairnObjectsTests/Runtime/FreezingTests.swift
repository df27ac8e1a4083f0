import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.threads)) struct FreezingTests {
  private func library() throws -> (TemporaryStore, Realm) {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write {
      for id in 0..<9000 {
        realm.create(
          Shelf.self,
          value: ["id": id, "name": "shelf \(id)", "height": Double(id % 7)] as [String: Any])
      }
      realm.create(
        Reader.self,
        value: ["name": "Ann", "favourite": ["title": "Ways"], "friend": ["name": "Bob"]]
          as [String: Any])
    }
    return (file, realm)
  }

  @Test func aFrozenObjectDoesNotChange() throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1))
    let frozen = shelf.freeze()
    #expect(frozen.isFrozen)
    #expect(!shelf.isFrozen)
    #expect(frozen.realm?.isFrozen == true)
    try realm.write { shelf.name = "changed" }
    #expect(frozen.name == "shelf 1")
    #expect(shelf.name == "changed")
    #expect(frozen.isSameObject(as: shelf))
    try realm.write { realm.delete(shelf) }
    #expect(frozen.name == "shelf 1")
    #expect(!frozen.isInvalidated)
    #expect(frozen.thaw() == nil)
  }

  @Test func linksOfAFrozenObjectAreFrozen() throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let ann = try #require(realm.objects(Reader.self).filter("name == 'Ann'").first).freeze()
    try realm.write { realm.deleteAll() }
    #expect(ann.favourite?.title == "Ways")
    #expect(ann.favourite?.isFrozen == true)
    #expect(ann.friend?.name == "Bob")
    #expect(ann.friend == ann.freeze().friend)
  }

  @Test func thawing() throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let shelf = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1))
    #expect(shelf.thaw() === shelf)
    let live = try #require(shelf.freeze().thaw())
    #expect(!live.isFrozen)
    #expect(live.isSameObject(as: shelf))
    #expect(realm.thaw() == realm)
    #expect(!realm.freeze().thaw().isFrozen)
  }

  @Test func aFrozenRealm() throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let frozen = realm.freeze()
    #expect(frozen == realm.freeze())
    #expect(frozen != realm)
    try realm.write { realm.deleteAll() }
    #expect(frozen.objects(Shelf.self).count == 9000)
    #expect(frozen.dynamicObjects("Shelf")[8999]["name"] as? String == "shelf 8999")
    #expect(!frozen.refresh())
    #expect(frozen.freeze() == frozen)
    #expect(realm.freeze() != frozen)
    // A class that the program has not used before.
    #expect(frozen.objects(Book.self).count == 1)
    #expect(frozen.objects(Volume.self).isEmpty)
    #expect(frozen.objects(Shelf.self).filter("height == 3").count == 1286)
  }

  @Test func writingToFrozenObjectsEndsTheProgram() {
    let object = Misuse.trap("frozen: changing an object")
    #expect(object.contains("Attempting to modify a frozen object - call thaw"))
    let write = Misuse.trap("frozen: a transaction")
    #expect(write.contains("Can't perform transactions on a frozen Realm"))
    let add = Misuse.trap("frozen: adding an object")
    #expect(add.contains("Attempting to modify a frozen object"))
    let loose = Misuse.trap("frozen: an object outside of a realm")
    #expect(loose.contains("Unmanaged objects cannot be frozen."))
    let inside = Misuse.trap("frozen: an object of the open transaction")
    #expect(inside.contains("that the open write transaction added: commit it first."))
  }

  @Test func severalThreadsReadOneFrozenObject() async throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let ann = Frozen(try #require(realm.objects(Reader.self).filter("name == 'Ann'").first))
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<500).filter { _ in
            ann.name == "Ann" && ann.favourite?.title == "Ways" && ann.friend?.friend == nil
          }.count
        }
      }
      for await right in group { #expect(right == 500) }
    }
  }

  @Test func severalThreadsReadOneFrozenRealm() async throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let frozen = UncheckedTransfer(realm.freeze())
    try realm.write { realm.deleteAll() }
    await withTaskGroup(of: Int.self) { group in
      for seed in 0..<4 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(seed))
          let shelves = frozen.value.objects(Shelf.self)
          var wrong = shelves.filter("height == 3").count == 1286 ? 0 : 1
          for _ in 0..<300 {
            let id = Int.random(in: 0..<9000, using: &random)
            let shelf = frozen.value.object(ofType: Shelf.self, forPrimaryKey: id)
            if shelf?.name != "shelf \(id)" || shelves[id].height != Double(id % 7) { wrong += 1 }
            if frozen.value.objects(Reader.self).first?.favourite?.title != "Ways" { wrong += 1 }
          }
          return wrong
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }

  @Test func aFrozenObjectIsSentToAnActor() async throws {
    let (file, realm) = try library()
    defer { withExtendedLifetime(file) {} }
    let frozen = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 1)).freeze()
    #expect(await Receiver().name(of: frozen) == "shelf 1")
  }

  private actor Receiver {
    func name(of shelf: sending Shelf) -> String { shelf.name }
  }
}
