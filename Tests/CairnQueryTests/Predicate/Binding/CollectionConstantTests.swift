import CairnQuery
import CairnStorage
import CairnValues
import Testing

/// List and map constants.
@Suite struct CollectionConstantTests {
  private let classes = StoreSchema(tables: [
    TableSchema(
      id: 0, name: "Box",
      columns: [
        ColumnSchema(id: 0, name: "blend", type: .mixed, position: 0),
        ColumnSchema(id: 1, name: "anys", type: .mixed, collection: .list, position: 1),
        ColumnSchema(id: 2, name: "number", type: .int, position: 2),
      ])
  ])

  @Test(arguments: [
    "blend == {}", "blend != {:}", "blend == {1, 'x', nil}", "blend == {{1, {2}}, {}}",
    "blend == {'a': 1, 'b': {'c': {}}}", "blend[0] == {1}", "blend['k'] != {'x': nil}",
    "ANY anys == {1}", "ALL anys != {'a': true}",
  ])
  func collectionConstantsPrintAsTheyAreParsed(text: String) throws {
    let predicate = try Predicate(parsing: text)
    #expect(predicate.description == text)
    let table = try #require(classes.tables.first)
    #expect(try predicate.bound(to: table, in: classes).description == text)
  }

  @Test func keysArePrintedInOrder() throws {
    let predicate = try Predicate(parsing: "blend == {'b': 1, 'a': 2, 'b': 3}")
    #expect(predicate.description == "blend == {'a': 2, 'b': 3}")
  }

  @Test(arguments: [
    ("blend == {1, 'k': 2}", "A map has a key for each value."),
    ("blend == {1: 2}", "The keys of a map are texts."), ("blend == {'k': }", "Expected a value"),
    ("blend == {'k'", "Expected ',' or '}' in the list"), ("blend == {:1}", "Expected '}'"),
    ("blend == {number}", "A list holds constants."), ("blend IN {{1}}", "A list holds constants."),
    ("blend BEGINSWITH {1}", "BEGINSWITH takes one text."),
  ])
  func malformedConstantsAndTheirMessages(text: String, message: String) {
    let error = #expect(throws: PredicateError.self) { try Predicate(parsing: text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func deeplyNestedConstantsAreRejected() throws {
    func text(_ depth: Int) -> String {
      "blend == " + String(repeating: "{", count: depth) + String(repeating: "}", count: depth)
    }
    #expect(try Predicate(parsing: text(100)).description == text(100))
    let error = #expect(throws: PredicateError.self) { try Predicate(parsing: text(101)) }
    #expect(error?.kind == .tooLarge)
    #expect(throws: PredicateError.self) { try Predicate(parsing: text(100_000)) }
  }

  @Test(arguments: [
    ("number == {1}", "'==' compares with one value; a list goes with IN or BETWEEN."),
    ("blend < {1}", "'<' compares with one value; a list goes with IN or BETWEEN."),
    ("blend > {'k': 1}", "'>' compares with one value"),
    ("blend ==[c] {'a'}", "Lists and maps are compared by == and !="),
    ("anys.@count == {1}", "'==' compares with one value"),
  ])
  func propertiesThatAreNotMixedRejectCollections(text: String, message: String) throws {
    let table = try #require(classes.tables.first)
    let error = #expect(throws: PredicateError.self) {
      try Predicate(parsing: text).bound(to: table, in: classes)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
