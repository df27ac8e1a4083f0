import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Imports that change rows of a class instead of adding some.
struct UpdateImportTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
    let zones =
      "code,name,people,lat,lon\na,Alpha,1,47,8\nb,Beta,2,46,7\nb,Twin,3,45,6\n,None,4,1,2\n"
    _ = try Imported([try folder.write(Array(zones.utf8), as: "zones.csv")], into: store) { _ in }
  }

  private func update(
    _ text: String, as name: String = "figures.csv", by key: String = "code",
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> Imported {
    try Imported([try folder.write(Array(text.utf8), as: name)], into: store) {
      $0.updateKey = key
      change(&$0)
    }
  }

  /// The rows by name: people, and another property.
  private func rows(_ imported: Imported, _ other: String) -> [String: [Value]] {
    let values = ["name", "people", other].map(imported.values)
    return Dictionary(
      uniqueKeysWithValues: imported.rows.indices.map { row in
        (values[0][row].plainText, [values[1][row], values[2][row]])
      })
  }

  @Test func rowsWithTheValueChangeInTheColumnsOfTheFile() throws {
    let imported = try update("code,people,area\nb,20,2.5\nx,30,\na,10,\n")
    #expect(
      rows(imported, "area") == [
        "Alpha": [.int(10), .null], "Beta": [.int(20), .double(2.5)],
        "Twin": [.int(20), .double(2.5)], "None": [.int(4), .null],
      ])
    #expect(imported.summary.updated == 3)
    #expect(imported.summary.unpaired == 1)
    #expect(imported.summary.inserted == 0)
    #expect(imported.summary.widened == ["area: new, double?"])
    #expect(imported.columns.map(\.name) == ["code", "name", "people", "location", "area"])
    #expect(imported.values("location").allSatisfy { $0 != .null })
  }

  @Test func typesAreWidened() throws {
    let imported = try update("people,code\n1.5,a\n")
    #expect(rows(imported, "code")["Alpha"] == [.double(1.5), .string("a")])
    #expect(rows(imported, "code")["Beta"] == [.double(2), .string("b")])
    #expect(imported.summary.widened == ["people: int -> double"])
  }

  @Test func jsonAndLocationsChangeRows() throws {
    let text = #"[{"code": "a", "people": 7, "tag": "x"}, {"code": "b", "people": 8}]"#
    let imported = try update(text, as: "figures.json")
    #expect(rows(imported, "tag")["Alpha"] == [.int(7), .string("x")])
    #expect(rows(imported, "tag")["Twin"] == [.int(8), .null])
    let moved = try update("code,lat,lon\na,10,20\n")
    let place = Value.point(Position(latitude: 10, longitude: 20))
    #expect(rows(moved, "location")["Alpha"] == [.int(7), place])
  }

  @Test func aValueThatTwoRowsHaveIsAnErrorWithBothLines() throws {
    let before = try Imported.read(store, "Thing").1
    let error = try #require(throws: ImportError.self) {
      try update("code,people\na,1\nb,2\na,3\n")
    }
    #expect(error.message.contains("figures.csv:2: `code` is a, and "), "\(error)")
    #expect(
      error.message.hasSuffix("figures.csv:4: `code` is a; a value may occur once"), "\(error)")
    #expect(try Imported.read(store, "Thing").1 == before)
  }

  @Test func rowsWithoutTheValueAreRejected() throws {
    let text = "code,people\n,9\na,8\n"
    let error = try #require(throws: ImportError.self) { try update(text) }
    #expect(error.message.contains("figures.csv:2: `code` is missing"), "\(error)")
    let imported = try update(text) { $0.onError = .skip }
    #expect(imported.summary.rejected == 1)
    #expect(rows(imported, "code")["Alpha"] == [.int(8), .string("a")])
    #expect(rows(imported, "code")["None"] == [.int(4), .null])
  }

  @Test func conditionsApplyToTheFiles() throws {
    let imported = try update("code,people\na,1\nb,20\n") {
      $0.condition = try? Predicate(parsing: "people > 1")
    }
    #expect(imported.summary.unmatched == 1)
    #expect(imported.summary.updated == 2)
    #expect(rows(imported, "code")["Twin"] == [.int(20), .string("b")])
  }

  @Test(arguments: [
    ("people,area\n1,2\n", "code", "no column"), ("code,people\na,1\n", "nope", "`nope`"),
    ("location,people\nx,1\n", "location", "by whose values rows are not found"),
    ("people,area\n1.5,2\n", "people", "`people` is of type int, and the file has double there"),
  ])
  func rowsThatCannotBeFoundAreAnError(text: String, key: String, part: String) throws {
    let error = try #require(throws: ImportError.self) { try update(text, by: key) }
    #expect(error.message.contains(part), "\(error)")
  }

  @Test func aClassIsNeeded() throws {
    let error = try #require(throws: ImportError.self) {
      try update("code,people\na,1\n") { $0.className = "Other" }
    }
    #expect(error.kind == .usage)
    #expect(error.message.contains("the store has no class Other"))
  }

  @Test func thePrimaryKeyDoesNotChange() throws {
    let text = "id,code,lat,lon\n1,a,1,2\n"
    _ = try Imported([try folder.write(Array(text.utf8), as: "keyed.csv")], into: store) {
      ($0.className, $0.primaryKey) = ("Keyed", "id")
    }
    let error = try #require(throws: ImportError.self) {
      try update("id,code\n2,a\n") { $0.className = "Keyed" }
    }
    #expect(error.message.contains("`id`, the primary key of the class, which does not change"))
    let imported = try update("id,code\n1,z\n3,q\n", by: "id") { $0.className = "Keyed" }
    #expect(imported.values("code") == [.string("z")])
    #expect(imported.summary.unpaired == 1)
  }
}
