import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnTestSupport
import Testing

/// Embedded objects of classes that the program does not have, set by name.
@Suite struct DynamicEmbeddingTests {
  private let file = TemporaryStore()

  /// Makes a store with the classes, and opens it without them.
  private func realm() throws -> Realm {
    let store = try Store.open(file.path, mode: .create)
    _ = try store.write { transaction in
      try transaction.createTables([
        TableDraft(
          name: "Lane",
          columns: [ColumnSchema(id: 0, name: "name", type: .string, position: 0)],
          isEmbedded: true),
        TableDraft(
          name: "Hamlet",
          columns: [
            ColumnSchema(id: 0, name: "name", type: .string, position: 0),
            ColumnSchema(
              id: 1, name: "main", type: .embedded, target: "Lane", position: 1),
            ColumnSchema(
              id: 2, name: "streets", type: .embedded, collection: .list, target: "Lane",
              position: 2),
            ColumnSchema(
              id: 3, name: "neighbours", type: .link, collection: .list, target: "Hamlet",
              position: 3),
          ]),
      ])
    }
    return try Realm(configuration: Realm.Configuration(fileURL: file.url))
  }

  @Test func dictionariesBecomeEmbeddedObjects() throws {
    let realm = try realm()
    try realm.write {
      let town = realm.dynamicCreate("Hamlet", value: ["name": "Ulm"])
      town["main"] = ["name": "Main Street"]
      town["streets"] = [["name": "A"], ["name": "B"]]
      town["main"] = ["name": "High Street"]
      #expect(throws: Realm.Error.self) {
        try town.setValue(validating: [["name": "C"], ["name": 5]], forKey: "streets")
      }
    }
    let town = try #require(realm.dynamicObjects("Hamlet").first)
    #expect((town["main"] as? DynamicObject)?["name"] as? String == "High Street")
    #expect(town.dynamicList("streets").map { $0["name"] as? String } == ["A", "B"])
    #expect(realm.dynamicObjects("Lane").count == 3)
    // Neither the object whose value does not fit nor the one before it remains.
    try realm.write {
      #expect(throws: Realm.Error.self) {
        try town.setValue(validating: [["name": "Elm"], ["name": 5]], forKey: "neighbours")
      }
    }
    #expect(realm.dynamicObjects("Hamlet").count == 1)
    #expect(try Store.verify(file.path).lostPages == 0)
  }
}
