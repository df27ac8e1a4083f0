import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// The values of formulas, and the errors of their syntax and types.
@Suite struct FormulaTests {
  private static let columns = [
    column("n", .int), column("m", .int), column("x", .double), column("f", .float),
    column("dec", .decimal128), column("name", .string), column("when", .date),
    column("flag", .bool), column("location", .point), column("tags", .string, .list),
    column("odd name", .int), column("a.b", .int), column("uid", .uuid),
  ]

  private static let uuid = UUIDBytes(high: 1, low: 2)

  private static let row: [Value] = [
    .int(7), .int(2), .double(2.5), .float(0.5), .decimal(Decimal128(3)), .string("Basel"),
    .date(1000), .bool(true), .point(Position(latitude: 47.5, longitude: 7.5, altitude: 260)),
    .data([]), .int(11), .int(12), .uuid(uuid),
  ]

  private func withTable(_ body: (Table) throws -> Void) throws {
    let temporary = try TemporaryStore()
    let write = try temporary.store.beginWrite()
    _ = try write.createTable("Thing", columns: Self.columns)
    try write.commit()
    try temporary.store.write { transaction in
      let writer = try #require(transaction.table("Thing"))
      try writer.insert(Self.row)
      try writer.insert(
        Self.columns.map { $0.collection == .none ? .null : .data([]) })
    }
    let snapshot = try temporary.store.snapshot()
    try body(try #require(snapshot.table("Thing")))
  }

  private static func value(_ text: String, of table: Table, key: Int = 0) throws -> Value {
    let formula = try Formula(parsing: text).bound(to: table.schema)
    let results = try FormulaEvaluator(formula, on: table).evaluate([key])
    let value = results.value(0)
    #expect(value.isNull || value.type == formula.type, "\(text)")
    return value
  }

  private static let answers: [(String, Value)] = [
    ("1", .int(1)), ("-1", .int(-1)), ("- 1", .int(-1)), ("+ 1", .int(1)), ("--1", .int(1)),
    ("1.5e3", .double(1500)), ("'text'", .string("text")), ("null", .null), ("NIL", .null),
    ("true", .bool(true)), ("flag", .bool(true)), ("n", .int(7)), ("f", .double(0.5)),
    ("name", .string("Basel")), ("`odd name`", .int(11)), ("a.b", .int(12)),
    ("uid", .uuid(uuid)), ("n + m", .int(9)), ("n - m", .int(5)), ("n -1", .int(6)),
    ("n-1", .int(6)), ("n*m", .int(14)), ("n / m", .double(3.5)), ("n + x", .double(9.5)),
    ("n - m - 1", .int(4)), ("n - (m - 1)", .int(6)), ("1 + 2 * 3", .int(7)),
    ("(1 + 2) * 3", .int(9)), ("8 / 2 / 2", .double(2)), ("2 * -n", .int(-14)),
    ("-n * 2 -1", .int(-15)), ("n / 0", .null), ("x / (m - 2)", .null), ("x / 0.0", .null),
    ("dec / 0", .null), ("n + null", .null), ("null * x", .null), ("-null", .null),
    ("name || null", .null), ("abs(null)", .null), ("dec + 1", .decimal(Decimal128(4))),
    ("dec * x", .decimal(Decimal128(7.5))), ("2 / dec * dec - -dec", .decimal(Decimal128(5))),
    ("name || ', ' || name || ''", .string("Basel, Basel")), ("when + 60", .date(1060)),
    ("60 + when", .date(1060)), ("when - 0.5", .date(999.5)), ("when - when", .double(0)),
    ("when -2001-01-01", .double(1000)), ("2001-01-02", .date(86400)), ("when - null", .null),
    ("abs(m - n)", .int(5)), ("abs(-x)", .double(2.5)), ("round(x)", .double(3)),
    ("round(-x)", .double(-3)), ("floor(-x)", .double(-3)), ("ceil(-x)", .double(-2)),
    ("round(n)", .int(7)), ("round(n / 3, 2)", .double(2.33)), ("ROUND(1e300, 2)", .double(1e300)),
    ("location.latitude", .double(47.5)), ("location.longitude * 2", .double(15)),
    ("location.altitude", .double(260)),
    ("location", .point(Position(latitude: 47.5, longitude: 7.5, altitude: 260))),
    ("-9223372036854775808", .int(.min)), ("9223372036854775807 + 0", .int(.max)),
  ]

  @Test func values() throws {
    try withTable { table in
      for (text, expected) in Self.answers {
        let value = try Self.value(text, of: table)
        #expect(value == expected, "\(text)")
      }
    }
  }

  /// A formula of a property is null where the property is.
  @Test func nullsOfRows() throws {
    try withTable { table in
      for text in [
        "n", "-n", "n + 1", "1 / x", "dec * 2", "name || 'x'", "when + 1", "flag", "uid",
        "round(x)", "abs(n)", "location", "location.latitude + 1",
      ] {
        let value = try Self.value(text, of: table, key: 1)
        #expect(value == .null, "\(text)")
      }
    }
  }

  @Test(arguments: [
    "9223372036854775807 + m", "-9223372036854775808 - m", "4611686018427387904 * m",
    "-(-9223372036854775807 - (m - 1))", "abs(-9223372036854775807 - (m - 1))",
  ])
  func overflowNamesRowAndOperation(text: String) throws {
    try withTable { table in
      // The row of nulls comes first, and does not overflow.
      let formula = try Formula(parsing: text).bound(to: table.schema)
      let evaluator = FormulaEvaluator(formula, on: table)
      let error = #expect(throws: FormulaError.self) { _ = try evaluator.evaluate([1, 0]) }
      #expect(error?.key == 0)
      #expect(error?.message == "'\(text)' is out of the range of integers")
    }
  }

  private static let faults: [(String, String)] = [
    ("", "Expected a value or a property, found the end of the formula.\n  \n  ^"),
    ("n +", "Expected a value or a property, found the end of the formula.\n  n +\n     ^"),
    ("(n", "The parenthesis is never closed.\n  (n\n  ^"),
    ("n)", "Expected an operator or the end of the formula, found ')'. There are + - * / and ||."),
    ("n m", "Expected an operator or the end of the formula, found 'm'. There are + - * / and ||."),
    (
      "n == 1",
      "Expected an operator or the end of the formula, found '=='. "
        + "A formula computes a value; it has no conditions."
    ),
    ("n ~ 1", "'~' does not belong in a formula."),
    ("nn + 1", "'Thing' has no property 'nn'. Did you mean 'n'?"),
    (
      "location.latitud",
      "'Thing' has no property 'location.latitud'. Did you mean 'location.latitude'?"
    ),
    ("name * 2", "'name' is of type string; '*' takes numbers.\n  name * 2\n  ^"),
    (
      "2 + name",
      "'name' is of type string; '+' takes numbers. Texts are joined by ||.\n  2 + name\n      ^"
    ),
    ("-name", "'name' is of type string; a minus sign takes numbers."),
    ("n || name", "'n' is of type int; '||' joins texts."),
    ("when * 2", "'when' is of type date; '*' takes numbers."),
    ("1 - when", "'when' is of type date; '-' takes numbers."),
    ("flag + 1", "'flag' is of type bool; '+' takes numbers."),
    ("round(name)", "'name' is of type string; round takes an int or a double."),
    ("round(x, 99)", "Expected the number of decimals, from 0 to 15, found '99'."),
    (
      "floor x",
      "Expected an operator or the end of the formula, found 'x'. There are + - * / and ||."
    ),
    ("rond(x)", "There is no function 'rond'. Did you mean round?"),
    (
      "sqrtf(x)",
      "There is no function 'sqrtf'. There are abs, round, floor, ceil, and || joins texts."
    ),
    ("tags", "'tags' is a list of string, which a formula cannot read."),
    ("5km", "'km' is not part of a number; "),
    ("'a", "The quote is never closed"),
  ]

  @Test func errors() throws {
    try withTable { table in
      for (text, message) in Self.faults {
        let error = #expect(throws: PredicateError.self, "\(text)") {
          _ = try Formula(parsing: text).bound(to: table.schema)
        }
        #expect(error?.description.hasPrefix(message) == true, "\(text): \(error as Any)")
      }
    }
  }

  @Test func sizeIsLimited() throws {
    for text in [
      String(repeating: "(", count: 300), String(repeating: "-", count: 300) + "n",
      Array(repeating: "1", count: 300).joined(separator: " + "),
      String(repeating: "abs(", count: 100_000),
    ] {
      let error = #expect(throws: PredicateError.self) { _ = try Formula(parsing: text) }
      #expect(error?.kind == .tooLarge)
    }
    _ = try Formula(parsing: Array(repeating: "1", count: 251).joined(separator: " + "))
  }

  @Test func inputs() throws {
    try withTable { table in
      let formula = try Formula(parsing: "distance / 1000 + n")
        .bound(to: table.schema, inputs: ["area", "distance"])
      let evaluator = FormulaEvaluator(
        formula, on: table, inputs: [{ _ in 1 }, { $0 == 0 ? 5000 : nil }])
      let results = try evaluator.evaluate([0, 1])
      #expect(results.value(0) == .double(12))
      #expect(results.isNull(1))
    }
  }
}
