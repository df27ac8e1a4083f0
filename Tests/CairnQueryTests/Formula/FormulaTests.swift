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

  /// Texts and numbers; `when` is 2001-01-01 00:16:40.
  private static let functions: [(String, Value)] = [
    ("upper(name)", .string("BASEL")), ("lower('ÄB')", .string("äb")),
    ("upper('straße')", .string("STRASSE")), ("trim('\\t a b\u{A0} ')", .string("a b")),
    ("replace('$1,234', ',', '')", .string("$1234")), ("replace(name, '', 'x')", .string("Basel")),
    ("replace('aaa', 'aa', 'b')", .string("ba")), ("split('a-b--c', '-', 2)", .string("b")),
    ("split('a-b--c', '-', 3)", .string("")), ("split('a-b--c', '-', -1)", .string("c")),
    ("split('a-b', '-', 3)", .null), ("split('a-b', '-', 0)", .null),
    ("split('ab', '', 1)", .string("ab")), ("concat(name, null, n, ' ', x)", .string("Basel7 2.5")),
    ("length(name)", .int(5)), ("length('e\u{301}\u{1F1E8}\u{1F1ED}')", .int(2)),
    ("substring(name, 2)", .string("asel")), ("substring(name, 2, 3)", .string("ase")),
    ("substring(name, 0, 3)", .string("Ba")), ("substring(name, -5, 3)", .string("")),
    ("substring(name, 9)", .string("")), ("substring(name, 2, -1)", .string("")),
    ("regexp_replace('a1b22', '[0-9]+', '#')", .string("a#b#")),
    (
      #"regexp_replace('Basel BS', '([A-Za-z]+) ([A-Z]+)', '$2: $1 $$1')"#,
      .string("BS: Basel $1")
    ),
    ("name || n || '/' || x || flag", .string("Basel7/2.5true")),
    ("when || ''", .string("2001-01-01T00:16:40Z")),
    ("coalesce(null, null, n)", .int(7)), ("coalesce(n / 0, x)", .double(2.5)),
    ("coalesce(null, n, x)", .double(7)), ("coalesce(null, name)", .string("Basel")),
    ("coalesce(null)", .null), ("coalesce(null, uid)", .uuid(uuid)),
  ]

  private static let conditions: [(String, Value)] = [
    ("if(n > 5, 'big', 'small')", .string("big")), ("if(n > 9, n, x)", .double(2.5)),
    ("if(null, 1, 2)", .int(2)), ("if(flag, null, 1)", .null),
    ("if(n == 7 AND NOT x > 3, 1, 0)", .int(1)),
    ("n > 5", .bool(true)), ("n = 7.0", .bool(true)), ("n <> 7", .bool(false)),
    ("name < 'C' AND name >= 'B'", .bool(true)), ("n < 1 OR flag", .bool(true)),
    ("not flag", .bool(false)), ("(!flag) || ''", .string("false")), ("n IS NULL", .bool(false)),
    ("n / 0 IS NULL", .bool(true)), ("n is not null", .bool(true)), ("n / 0 > 1", .bool(false)),
    ("null == null", .bool(true)), ("n + 1 > m * 3 OR false", .bool(true)),
    ("dec == 3 AND dec < x + 1", .bool(true)), ("uid == uid", .bool(true)),
    ("when < '2001-01-02'", .bool(true)), ("n > 5 && m > 5", .bool(false)),
  ]

  private static let casts: [(String, Value)] = [
    ("cast('12' AS int) + 1", .int(13)), ("cast(' 2.50 ' as double)", .double(2.5)),
    ("cast(x AS int)", .int(3)), ("cast(n AS text)", .string("7")),
    ("cast('yes' AS bool)", .bool(true)), ("cast('2001-01-02' AS date)", .date(86_400)),
    ("cast('1.5' AS decimal)", .decimal(Decimal128(1.5))), ("cast(dec AS double)", .double(3)),
    ("cast(flag AS int)", .int(1)), ("cast(null AS int)", .null),
    ("try_cast('x' AS int)", .null), ("try_cast('1e999' AS double)", .null),
    ("cast(replace(replace('$1,234.50', '$', ''), ',', '') AS double)", .double(1234.5)),
    ("cast(regexp_replace('12 %', '[^0-9.]', '') AS double) / 100", .double(0.12)),
  ]

  private static let dates: [(String, Value)] = [
    ("date(when)", .date(0)), ("date(86400)", .date(86_400)), ("date(2001-01-02)", .date(86_400)),
    ("year(when)", .int(2001)), ("quarter(2024-05-01)", .int(2)), ("month(2024-05-01)", .int(5)),
    ("day(2024-05-31)", .int(31)), ("hour(when + 7200)", .int(2)), ("minute(when)", .int(16)),
    ("second(when)", .int(40)), ("weekday(2024-05-05)", .int(7)), ("weekday(1999-12-27)", .int(1)),
    ("week(2024-12-30)", .int(1)), ("week(2021-01-03)", .int(53)), ("week(2020-12-31)", .int(53)),
    ("year(null)", .null), ("now() > when", .bool(true)),
  ]

  @Test func functionsAndConditions() throws {
    try withTable { table in
      for (text, expected) in Self.functions + Self.conditions + Self.casts + Self.dates {
        let value = try Self.value(text, of: table)
        #expect(value == expected, "\(text)")
      }
    }
  }

  @Test(arguments: ["cast(name AS int)", "cast(name AS date)", "cast(x * 1e300 AS int)"])
  func failedCastsNameRowAndValue(text: String) throws {
    try withTable { table in
      let formula = try Formula(parsing: text).bound(to: table.schema)
      let evaluator = FormulaEvaluator(formula, on: table)
      let error = #expect(throws: FormulaError.self) { _ = try evaluator.evaluate([1, 0]) }
      #expect(error?.key == 0 && error?.message.contains("is not a valid") == true)
    }
  }

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

  private static let operators = "There are + - * / || == != < <= > >= AND and OR."
  private static let faults: [(String, String)] = [
    ("", "Expected a value or a property, found the end of the formula.\n  \n  ^"),
    ("n +", "Expected a value or a property, found the end of the formula.\n  n +\n     ^"),
    ("(n", "The parenthesis is never closed.\n  (n\n  ^"),
    ("n)", "Expected an operator or the end of the formula, found ')'. \(operators)"),
    ("n m", "Expected an operator or the end of the formula, found 'm'. \(operators)"),
    ("n == name", "'==' takes values of one type, not of int and string."),
    ("n AND flag", "'n' is of type int; AND takes a condition."),
    ("NOT name", "'name' is of type string; NOT takes a condition."),
    ("if(n, 1, 2)", "'n' is of type int; if takes a condition."),
    ("if(flag, 1, name)", "if takes values of one type, not of int and string."),
    ("if(flag, 1)", "if takes 3 arguments, not 2."),
    ("substring(name)", "substring takes 2 or 3 arguments, not 1."),
    ("concat()", "concat takes 1 or more arguments, not 0."),
    ("upper(n)", "'n' is of type int; upper takes a string."),
    ("year(name)", "'name' is of type string; year takes a date."),
    ("cast(n AS date)", "'n' is of type int, which cannot become a date."),
    ("cast(n, int)", "Expected AS and a type, as in cast(x AS int), found ','."),
    (
      "cast(n AS number)",
      "Expected a type: text, int, double, bool, date and decimal, found 'number'."
    ),
    (
      "regexp_replace(name, name, 'x')",
      "The expression of regexp_replace is a text, not a property."
    ),
    ("regexp_replace(name, '(', 'x')", "'(' is not a regular expression."),
    ("when < 'soon'", "'soon' is not a date."),
    ("len(name)", "There is no function 'len'. Did you mean length?"),
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
    ("location || name", "'location' is of type point, which has no text."),
    ("when * 2", "'when' is of type date; '*' takes numbers."),
    ("1 - when", "'when' is of type date; '-' takes numbers."),
    ("flag + 1", "'flag' is of type bool; '+' takes numbers."),
    ("round(name)", "'name' is of type string; round takes an int or a double."),
    ("round(x, 99)", "Expected the number of decimals, from 0 to 15, found '99'."),
    (
      "floor x",
      "Expected an operator or the end of the formula, found 'x'. \(operators)"
    ),
    ("rond(x)", "There is no function 'rond'. Did you mean round?"),
    (
      "sqrtf(x)",
      "There is no function 'sqrtf'. There are abs, round, floor, ceil, upper, lower, "
    ),
    ("tags", "'tags' is a list of string, which a formula cannot read."),
    ("5kn", "'kn' is not a unit of a length; "),
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
