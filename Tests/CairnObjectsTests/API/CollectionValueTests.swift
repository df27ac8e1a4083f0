import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct CollectionValueTests {
  static var value: [String: Any] {
    [
      "name": "City", "years": [1990, 2001], "ratings": [1.5, NSNull(), 3] as [Any],
      "tags": ["old", "quiet", "old"], "opening": ["mon": "9-17", "tue": "9-20"],
      "anything": ["a": [1, "x", NSNull()] as [Any], "b": true] as [String: Any],
      "rooms": [["seats": 4, "windows": ["n", "s"]], ["seats": 2]] as [[String: Any]],
      "branches": [["name": "North"], ["name": "South"]],
      "byCity": ["Bonn": ["name": "B"]], "entrance": ["seats": 1],
    ]
  }

  static func check(_ library: Library) {
    #expect(Array(library.years) == [1990, 2001])
    #expect(Array(library.ratings) == [1.5, nil, 3])
    #expect(Set(library.tags) == ["old", "quiet"])
    #expect(library.opening["mon"] == "9-17")
    #expect(library.opening.count == 2)
    let map = library.anything.dictionaryValue
    #expect(map?["b"] == true)
    #expect(map?["a"]?.listValue.map { Array($0) } == [1, "x", .none])
    #expect(library.rooms.map(\.seats) == [4, 2])
    #expect(Array(library.rooms[0].windows) == ["n", "s"])
    #expect(library.branches.map(\.name) == ["North", "South"])
    #expect(library.byCity["Bonn"]??.name == "B")
    #expect(library.entrance?.seats == 1)
  }

  @Test func everyCollection() { Self.check(Library(value: Self.value)) }

  @Test func created() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let library = try realm.write { realm.create(Library.self, value: Self.value) }
    Self.check(library)
    #expect(realm.objects(Library.self).count == 4)
    let copy = try realm.write { realm.create(Library.self, value: library) }
    Self.check(copy)
    #expect(copy.branches[0].isSameObject(as: library.branches[0]))
    #expect(!copy.rooms[0].isSameObject(as: library.rooms[0]))
    #expect(realm.objects(Library.self).count == 5)
  }

  @Test func fromAnotherRealm() throws {
    let (here, there) = (TemporaryStore(), TemporaryStore())
    let (realm, other) = (try here.realm(), try there.realm())
    let library = try realm.write { realm.create(Library.self, value: Self.value) }
    let copy = try other.write { other.create(Library.self, value: library) }
    Self.check(copy)
    #expect(other.objects(Library.self).count == 4)
  }

  @Test func collectionsAsValues() {
    let library = Library(value: Self.value)
    let other = Library(value: [
      "years": Set([3]), "tags": library.tags, "opening": library.opening,
      "branches": library.branches,
    ])
    #expect(Array(other.years) == [3])
    #expect(Set(other.tags) == ["old", "quiet"])
    #expect(other.opening["tue"] == "9-20")
    #expect(other.branches[1] === library.branches[1])
    library.branches.removeAll()
    #expect(other.branches.count == 2)
  }

  @Test(arguments: [
    ("years", ["x"] as any Sendable, "for 'int' array property 'Library.years'."),
    ("years", 5, "Invalid value '5' of type 'Int' for 'int' array property 'Library.years'."),
    ("years", [1, nil] as [Int?], "for 'int' array property 'Library.years'."),
    ("tags", [1], "for 'string' set property 'Library.tags'."),
    ("opening", ["a": 1], "for 'string' dictionary property 'Library.opening'."),
    ("opening", ["a"], "for 'string' dictionary property 'Library.opening'."),
    ("rooms", [5], "for 'object' array property 'Library.rooms'."),
    ("rooms", [["seats": "x"]], "of type 'String' for 'int' property 'Room.seats'."),
  ])
  func whatDoesNotFit(_ property: String, _ value: any Sendable, _ sentence: String) throws {
    let error = try #require(throws: Realm.Error.self) {
      try Library(validating: [property: value])
    }
    #expect(error.description.contains(sentence), "\(error.description)")
  }

  @Test func subscriptsByName() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let library = Library()
    library["name"] = "City"
    library["years"] = [1, 2]
    #expect(library.name == "City")
    #expect((library["years"] as? List<Int>).map { Array($0) } == [1, 2])
    try realm.write {
      realm.add(library)
      library["years"] = [3]
      library["tags"] = ["a"]
      library["anything"] = 5
      library["entrance"] = ["seats": 7]
      library.setValue([["seats": 8]], forKey: "rooms")
      library["branches"] = [["name": "North"]]
    }
    #expect(Array(library.years) == [3])
    #expect(Set(library.tags) == ["a"])
    #expect(library["anything"] as? Int == 5)
    #expect(library.value(forKeyPath: "entrance.seats") as? Int == 7)
    #expect(library.rooms.map(\.seats) == [8])
    #expect(library.branches.first?.name == "North")
    try realm.write {
      library["anything"] = nil
      library["entrance"] = nil
    }
    #expect(library["anything"] == nil)
    #expect(library["entrance"] == nil)
    #expect(library.value(forKeyPath: "entrance.seats") == nil)
  }

  @Test func programmingErrors() {
    let unknown = Misuse.trap("subscript: a misspelt property")
    #expect(
      unknown.contains(
        "Invalid property name 'nmae' for class 'Station'. Did you mean 'name'?"))
    let wrong = Misuse.trap("subscript: a value of another type")
    #expect(wrong.contains("Invalid value '5' of type 'Int' for 'string' property 'Station.name'."))
    let outside = Misuse.trap("subscript: outside of a transaction")
    #expect(outside.contains("outside of a write transaction"))
  }

  @Test func coding() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let library = Library(value: Self.value)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let decoded = try JSONDecoder().decode(Library.self, from: encoder.encode(library))
    Self.check(decoded)
    try realm.write { realm.add(library) }
    Self.check(try JSONDecoder().decode(Library.self, from: encoder.encode(library)))
  }

  /// `.all` creates new objects; `.modified` updates those at the same indexes, because they have
  /// no key.
  @Test(arguments: [(Realm.UpdatePolicy.all, ["a", "b", "c"]), (.modified, ["c", "b"])])
  func updatesReplaceCollections(_ policy: Realm.UpdatePolicy, _ names: [String]) throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    try realm.write {
      realm.create(
        Member.self,
        value: ["id": 1, "libraries": [["name": "a"], ["name": "b"]]] as [String: Any])
      realm.create(
        Member.self, value: ["id": 1, "libraries": [["name": "c"]]] as [String: Any],
        update: policy)
      realm.create(Member.self, value: ["id": 1] as [String: Any], update: policy)
    }
    let member = try #require(realm.objects(Member.self).first)
    #expect(member.libraries.map(\.name) == ["c"])
    #expect(realm.objects(Library.self).map(\.name) == names)
  }

  @Test func deletingFromCollections() throws {
    let file = TemporaryStore()
    let realm = try file.realm()
    let library = try realm.write { realm.create(Library.self, value: Self.value) }
    try realm.write { realm.delete(library.byCity) }
    #expect(library.byCity.keys == ["Bonn"])
    #expect(library.byCity["Bonn"] == .some(nil))
    try realm.write { realm.delete(library.branches) }
    #expect(library.branches.isEmpty)
    #expect(realm.objects(Library.self).count == 1)
    try realm.write { realm.delete(library.rooms[0]) }
    #expect(library.rooms.map(\.seats) == [2])
  }
}
