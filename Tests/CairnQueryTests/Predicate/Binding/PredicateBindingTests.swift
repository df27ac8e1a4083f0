import CairnQuery
import CairnStorage
import CairnValues
import Testing

@Suite struct PredicateBindingTests {
  static let schema = TableSchema(
    id: 1, name: "City",
    columns: [
      column("name", .string, 0), column("population", .int, 1), column("height", .double, 2),
      column("weight", .float, 3), column("price", .decimal128, 4), column("capital", .bool, 5),
      column("founded", .date, 6), column("location", .point, 7), column("_id", .objectId, 8),
      column("code", .uuid, 9), column("blob", .data, 10), column("native name", .string, 11),
      column("a.b", .int, 12), column("owner", .link, 13), column("anything", .mixed, 14),
      ColumnSchema(id: 15, name: "tags", type: .string, collection: .list, position: 15),
      column("area", .double, 16), column("count", .int, 17),
    ])

  private static func column(_ name: String, _ type: ValueType, _ position: Int) -> ColumnSchema {
    ColumnSchema(
      id: UInt16(position), name: name, type: type, isOptional: true, position: position)
  }

  static func bound(_ text: String) throws -> String {
    try Predicate(parsing: text).bound(to: schema).description
  }

  /// Predicates, and their simplified form once the class is known.
  @Test(arguments: [
    ("population > 5", "population > 5"),
    ("population > 5.5", "population > 5.5"),
    ("population == decimal128(5)", "population == decimal128(5)"),
    ("height == 5", "height == 5"),
    ("weight == 0.1", "weight == float(0.1)"),
    ("weight == 0.12345678901", "weight == 0.12345678901"),
    ("weight < 5", "weight < 5"),
    ("price == 19.99", "price == decimal128(19.99)"),
    ("price == 20", "price == decimal128(20)"),
    ("price IN {1, 2.5}", "price IN {decimal128(1), decimal128(2.5)}"),
    ("price BETWEEN {1, 2.5}", "price BETWEEN {decimal128(1), decimal128(2.5)}"),
    ("capital == 1", "capital == true"),
    ("capital != 0", "capital != false"),
    ("capital == YES", "capital == true"),
    ("founded > '1999-12-31'", "founded > 1999-12-31"),
    ("founded > '1999-12-31T10:00:00Z'", "founded > 1999-12-31T10:00:00Z"),
    ("'1999-12-31' < founded", "founded > 1999-12-31"),
    ("founded IN {'1999-12-31', nil}", "founded IN {1999-12-31, nil}"),
    ("name == '1999-12-31'", "name == '1999-12-31'"),
    ("name < nil", "FALSEPREDICATE"),
    ("population > nil", "FALSEPREDICATE"),
    ("population <= nil", "population == nil"),
    ("population >= nil", "population == nil"),
    ("population != nil", "population != nil"),
    ("population BETWEEN {nil, 5}", "FALSEPREDICATE"),
    ("height == nan", "FALSEPREDICATE"),
    ("height != nan", "TRUEPREDICATE"),
    ("height >= nan", "FALSEPREDICATE"),
    ("height IN {1, nan}", "height IN {1}"),
    ("height IN {nan}", "FALSEPREDICATE"),
    ("height IN {}", "FALSEPREDICATE"),
    ("height BETWEEN {nan, 1}", "FALSEPREDICATE"),
    ("name CONTAINS ''", "FALSEPREDICATE"),
    ("name BEGINSWITH nil", "FALSEPREDICATE"),
    ("blob ENDSWITH base64('')", "FALSEPREDICATE"),
    ("name LIKE ''", "name LIKE ''"),
    ("name LIKE nil", "name == nil"),
    ("name MATCHES ''", "name MATCHES ''"),
    ("name MATCHES[c] nil", "FALSEPREDICATE"),
    ("name ==[c] nil", "name == nil"),
    ("NOT height == nan", "TRUEPREDICATE"),
    ("height == nan OR name == 'x'", "name == 'x'"),
    ("height == nan AND name == 'x'", "FALSEPREDICATE"),
    ("height != nan AND name == 'x'", "name == 'x'"),
    ("height != nan OR name == 'x'", "TRUEPREDICATE"),
    ("NOT (height == nan OR name == 'x')", "NOT name == 'x'"),
    ("height != nan AND population <= nil AND (TRUEPREDICATE)", "population == nil"),
    ("population < height", "population < height"),
    ("`native name` CONTAINS[cd] name", "`native name` CONTAINS[cd] name"),
    ("`a.b` == 1", "`a.b` == 1"),
    ("owner == nil", "owner == nil"),
    ("location != nil", "location != nil"),
    ("location == geoPoint([1, 2])", "location == geoPoint([1.0, 2.0])"),
    ("location IN geoBox([0, 0], [1, 1])", "location GEOWITHIN geoBox([0.0, 0.0], [1.0, 1.0])"),
    ("_id == oid(000000000000000000000001)", "_id == oid(000000000000000000000001)"),
    ("count == 1", "count == 1"),
  ])
  func bindings(_ text: String, _ expected: String) throws {
    #expect(try Self.bound(text) == expected)
  }

  @Test(arguments: BindingErrors.cases)
  func rejectedPredicatesAndTheirMessages(_ text: String, _ expected: String) {
    do throws(PredicateError) {
      let bound = try Predicate(parsing: text).bound(to: Self.schema)
      Issue.record("'\(text)' was bound as \(bound)")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func anErrorInABuiltTreeHasNoOffset() throws {
    let built = Predicate(.compare(.property("populaton"), .equal, .value(.int(1)), []))
    do throws(PredicateError) {
      _ = try built.bound(to: Self.schema)
      Issue.record("the predicate was bound")
    } catch {
      #expect(error.kind == .unknownProperty)
      #expect(error.offset == nil)
      #expect(!error.description.contains("^"))
    }
  }

  @Test func bindingTwiceChangesNothing() throws {
    for text in ["price == 19.99 AND founded > '1999-12-31'", "NOT (height == nan OR name == 'x')"]
    {
      let once = try Predicate(parsing: text).bound(to: Self.schema)
      #expect(try Predicate(once.root.written).bound(to: Self.schema) == once)
    }
  }

  @Test(arguments: [
    ("populaton", "population"), ("POPULATION", "population"), ("nmae", "name"), ("xyzzy", nil),
    ("locaton", "location"), ("n", nil),
  ])
  func nearestNames(_ wrong: String, _ right: String?) {
    #expect(NearestName.of(wrong, among: Self.schema.columns.map(\.name)) == right)
  }
}
