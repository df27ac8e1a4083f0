import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The throwing variants of calls that otherwise end the program on a programming error.
@Suite struct ValidatingTests {
  private let file = TemporaryStore()

  private func realm() throws -> Realm {
    let realm = try file.realm()
    try realm.write {
      for (place, title) in ["b", "a", "b"].enumerated() {
        realm.create(Book.self, value: ["title": title, "pages": place])
      }
      realm.create(Shelf.self, value: ["id": 1])
    }
    return realm
  }

  private func message(_ body: () throws -> Void) -> String {
    #expect(throws: Realm.Error.self, performing: body)?.description ?? ""
  }

  @Test func names() throws {
    let realm = try realm()
    let book = try #require(realm.objects(Book.self).first)
    let dynamic = try #require(realm.dynamicObjects("Book").first)
    #expect(try book.value(validatingKey: "title") as? String == "b")
    #expect(try dynamic.value(validatingKey: "title") as? String == "b")
    for object in [book, dynamic] as [Object] {
      #expect(
        message { _ = try object.value(validatingKey: "titel") }
          == "Invalid property name 'titel' for class 'Book'. Did you mean 'title'?")
      try realm.write {
        try object.setValue(validating: "c", forKey: "title")
        #expect(message { try object.setValue(validating: 1, forKey: "titel") }.contains("'title'"))
        #expect(
          message { try object.setValue(validating: 1, forKey: "title") }.contains("Book.title"))
        #expect(
          message { try object.setValue(validating: nil, forKey: "title") }.contains("required"))
        try object.setValue(validating: "b", forKey: "title")
      }
    }
    #expect(try realm.dynamicObjects(validating: "Book").count == 3)
    #expect(
      message { _ = try realm.dynamicObjects(validating: "Bok") }.contains("Did you mean 'Book'?"))
    #expect(try realm.dynamicObject(validatingType: "Shelf", forPrimaryKey: 1) != nil)
    #expect(try realm.dynamicObject(validatingType: "Shelf", forPrimaryKey: "x") == nil)
    #expect(
      message { _ = try realm.dynamicObject(validatingType: "Book", forPrimaryKey: 1) }
        == "'Book' does not have a primary key.")
    #expect(
      message { _ = try realm.dynamicObject(validatingType: "Shelv", forPrimaryKey: 1) }
        .contains("Did you mean 'Shelf'?"))
  }

  @Test func keyPaths() throws {
    let books = try realm().objects(Book.self)
    #expect(
      try books.sorted(validating: [SortDescriptor(keyPath: "pages", ascending: false)]).map(
        \.pages)
        == [2, 1, 0])
    #expect(try books.distinct(validating: ["title"]).count == 2)
    #expect(
      message { _ = try books.sorted(validating: [SortDescriptor(keyPath: "page")]) }
        == "Cannot sort on key path 'page': property 'Book.page' does not exist.")
    #expect(
      message { _ = try books.distinct(validating: ["title.x"]) }.contains("final property"))
    #expect(try books.aggregate(validating: "pages").max as? Int == 2)
    #expect(throws: (any Error).self) { try books.aggregate(validating: "page") }
    #expect(try books.aggregate(validating: ["pages"], by: ["title"]).count == 2)
    #expect(throws: (any Error).self) { try books.aggregate(validating: ["pages"], by: ["titel"]) }
  }

  @Test func addedObjects() throws {
    let realm = try realm()
    try realm.write {
      let shelf = Shelf()
      shelf.id = 1
      #expect(
        message { try realm.add(validating: shelf) }.contains("existing primary key value '1'"))
      #expect(shelf.realm == nil)
      try realm.add(validating: shelf, update: .modified)
      #expect(shelf.realm != nil)
      // Two objects with the same key, added together.
      let (a, b) = (Reader(), Reader())
      b.id = a.id
      a.friend = b
      #expect(message { try realm.add(validating: a) }.contains("existing primary key value"))
      #expect(a.realm == nil && b.realm == nil)
      // An object that links to itself and to an existing one.
      let library = Library()
      library.branches.append(library)
      library.byCity["x"] = Library()
      library.anything = .fromArray([.object(Library())])
      try realm.add(validating: library)
      #expect(realm.objects(Library.self).count == 3)
    }
  }

  @Test func aSchemaMismatchThrowsWhenTheStoreIsOpened() async throws {
    enum Then { class Onion: Object { @Persisted var layers = 0 } }
    try file.realm(0, [Then.Onion.self]).write {}
    await #expect(processExitsWith: .success) { [path = file.url.path as String] in
      enum Now { class Onion: Object { @Persisted var layers = "" } }
      let url = URL(fileURLWithPath: path)
      // The class is not registered yet.
      let isEmpty = try Realm(fileURL: url).isEmpty
      #expect(isEmpty)
      #expect(Now.Onion.className() == "Onion")
      let error = #expect(throws: Realm.Error.self) { try Realm(fileURL: url) }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.description.contains("'Onion.layers' is string in the class") == true)
    }
  }
}
