import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Setting a property of all objects of a collection at once, compared with setting it object by
/// object.
@Suite struct BulkValueTests {
  private let file = TemporaryStore()

  /// Every kind of property, through sorted and unsorted results over several chunks.
  @Test func setsTheSameValuesAsALoop() throws {
    let seed = Soak.seed(127)
    var random = SplitMix64(seed: seed)
    let realm = try file.realm()
    let toys = try realm.write {
      for number in 0..<Soak.count(4300, long: 9000) {
        let crate = Crate()
        crate.number = number
        crate.count = Int.random(in: 0...3, using: &random)
        crate.label = "c\(Int.random(in: 0...3, using: &random))"
        realm.add(crate)
      }
      return ["a", "b"].map { realm.create(Book.self, value: ["title": $0]) }
    }
    var expected = Array(realm.objects(Crate.self).map { CrateValues($0) })
    let place = GeoPoint(latitude: 50, longitude: 7)
    let length = Soak.count(10_000, long: 100_000)
    let values: [(String, Any?, (inout CrateValues) -> Void)] = [
      ("count", 2, { $0.count = 2 }), ("label", "c1", { $0.label = "c1" }),
      ("price", 1.5, { $0.price = 1.5 }), ("price", nil, { $0.price = nil }),
      ("code", UUID(uuidString: "00000000-0000-0000-0000-00000000000A"), { $0.code = 10 }),
      ("place", place, { $0.place = place }), ("tags", ["x", "y"], { $0.tags = ["x", "y"] }),
      ("anything", [1, "z"] as [Any], { $0.anything = 2 }),
      ("book", toys[1], { $0.book = "b" }), ("books", [toys[0]], { $0.books = ["a"] }),
      ("label", String(repeating: "long ", count: length / 5), { $0.label = "\(length)" }),
    ]
    for (round, (name, value, change)) in values.enumerated() {
      let limit = Int.random(in: 0...3, using: &random)
      var some = realm.objects(Crate.self).filter("count <= %@ OR label == 'c1'", limit)
      if Bool.random(using: &random) { some = some.sorted(byKeyPath: "label", ascending: false) }
      for crate in some { change(&expected[crate.number]) }
      realm.beginWrite()
      some.setValue(value, forKey: name)
      // Reading all crates costs more than setting their values, so each round reads others, and
      // those on both sides of the boundary of a chunk.
      let places = expected.indices.filter {
        Soak.isOn || $0 % 6 == round % 6 || (4090..<4102).contains($0)
      }
      let wanted = places.map { expected[$0] }
      let crates = realm.objects(Crate.self)
      #expect(places.map { CrateValues(crates[$0]) } == wanted, "seed \(seed), \(name)")
      try realm.commitWrite()
      #expect(places.map { CrateValues(crates[$0]) } == wanted, "seed \(seed), \(name)")
    }
    #expect(Array(realm.objects(Crate.self).map { CrateValues($0) }) == expected, "seed \(seed)")
    #expect(
      realm.objects(Crate.self).filter("label == 'c1'").count
        == expected.count { $0.label == "c1" })
    let circle = GeoCircle(center: place!, radius: .kilometers(1)!)
    #expect(
      realm.objects(Crate.self).where { $0.place.geoWithin(circle) }.count
        == expected.count { $0.place != nil })
  }

  @Test func listsSetsAndPaths() throws {
    let realm = try file.realm()
    let hall = try realm.write {
      realm.create(
        Hall.self,
        value: [
          "rooms": [["seats": 1], ["seats": 2]], "entrance": ["seats": 3],
          "shelf": [["title": "a"], ["title": "b"]],
        ] as [String: Any])
    }
    try realm.write {
      hall.shelf.append(hall.shelf[0])
      hall.shelf.setValue(9, forKey: "pages")
      hall.rooms.setValue(4, forKey: "seats")
      realm.objects(Hall.self).setValue(["n"], forKey: "rooms.windows")
      realm.objects(Hall.self).setValue(["title": "new"], forKey: "book")
      hall.setValue(5, forKeyPath: "entrance.seats")
      hall.setValue("same", forKeyPath: "shelf.title")
      hall.setValue(1, forKeyPath: "book.pages")
    }
    #expect(hall.shelf.map(\.pages) == [9, 9, 9])
    #expect(hall.shelf.map(\.title) == ["same", "same", "same"])
    #expect(hall.rooms.map(\.seats) == [4, 4])
    #expect(hall.rooms.map { Array($0.windows) } == [["n"], ["n"]])
    #expect(hall.entrance?.seats == 5)
    #expect(hall.book?.title == "new")
    #expect(hall.value(forKeyPath: "shelf.title") as? [String] == ["same", "same", "same"])
    #expect(hall.value(forKeyPath: "rooms.@sum.seats") as? Int == 8)
    #expect(hall.value(forKeyPath: "entrance.windows.@count") as? Int == 0)
    try realm.write { hall.book = nil }
    #expect(hall.value(forKeyPath: "book.title") == nil)
    try realm.write { hall.setValue("x", forKeyPath: "book.title") }
    #expect(hall.book == nil)
  }

  /// Embedded objects and objects created from dictionaries are created once per object.
  @Test func eachObjectGetsItsOwnEmbeddedObject() throws {
    let realm = try file.realm()
    let halls = realm.objects(Hall.self)
    try realm.write {
      for id in 0..<3 { realm.create(Hall.self, value: ["id": id]) }
      halls.setValue(["seats": 7], forKey: "entrance")
      halls.setValue([["seats": 1], ["seats": 2]], forKey: "rooms")
      halls.setValue(["title": "t"], forKey: "book")
    }
    #expect(Set(halls.compactMap { $0.entrance?.freeze() }).count == 3)
    #expect(halls.map { $0.rooms.map(\.seats) } == [[1, 2], [1, 2], [1, 2]])
    #expect(realm.objects(Book.self).count == 3)
    let book = Book(value: ["title": "one for all"])
    try realm.write { halls.setValue(book, forKey: "book") }
    #expect(halls.allSatisfy { $0.book?.isSameObject(as: book) == true })
    #expect(realm.objects(Book.self).count == 4)
  }

  @Test func unmanagedCollections() {
    let hall = Hall(value: ["rooms": [["seats": 1], ["seats": 2]]])
    hall.rooms.setValue(3, forKey: "seats")
    #expect(hall.rooms.map(\.seats) == [3, 3])
    #expect(hall.value(forKeyPath: "rooms.@avg.seats") as? Double == 3)
    hall.setValue(4, forKeyPath: "rooms.seats")
    #expect(hall.rooms.value(forKey: "seats") as? [Int] == [4, 4])
  }

  @Test func collectionsOfValues() throws {
    let realm = try file.realm()
    let library = Library(value: ["years": [3, 1, 3], "opening": ["mon": "9-17"]])
    #expect(library.years.value(forKeyPath: "@sum.self") as? Int == 7)
    #expect(library.years.value(forKey: "self") as? [Int] == [3, 1, 3])
    try realm.write { realm.add(library) }
    #expect(library.years.value(forKeyPath: "@max.self") as? Int == 3)
    #expect(library.years.value(forKeyPath: "@distinctUnionOfObjects.self") as? [Int] == [3, 1])
    #expect(library.opening.value(forKey: "mon") as? String == "9-17")
    try realm.write {
      library.opening.setValue("closed", forKey: "sun")
      library.opening.setValue(nil, forKey: "mon")
    }
    #expect(library.opening.keys == ["sun"])
    let all = realm.objects(Library.self)
    #expect(all.value(forKeyPath: "@unionOfArrays.years") as? [Int] == [3, 1, 3])
    #expect(all.value(forKeyPath: "@distinctUnionOfArrays.years") as? [Int] == [3, 1])
  }

  @Test func programmingErrors() {
    let unknown = Misuse.trap("setValue: for a misspelt property")
    #expect(
      unknown.contains("Invalid property name 'trakcs' for class 'Station'. Did you mean 'tracks'?")
    )
    let key = Misuse.trap("setValue: for the primary key")
    #expect(key.contains("Primary key can't be changed after an object is inserted."))
    let outside = Misuse.trap("setValue: outside of a transaction")
    #expect(outside.contains("outside of a write transaction"))
    let type = Misuse.trap("setValue: of another type")
    #expect(type.contains("for 'int' property 'Station.tracks'."))
    let values = Misuse.trap("setValue: for a property of numbers")
    #expect(values.contains("'Int' is not a class of objects and has no property 'x'."))
  }
}

class Crate: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var count = 0
  @Persisted(indexed: true) var label = ""
  @Persisted var price: Double?
  @Persisted var code: UUID?
  @Persisted var place: GeoPoint?
  @Persisted var tags: List<String>
  @Persisted var anything: AnyRealmValue
  @Persisted var book: Book?
  @Persisted var books: List<Book>
}

/// The values of a crate in plain Swift.
struct CrateValues: Equatable {
  var count: Int
  var label: String
  var price: Double?
  var code: Int
  var place: GeoPoint?
  var tags: [String]
  var anything: Int
  var book: String?
  var books: [String]

  init(_ crate: Crate) {
    count = crate.count
    label = crate.label.utf8.count < 9 ? crate.label : "\(crate.label.utf8.count)"
    price = crate.price
    code = Int(crate.code?.uuid.15 ?? 0)
    place = crate.place
    tags = Array(crate.tags)
    anything = crate.anything.listValue?.count ?? 0
    book = crate.book?.title
    books = crate.books.map(\.title)
  }
}
