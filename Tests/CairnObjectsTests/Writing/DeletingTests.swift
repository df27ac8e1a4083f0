import CairnObjects
import FoundationEssentials
import Testing

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

  @Test func everything() throws {
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

  @Test func mistakesOfTheProgram() async {
    let loose = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try TemporaryStore().realm()
      try realm.write { realm.delete(Book()) }
    }
    #expect(loose.text.contains("Can only delete an object from the Realm it belongs to."))
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try TemporaryStore().realm()
      try realm.write {
        let book = realm.create(Book.self)
        realm.delete(book)
        realm.delete(book)
      }
    }
    #expect(twice.text.contains("Object has been deleted or invalidated."))
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try TemporaryStore().realm()
      try realm.write {
        let book = realm.create(Book.self)
        realm.delete(book)
        _ = book.title
      }
    }
    #expect(read.text.contains("Object has been deleted or invalidated."))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TemporaryStore().realm().deleteAll()
    }
    #expect(outside.text.contains("outside of a write transaction"))
  }
}
