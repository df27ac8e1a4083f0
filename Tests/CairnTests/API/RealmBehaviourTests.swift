import Cairn
import CairnTestSupport
import Foundation
import Testing

private class Robin: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var word = ""
  @Persisted var number: Int?
  @Persisted var other: Int?
  @Persisted var text: String?
  @Persisted var length: Decimal128 = 0
  @Persisted var anything: AnyRealmValue
  @Persisted var holds: List<Int>
  @Persisted var marks: MutableSet<String>
  @Persisted var names: List<RobinName>
  @Persisted var friends: List<Robin>
  @Persisted var parent: Robin?
}

private class Wren: Object {
  @Persisted var word = ""
}

private struct RobinName: CustomPersistable, Hashable {
  let text: String
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

private class RobinCard: Projection<Robin> {
  @Projected(\Robin.word.count) var size
  @Projected(\Robin.parent?.word) var parentWord
  @Projected(\Robin.parent) var parent
  @Projected(\Robin.holds) var holds
}

extension Robin {
  fileprivate var pair: (Robin?, String) { (parent, word) }
}

private class RobinMixedCard: Projection<Robin> {
  @Projected(\Robin.anything) var anything
  @Projected(\Robin.pair) var pair
}

/// Behaviour of Realm that its programs rely on and the reference pages do not mention.
@Suite(.tags(.threads)) struct RealmBehaviourTests {
  private let onQueue = QueueRealm()

  private func withRobins(_ values: [[String: Any]], _ body: (Realm) throws -> Void) throws {
    try onQueue { realm in
      try realm.write { for value in values { realm.add(Robin(value: value)) } }
      try body(realm)
    }
  }

  // MARK: Queries

  @Test func comparisonsOfTwoNulls() throws {
    let robins: [[String: Any]] = [["id": 1], ["id": 2, "number": 3], ["id": 3, "other": 4]]
    try withRobins(robins) { realm in
      let all = realm.objects(Robin.self)
      func ids(_ results: Results<Robin>) -> [Int] { results.map(\.id) }
      #expect(ids(all.where { $0.number >= $0.other }) == [1])
      #expect(ids(all.where { $0.number <= $0.other }) == [1])
      #expect(ids(all.filter("number == other")) == [1])
      #expect(ids(all.filter("number <= number")) == [1, 2, 3])
      #expect(ids(all.filter("NOT number <= other")) == [2, 3])
      #expect(ids(all.filter("number < other OR number > other")) == [])
      #expect(ids(all.filter("text >= text")) == [1, 2, 3])
    }
  }

  /// A count of the collection that the outer count tests goes on from its elements.
  @Test func aCountWithinACount() throws {
    let grandchild: [String: Any] = ["id": 3, "number": 5]
    let child: [String: Any] = ["id": 2, "friends": [grandchild]]
    try withRobins([["id": 1, "friends": [child, ["id": 4]]]]) { realm in
      let found = realm.objects(Robin.self).where {
        (($0.friends.number == 5).count > 0 && $0.friends.id > 1).count == 1
      }
      #expect(found.map(\.id) == [1])
    }
  }

  @Test func theIndexOfAValue() throws {
    let loose = List<Int>()
    loose.append(objectsIn: [4, 5, 6])
    #expect(loose.index(matching: NSPredicate(format: "SELF > 4")) == 1)
    try withRobins([["id": 1, "holds": [4, 5, 6], "marks": ["a", "b"]]]) { realm in
      let robin = try #require(realm.objects(Robin.self).first)
      #expect(robin.holds.index(matching: NSPredicate(format: "SELF > 4")) == 1)
      #expect(robin.holds.index(matching: "self == %@ OR self > 9", 6) == 2)
      #expect(robin.holds.index(matching: "self IN {7, 8}") == nil)
      #expect(robin.marks.index(matching: "SELF BEGINSWITH 'b'") == 1)
      #expect(throws: Predicate.Error.self) {
        try robin.holds.index(matching: Predicate("size == 4"))
      }
    }
  }

  // MARK: Values

  @Test(arguments: [
    (Decimal(5.5) as any Sendable, "5.5"), (Float(1.1), "1.1"), (1.1, "1.1"), (Int8(3), "3"),
    ("1.5", "1.5"),
  ])
  func decimals(value: any Sendable, text: String) throws {
    let expected = try Decimal128(string: text)
    #expect(Robin(value: ["length": value]).length == expected)
    guard !(value is String) else { return }
    let any = Robin(value: ["anything": value]).anything
    #expect(any == .decimal128(expected) || !(value is Decimal))
  }

  @Test func valuesByNameAsObjects() throws {
    try withRobins([["id": 1, "word": "a"], ["id": 2, "text": "b"]]) { realm in
      let words: [AnyObject] = realm.objects(Robin.self).value(forKey: "word")
      #expect(words.map { $0 as? String } == ["a", ""])
      let texts: [AnyObject] = realm.objects(Robin.self).value(forKey: "text")
      #expect(texts[0] is NSNull && texts[1] as? String == "b")
    }
  }

  @Test func anObjectOfAnotherClassIsNoLink() {
    #expect(throws: Realm.Error.self) {
      try Robin(validating: ["parent": Wren()], tolerating: .all)
    }
    #expect(throws: Realm.Error.self) {
      try Robin(validating: ["friends": [Wren()]], tolerating: .all)
    }
    #expect(Robin(value: Wren(value: ["word": "w"])).word == "w")
  }

  @Test func nullIsNoElementOfACustomType() {
    let error = #expect(throws: Realm.Error.self) {
      try Robin(validating: ["names": ["a", NSNull()]], tolerating: .all)
    }
    #expect(error?.description.contains("The element at 1") == true)
  }

  // MARK: Observers

  @Test func writingTheSameValueNotifies() throws {
    try withRobins([["id": 1, "word": "a", "number": 4]]) { realm in
      let robin = try #require(realm.objects(Robin.self).first)
      var seen: [String] = []
      let tokens = [
        robin.observe { change in
          if case .change(_, let properties) = change {
            seen += properties.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
          }
        },
        realm.objects(Robin.self).observe { change in
          if case .update(_, [], [], let modified) = change { seen.append("\(modified)") }
        },
      ]
      realm.refresh()
      for change in [{ robin.word = "a" }, { robin.number = 4 }, { robin.parent = nil }] {
        try realm.write(change)
        realm.refresh()
      }
      #expect(seen == ["word a a", "[0]", "number 4 4", "[0]", "parent nil nil", "[0]"])
      // An update of what differs leaves the rest alone.
      try realm.write {
        realm.create(Robin.self, value: ["id": 1, "word": "a"], update: .modified)
      }
      realm.refresh()
      #expect(seen.count == 6)
      withExtendedLifetime(tokens) {}
    }
  }

  /// Equal values count beside other edits of the chunk, when they were set back, and in bulk.
  @Test func equalWritesAmongOthers() throws {
    let robins = (1...3).map { ["id": $0, "word": "w\($0)"] as [String: Any] }
    try withRobins(robins) { realm in
      let all = realm.objects(Robin.self)
      var seen: [[Int]] = []
      let token = all.observe { change in
        if case .update(_, [], [], let modified) = change { seen.append(modified) }
      }
      realm.refresh()
      try realm.write {
        all[0].word = "w1"
        all[1].word = "new"
      }
      realm.refresh()
      try realm.write {
        all[2].word = "x"
        all[2].word = "w3"
      }
      realm.refresh()
      try realm.write { all.setValue("same", forKey: "word") }
      realm.refresh()
      try realm.write { all.setValue("same", forKey: "word") }
      realm.refresh()
      #expect(seen == [[0, 1], [2], [0, 1, 2], [0, 1, 2]])
      withExtendedLifetime(token) {}
    }
  }

  @Test func oldObjectsInProjectedMixedValues() throws {
    try withRobins([["id": 1, "parent": ["id": 2, "word": "x"]]]) { realm in
      let robin = try #require(realm.object(ofType: Robin.self, forPrimaryKey: 1))
      let parent = try #require(robin.parent)
      try realm.write { robin.anything = .object(parent) }
      var old: [Any?] = []
      let token = RobinMixedCard(projecting: robin).observe { change in
        if case .change(_, let properties) = change { old += properties.map(\.oldValue) }
      }
      realm.refresh()
      try realm.write { robin.anything = 5 }
      realm.refresh()
      try realm.write {
        parent.word = "y"
        robin.anything = try! #require(old.first as? AnyRealmValue)
      }
      realm.refresh()
      try realm.write { robin.word = "pair" }
      realm.refresh()
      #expect(robin.anything.object(Robin.self)?.word == "y")
      #expect(old.count == 3 && old[1] as? AnyRealmValue == .int(5) && old[2] == nil)
      withExtendedLifetime(token) {}
    }
  }

  @Test func oldValuesOfProjections() throws {
    try withRobins([["id": 1, "word": "abc", "parent": ["id": 2, "word": "x"]]]) { realm in
      let robin = try #require(realm.object(ofType: Robin.self, forPrimaryKey: 1))
      var seen: [String] = []
      let token = RobinCard(projecting: robin).observe { change in
        guard case .change(_, let properties) = change else { return }
        for property in properties {
          let values = [property.oldValue, property.newValue].map { value in
            (value as? Robin).map { "\($0.word)" } ?? value.map { "\($0)" } ?? "nil"
          }
          seen.append("\(property.name) \(values[0]) \(property.name == "holds" ? "" : values[1])")
        }
      }
      realm.refresh()
      try realm.write { robin.word = "abcde" }
      realm.refresh()
      try realm.write { robin.parent?.word = "xy" }
      realm.refresh()
      try realm.write {
        robin.parent = nil
        robin.holds.append(1)
      }
      realm.refresh()
      #expect(
        seen == ["size 3 5", "parentWord x xy", "parentWord xy nil", "parent xy nil", "holds nil "])
      withExtendedLifetime(token) {}
    }
  }

  // MARK: Schemas and errors

  @Test func dynamicObjectsKnowTheProgramsClasses() throws {
    try withRobins([["id": 1, "holds": [4, 5], "parent": ["id": 2]]]) { realm in
      let robin = try #require(realm.dynamicObjects("Robin").first)
      #expect((robin["parent"] as? Robin)?.id == 2)
      #expect(Array(robin.dynamicList("holds") as List<Int>) == [4, 5])
      #expect(robin.dynamicList("friends").isEmpty)
      #expect(robin.value(forKeyPath: "parent.id") as? Int == 2)
      // Values that do not fit are refused, and no object is added.
      try realm.write {
        for wrong in [[Wren()] as Any, [["id": 8], NSNull()], [["id": 8], 5]] {
          #expect(throws: Realm.Error.self) {
            try robin.setValue(validating: wrong, forKey: "friends")
          }
        }
      }
      #expect(realm.objects(Robin.self).count == 2)
      #expect(robin.objectSchema["id"]?.isIndexed == true)
      #expect(robin.objectSchema["word"]?.isIndexed == false)
    }
  }

  @Test func theSchemaHasTheListedClasses() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let url = URL(fileURLWithPath: folder.file())
    let both = Realm.Configuration(fileURL: url, objectTypes: [Robin.self, Wren.self])
    #expect(
      try Realm(configuration: both).schema.objectSchema.map(\.className) == ["Robin", "Wren"])
    let one = Realm.Configuration(fileURL: url, objectTypes: [Wren.self])
    #expect(try Realm(configuration: one).schema.objectSchema.map(\.className) == ["Wren"])
  }

  @Test func codesOfFilesThatDoNotOpen() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    try Data("no store".utf8).write(to: URL(fileURLWithPath: folder["text"]))
    let cases: [(String, Realm.Error.Code)] = [
      ("text", .invalidDatabase), ("text/a.cairn", .fileOperationFailed),
      ("none/a.cairn", .fileNotFound),
    ]
    for (name, code) in cases {
      let url = URL(fileURLWithPath: folder[name])
      let error = await #expect(throws: Realm.Error.self) {
        try await Realm(
          configuration: Realm.Configuration(fileURL: url), downloadBeforeOpen: .once)
      }
      #expect(error?.code == code, "\(name)")
    }
  }
}
