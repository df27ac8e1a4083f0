import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `.modified` updates existing objects and writes only different values.
@Suite struct ModifiedPolicyTests {
  private let file = TemporaryStore()

  private func hall(_ realm: Realm) throws -> Hall {
    try realm.write {
      realm.create(
        Hall.self,
        value: [
          "id": 1, "entrance": ["seats": 1, "windows": ["n"]] as [String: Any],
          "rooms": [["seats": 1, "windows": ["a"]], ["seats": 2], ["seats": 3]] as [[String: Any]],
          "byName": ["x": ["seats": 5], "y": ["seats": 6]],
          "book": ["title": "Ways", "pages": 7] as [String: Any],
          "shelf": [["title": "one", "pages": 1] as [String: Any], ["title": "two"]],
        ] as [String: Any])
    }
  }

  @Test func embeddedObjectsAreUpdatedInPlace() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let (entrance, rooms) = (try #require(hall.entrance), Array(hall.rooms))
    let (x, y) = (try #require(hall.byName["x"]), try #require(hall.byName["y"]))
    try realm.write {
      realm.create(
        Hall.self,
        value: [
          "id": 1, "entrance": ["seats": 9], "rooms": [["seats": 4], ["seats": 2]],
          "byName": ["x": ["windows": ["w"]], "z": ["seats": 7]] as [String: Any],
        ] as [String: Any], update: .modified)
    }
    #expect(hall.entrance?.isSameObject(as: entrance) == true)
    #expect(entrance.seats == 9 && Array(entrance.windows) == ["n"])
    #expect(hall.rooms.map(\.seats) == [4, 2])
    #expect(zip(hall.rooms, rooms).allSatisfy { $0.isSameObject(as: $1) })
    #expect(Array(rooms[0].windows) == ["a"])
    #expect(rooms[2].isInvalidated && y?.isInvalidated == true)
    #expect(hall.byName.keys == ["x", "z"])
    #expect(hall.byName["x"]??.isSameObject(as: x) == true)
    #expect(x?.seats == 5 && x.map { Array($0.windows) } == ["w"])
  }

  @Test func theAllPolicyReplacesEmbeddedObjects() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let (entrance, rooms) = (try #require(hall.entrance), Array(hall.rooms))
    try realm.write {
      realm.create(
        Hall.self,
        value: ["id": 1, "entrance": ["seats": 9], "rooms": [["seats": 4]]] as [String: Any],
        update: .all)
    }
    #expect(entrance.isInvalidated && rooms.allSatisfy(\.isInvalidated))
    #expect(hall.entrance?.windows.isEmpty == true)
    #expect(hall.rooms.map(\.seats) == [4])
  }

  @Test func linkedObjectsWithoutAKeyAreUpdated() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let book = try #require(hall.book)
    try realm.write {
      realm.create(
        Hall.self,
        value: [
          "id": 1, "book": ["title": "Roads"],
          "shelf": [["title": "eins"], ["title": "zwei"], ["title": "drei"]],
        ] as [String: Any], update: .modified)
    }
    #expect(hall.book?.isSameObject(as: book) == true)
    #expect(book.title == "Roads" && book.pages == 7)
    #expect(hall.shelf.map(\.title) == ["eins", "zwei", "drei"])
    #expect(hall.shelf[0].pages == 1)
    #expect(realm.objects(Book.self).count == 4)
  }

  @Test func addingAnObjectUpdatesEmbeddedObjects() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let (entrance, room) = (try #require(hall.entrance), hall.rooms[0])
    let other = Hall(
      value: [
        "id": 1, "entrance": ["seats": 8], "rooms": [["seats": 4]],
        "book": ["title": "Roads"],
      ] as [String: Any])
    try realm.write { realm.add(other, update: .modified) }
    #expect(other.isSameObject(as: hall))
    #expect(hall.entrance?.isSameObject(as: entrance) == true)
    #expect(entrance.seats == 8 && entrance.windows.isEmpty)
    #expect(hall.rooms.count == 1 && hall.rooms[0].isSameObject(as: room))
    #expect(other.rooms[0].isSameObject(as: room))
    #expect(realm.objects(Book.self).map(\.title) == ["Roads", "one", "two"])
    #expect(hall.book?.pages == 1)
    #expect(hall.shelf.isEmpty && hall.byName.count == 0)
  }

  @Test func aManagedObjectBecomesTheLinkTarget() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let book = try #require(hall.book)
    try realm.write {
      let other = realm.create(Book.self, value: ["title": "Other"])
      realm.create(Hall.self, value: ["id": 1, "book": other] as [String: Any], update: .modified)
    }
    #expect(hall.book?.title == "Other")
    #expect(book.title == "Ways")
  }

  @Test func embeddedObjectsOfAListCanBeReordered() throws {
    let realm = try file.realm()
    let hall = try hall(realm)
    let turned = List<Room>()
    turned.append(objectsIn: hall.rooms.reversed())
    let last = hall.rooms[2]
    try realm.write { hall.rooms = turned }
    #expect(hall.rooms.map(\.seats) == [3, 2, 1])
    #expect(hall.rooms[0].isSameObject(as: last))
  }

  @Test func anEmbeddedObjectHasOneOwner() {
    let twice = Misuse.trap("embedded: twice in a list")
    #expect(twice.contains("property 'Train.carriages' cannot hold an embedded object twice"))
    let elsewhere = Misuse.trap("embedded: the list of another object")
    #expect(elsewhere.contains("Cannot add an existing managed embedded object to a List."))
    let again = Misuse.trap("embedded: appended again")
    #expect(again.contains("Cannot add an existing managed embedded object to a List."))
  }
}

class Hall: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var entrance: Room?
  @Persisted var rooms: List<Room>
  @Persisted var byName: Map<String, Room?>
  @Persisted var book: Book?
  @Persisted var shelf: List<Book>
}
