import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct DeletingTests {
  @Test func objectsSequencesAndResults() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write { for id in 0..<10 { realm.create(Shelf.self, value: ["id": id]) } }
    let shelves = realm.objects(Shelf.self)
    let first = try #require(shelves.first)
    try realm.write {
      realm.delete(first)
      #expect(first.isInvalidated)
      #expect(shelves.count == 9)
      realm.delete([shelves[0], shelves[1]])
      realm.delete(shelves.filter("id > 6"))
    }
    #expect(shelves.map(\.id) == [3, 4, 5, 6])
    try realm.write { realm.delete(shelves.prefix(2)) }
    #expect(shelves.map(\.id) == [5, 6])
    #expect(first.description == "[invalid object]")
  }

  @Test func linksToADeletedObjectReadAsNull() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let reader = try realm.write {
      realm.create(
        Reader.self, value: ["name": "Ann", "favourite": ["title": "Ways"]] as [String: Any])
    }
    try realm.write { realm.delete(realm.objects(Book.self)) }
    #expect(reader.favourite == nil)
  }

  @Test func collectionsOfAnyKind() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let member = try realm.write {
      let member = realm.create(
        Member.self,
        value: ["id": 1, "libraries": [["name": "a"], ["name": "b"]]] as [String: Any])
      member.libraries.append(member.libraries[0])
      for name in ["x", "y"] {
        realm.create(ReadingClub.self, value: ["name": name, "members": [member]] as [String: Any])
      }
      return member
    }
    try realm.write { realm.delete(member.libraries) }
    #expect(member.libraries.isEmpty && realm.objects(Library.self).isEmpty)
    try realm.write { realm.delete(member.clubs) }
    #expect(member.clubs.isEmpty && realm.objects(ReadingClub.self).isEmpty)
    try realm.write {
      realm.delete(AnyRealmCollection(realm.objects(Member.self)))
      #expect(member.isInvalidated)
      // Objects that are already deleted are skipped.
      realm.delete([member])
    }
    #expect(realm.isEmpty)
  }

  /// Deletes by chunk with all indexes, compared with a loop over an array.
  @Test func manyAtOnce() throws {
    let seed = Soak.seed(125)
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    let realm = try file.realm()
    var left: [Int: String] = [:]
    var next = 0
    for round in 0..<4 {
      try realm.write {
        for _ in 0..<Soak.count(1100, long: 3000) {
          let hut = Hut()
          hut.number = next
          hut.name = "h\(Int.random(in: 0...9, using: &random))"
          hut.place = GeoPoint(latitude: .random(in: -9...9, using: &random), longitude: 1)
          hut.isDoomed = next % 7 == 0
          hut.room = Room(value: ["seats": next])
          hut.rooms.append(objectsIn: (0..<next % 3).map { Room(value: ["seats": $0]) })
          realm.add(hut)
          left[next] = hut.name
          next += 1
        }
      }
      let name = "h\(round)"
      try realm.write {
        realm.delete(realm.objects(Hut.self).filter("name == %@ OR isDoomed == true", name))
        if round == 2 {
          realm.delete(realm.objects(Hut.self).sorted(byKeyPath: "name").prefix(500))
        }
      }
      for (number, value) in left where value == name || number % 7 == 0 { left[number] = nil }
      if round == 2 {
        for (number, _) in left.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).prefix(500)
        {
          left[number] = nil
        }
      }
      let huts = realm.objects(Hut.self)
      #expect(huts.map(\.number) == left.keys.sorted(), "seed \(seed)")
      for name in Set(left.values) {
        #expect(huts.filter("name == %@", name).count == left.values.count { $0 == name })
      }
      let box = GeoBox(bottomLeft: (-9, 0), topRight: (9, 2))
      #expect(huts.where { $0.place.geoWithin(box!) }.count == left.count, "seed \(seed)")
      #expect(realm.object(ofType: Hut.self, forPrimaryKey: 7) == nil)
      let rooms = left.keys.reduce(0) { $0 + 1 + $1 % 3 }
      #expect(try realm.storedRooms() == rooms, "seed \(seed)")
    }
    try realm.write { realm.delete(realm.objects(Hut.self)) }
    #expect(realm.isEmpty)
    #expect(try realm.storedRooms() == 0)
    try realm.write { realm.create(Hut.self, value: ["number": 3]) }
    #expect(realm.objects(Hut.self).map(\.number) == [3])
  }

  @Test func deletingEverything() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    #expect(realm.isEmpty)
    try realm.write {
      realm.create(
        Reader.self, value: ["name": "Ann", "favourite": ["title": "Ways"]] as [String: Any])
      #expect(!realm.isEmpty)
    }
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    #expect(realm.schema["Reader"] != nil)
    try realm.write { realm.create(Book.self) }
    #expect(realm.objects(Book.self).count == 1)
  }

  @Test func programmingErrors() {
    let loose = Misuse.trap("delete: an object outside of a realm")
    #expect(loose.contains("Can only delete an object from the Realm it belongs to."))
    let twice = Misuse.trap("delete: twice")
    #expect(twice.contains("Object has been deleted or invalidated."))
    let added = Misuse.trap("delete: adding afterwards")
    #expect(
      added.contains("Adding a deleted or invalidated object to a Realm is not permitted"))
    let read = Misuse.trap("delete: reading afterwards")
    #expect(read.contains("Object has been deleted or invalidated."))
    let outside = Misuse.trap("delete: all outside of a transaction")
    #expect(outside.contains("outside of a write transaction"))
  }
}

class Hut: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var isDoomed = false
  @Persisted var place: GeoPoint?
  @Persisted var room: Room?
  @Persisted var rooms: List<Room>
}

extension Realm {
  /// The number of embedded rooms in the store.
  fileprivate func storedRooms() throws -> Int { dynamicObjects("Room").count }
}
