import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

/// Predicates of every form, and their canonical spelling.
@Suite(.tags(.untrusted)) struct CanonicalTextTests {
  @Test(arguments: CanonicalTexts.cases)
  func printsTheCanonicalText(_ text: String, _ canonical: String) throws {
    let predicate = try Predicate(parsing: text)
    #expect(predicate.description == canonical)
    #expect(try Predicate(parsing: canonical) == predicate)
  }

  /// Texts that are already canonical.
  @Test(arguments: CanonicalTexts.unchanged)
  func printsACanonicalTextUnchanged(_ text: String) throws {
    #expect(try Predicate(parsing: text).description == text)
  }
}

/// Texts and their canonical spelling.
enum CanonicalTexts {
  static let cases: [(String, String)] = operators + logic + constants + names + strings + shapes

  static let operators: [(String, String)] = [
    ("a=1", "a == 1"),
    ("a == 1", "a == 1"),
    ("a!=1", "a != 1"),
    ("a<>1", "a != 1"),
    ("a < 1", "a < 1"),
    ("a<1", "a < 1"),
    ("a<=1", "a <= 1"),
    ("a=<1", "a <= 1"),
    ("a>1", "a > 1"),
    ("a>=1", "a >= 1"),
    ("a=>1", "a >= 1"),
    ("a\t>\n1", "a > 1"),
    ("  a > 1  ", "a > 1"),
    ("a\u{A0}>\u{2003}1", "a > 1"),
    ("1 == a", "a == 1"),
    ("1 != a", "a != 1"),
    ("1 < a", "a > 1"),
    ("1 <= a", "a >= 1"),
    ("1 > a", "a < 1"),
    ("1 >= a", "a <= 1"),
    ("'x' ==[c] a", "a ==[c] 'x'"),
    ("nil == a", "a == nil"),
    ("a == b", "a == b"),
    ("a <= b", "a <= b"),
    ("a ==[c] b", "a ==[c] b"),
    ("a between {1,2}", "a BETWEEN {1, 2}"),
    ("a BETWEEN (1, 2)", "a BETWEEN {1, 2}"),
    ("a BETWEEN { -1.5 , 2e3 }", "a BETWEEN {-1.5, 2000.0}"),
    ("a between {'a','b'}", "a BETWEEN {'a', 'b'}"),
    ("a in {1}", "a IN {1}"),
    ("a IN {1,2,3}", "a IN {1, 2, 3}"),
    ("a IN (1,2,3)", "a IN {1, 2, 3}"),
    ("a IN {}", "a IN {}"),
    ("a IN {nil, 'x', 1.5, true}", "a IN {nil, 'x', 1.5, true}"),
    ("a in[cd] {'x'}", "a IN[cd] {'x'}"),
    ("a beginswith 'x'", "a BEGINSWITH 'x'"),
    ("a BeginsWith[C] 'x'", "a BEGINSWITH[c] 'x'"),
    ("a endswith[d] 'x'", "a ENDSWITH[d] 'x'"),
    ("a contains[cd] 'x'", "a CONTAINS[cd] 'x'"),
    ("a contains[dc] 'x'", "a CONTAINS[cd] 'x'"),
    ("a CONTAINS[ c ] 'x'", "a CONTAINS[c] 'x'"),
    ("a like '*x?'", "a LIKE '*x?'"),
    ("a like[c] nil", "a LIKE[c] nil"),
    ("a ==[c]'x'", "a ==[c] 'x'"),
    ("a !=[D]'x'", "a !=[d] 'x'"),
    ("a contains b", "a CONTAINS b"),
    ("a beginswith[c] b", "a BEGINSWITH[c] b"),
    ("a.b.c > 1", "a.b.c > 1"),
    ("a . b > 1", "a.b > 1"),
    ("a.b == c.d", "a.b == c.d"),
    ("a.@sum ['k'].b > 1", "a.@sum['k'].b > 1"),
    ("a.@max.@allKeys > 1", "a.@max.@allKeys > 1"),
  ]

  static let logic: [(String, String)] = [
    ("truepredicate", "TRUEPREDICATE"),
    ("FalsePredicate", "FALSEPREDICATE"),
    ("a = 1 and b = 2", "a == 1 AND b == 2"),
    ("a = 1 && b = 2", "a == 1 AND b == 2"),
    ("a=1&&b=2&&c=3", "a == 1 AND b == 2 AND c == 3"),
    ("a = 1 or b = 2", "a == 1 OR b == 2"),
    ("a=1||b=2", "a == 1 OR b == 2"),
    ("not a = 1", "NOT a == 1"),
    ("!a = 1", "NOT a == 1"),
    ("! ! a = 1", "NOT NOT a == 1"),
    ("NOT (a = 1)", "NOT a == 1"),
    ("NOT a = 1 AND b = 2", "NOT a == 1 AND b == 2"),
    ("NOT (a = 1 AND b = 2)", "NOT (a == 1 AND b == 2)"),
    ("!(a = 1 || b = 2)", "NOT (a == 1 OR b == 2)"),
    ("a = 1 or b = 2 and c = 3", "a == 1 OR b == 2 AND c == 3"),
    ("(a = 1 or b = 2) and c = 3", "(a == 1 OR b == 2) AND c == 3"),
    ("a = 1 and (b = 2 or c = 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("a = 1 and b = 2 or c = 3", "a == 1 AND b == 2 OR c == 3"),
    ("a = 1 or (b = 2 and c = 3)", "a == 1 OR b == 2 AND c == 3"),
    ("a = 1 and (b = 2 and c = 3)", "a == 1 AND b == 2 AND c == 3"),
    ("(a = 1 and b = 2) and c = 3", "a == 1 AND b == 2 AND c == 3"),
    ("a = 1 or (b = 2 or c = 3) or d = 4", "a == 1 OR b == 2 OR c == 3 OR d == 4"),
    ("(((a = 1)))", "a == 1"),
    ("((a = 1) and ((b = 2)))", "a == 1 AND b == 2"),
    ("(a = 1 or b = 2) and (c = 3 or d = 4)", "(a == 1 OR b == 2) AND (c == 3 OR d == 4)"),
    ("NOT (NOT (a = 1))", "NOT NOT a == 1"),
    ("NOT (a = 1 or NOT b = 2) and c = 3", "NOT (a == 1 OR NOT b == 2) AND c == 3"),
    ("TRUEPREDICATE AND FALSEPREDICATE", "TRUEPREDICATE AND FALSEPREDICATE"),
    ("a=1 AND NOT(b=2)", "a == 1 AND NOT b == 2"),
    ("a = 1\nAND\nb = 2", "a == 1 AND b == 2"),
  ]

  static let constants: [(String, String)] = [
    ("a == nil", "a == nil"),
    ("a == NULL", "a == nil"),
    ("a == Null", "a == nil"),
    ("a == TRUE", "a == true"),
    ("a == yes", "a == true"),
    ("a == NO", "a == false"),
    ("a == False", "a == false"),
    ("a == 0", "a == 0"),
    ("a == -0", "a == 0"),
    ("a == +7", "a == 7"),
    ("a == -7", "a == -7"),
    ("a == 007", "a == 7"),
    ("a == 1.0", "a == 1.0"),
    ("a == -0.0", "a == -0.0"),
    ("a == .5", "a == 0.5"),
    ("a == -.5", "a == -0.5"),
    ("a == 1e3", "a == 1000.0"),
    ("a == 1E-3", "a == 0.001"),
    ("a == 1.5e+300", "a == 1.5e+300"),
    ("a == 0.1000", "a == 0.1"),
    ("a == 9223372036854775807", "a == 9223372036854775807"),
    ("a == -9223372036854775808", "a == -9223372036854775808"),
    ("a == 9223372036854775808", "a == decimal128(9223372036854775808)"),
    ("a == 1e400", "a == decimal128(1E400)"),
    ("a == NaN", "a == nan"),
    ("a == inf", "a == infinity"),
    ("a == -Infinity", "a == -infinity"),
    ("a == +inf", "a == infinity"),
    ("a == decimal128(1.50)", "a == decimal128(1.50)"),
    ("a == DECIMAL128('-1e5')", "a == decimal128(-1E5)"),
    ("a == decimal128(NaN)", "a == decimal128(NaN)"),
    ("a == float(1.5)", "a == float(1.5)"),
    ("a == Float(0.1)", "a == float(0.1)"),
    ("a == float(nan)", "a == float(nan)"),
    ("a == 2024-05-01", "a == 2024-05-01"),
    ("a == 2024-05-01T00:00:00Z", "a == 2024-05-01"),
    ("a == 2024-05-01T12:00:00Z", "a == 2024-05-01T12:00:00Z"),
    ("a == 2024/05/01", "a == 2024-05-01"),
    ("a == 2024/05/01 12:00:00", "a == 2024-05-01T12:00:00Z"),
    ("a > 2024-05-01 12:00 AND b == 1", "a > 2024-05-01T12:00:00Z AND b == 1"),
    ("a == 2024-05-01 12:00:00+02", "a == 2024-05-01T10:00:00Z"),
    ("a == 2024-05-01 12:00:00 +0200 OR b == 1", "a == 2024-05-01T10:00:00Z OR b == 1"),
    ("a == 2024-05-01 12:00:00.5 utc", "a == 2024-05-01T12:00:00.500Z"),
    ("a IN {2024-05-01 12:00,2024/05/02}", "a IN {2024-05-01T12:00:00Z, 2024-05-02}"),
    ("a == 2024-05-01t12:00z", "a == 2024-05-01T12:00:00Z"),
    ("a == 2024-05-01T12:00:00+02:00", "a == 2024-05-01T10:00:00Z"),
    ("a == 2024-05-01T12:00:00-0530", "a == 2024-05-01T17:30:00Z"),
    ("a == 2024-05-01T12:00:00.5Z", "a == 2024-05-01T12:00:00.500Z"),
    ("a == 2024-05-01T12:00:00.123456Z", "a == 2024-05-01T12:00:00.123456Z"),
    ("a >= 2024-02-29 AND a<2024-03-01", "a >= 2024-02-29 AND a < 2024-03-01"),
    ("a == date(2024-05-01)", "a == 2024-05-01"),
    ("a == date(86400)", "a == 2001-01-02"),
    ("a == date(1e300)", "a == date(1e+300)"),
    ("a == date(nan)", "a == date(nan)"),
    ("a == oid(11223344556677889900AABB)", "a == oid(11223344556677889900aabb)"),
    ("a == oid( '11223344556677889900aabb' )", "a == oid(11223344556677889900aabb)"),
    (
      "a == UUID(123E4567-e89b-12d3-a456-426614174000)",
      "a == uuid(123e4567-e89b-12d3-a456-426614174000)"
    ),
    ("a == base64('')", "a == base64('')"),
    ("a == base64(AQI=)", "a == base64('AQI=')"),
    ("a == base64(\"AQID\")", "a == base64('AQID')"),
    ("a == geoPoint([7.5, 51])", "a == geoPoint([7.5, 51.0])"),
    ("a == geopoint([7.5, 51, 100])", "a == geoPoint([7.5, 51.0, 100.0])"),
  ]

  static let names: [(String, String)] = [
    ("`a` == 1", "a == 1"),
    ("`a b` == 1", "`a b` == 1"),
    ("`a``b` == 1", "`a``b` == 1"),
    ("`in` == 1", "`in` == 1"),
    ("`In` == 1", "`In` == 1"),
    ("`1st` == 1", "`1st` == 1"),
    ("`a.b` == 1", "`a.b` == 1"),
    ("a.`b c`.d == 1", "a.`b c`.d == 1"),
    ("a.`in` == 1", "a.`in` == 1"),
    ("a.in == 1", "a.`in` == 1"),
    ("_id == 1", "_id == 1"),
    ("snake_case2 == 1", "snake_case2 == 1"),
    ("größe > 1", "größe > 1"),
    ("`größe` > 1", "größe > 1"),
    ("名前 == 'x'", "名前 == 'x'"),
    ("`🎉` == 1", "`🎉` == 1"),
    ("`a-b` == 1", "`a-b` == 1"),
    ("`$0` == 1", "`$0` == 1"),
    ("`%@` == 1", "`%@` == 1"),
    ("`a'b\"c` == 1", "`a'b\"c` == 1"),
    ("`a\nb` == 1", "`a\nb` == 1"),
    ("date == 2024-05-01", "date == 2024-05-01"),
    ("uuid == nil", "uuid == nil"),
    ("geoBox == nil", "geoBox == nil"),
    ("`true` == true", "`true` == true"),
    ("`nan` == nan", "`nan` == nan"),
    ("android == 1", "android == 1"),
    ("ordinal == 1", "ordinal == 1"),
    ("notes == nil", "notes == nil"),
    ("innings IN {1}", "innings IN {1}"),
  ]

  static let strings: [(String, String)] = [
    ("a == 'x'", "a == 'x'"),
    ("a == \"x\"", "a == 'x'"),
    ("a == ''", "a == ''"),
    ("a == 'it\\'s'", "a == 'it\\'s'"),
    ("a == \"it's\"", "a == 'it\\'s'"),
    ("a == 'say \"x\"'", "a == 'say \"x\"'"),
    ("a == \"say \\\"x\\\"\"", "a == 'say \"x\"'"),
    ("a == 'back\\\\slash'", "a == 'back\\\\slash'"),
    ("a == 'line\\nline'", "a == 'line\\nline'"),
    ("a == 'line\nline'", "a == 'line\\nline'"),
    ("a == 'tab\\t'", "a == 'tab\\t'"),
    ("a == '\\r'", "a == '\\r'"),
    ("a == '\\u00e9'", "a == 'é'"),
    ("a == '\\u0001'", "a == '\\u0001'"),
    ("a == '\\uD83C\\uDF89'", "a == '🎉'"),
    ("a == '🎉'", "a == '🎉'"),
    ("a == 'e\u{301}'", "a == 'e\u{301}'"),
    ("a == '%@ $0 `'", "a == '%@ $0 `'"),
    ("a == '\\`'", "a == '`'"),
    ("a == '2024-05-01'", "a == '2024-05-01'"),
    ("a == 'AND'", "a == 'AND'"),
  ]

  static let shapes: [(String, String)] = [
    ("p geowithin geocircle([1, 2], 0.5)", "p GEOWITHIN geoCircle([1.0, 2.0], 0.5)"),
    ("p IN geoCircle([1, 2], 0.5)", "p GEOWITHIN geoCircle([1.0, 2.0], 0.5)"),
    ("p GEOWITHIN geoCircle([-1, -2.5], 3)", "p GEOWITHIN geoCircle([-1.0, -2.5], 3.0)"),
    ("p GEOWITHIN geoCircle([+1, 2], 0)", "p GEOWITHIN geoCircle([1.0, 2.0], 0.0)"),
    ("p GEOWITHIN geoCircle([1, 2], 6378100m)", "p GEOWITHIN geoCircle([1.0, 2.0], 1.0)"),
    ("p GEOWITHIN geoCircle([1, 2], 25512.4km)", "p GEOWITHIN geoCircle([1.0, 2.0], 4.0 rad)"),
    ("p GEOWITHIN geoCircle([1, 2], 6378.1km)", "p GEOWITHIN geoCircle([1.0, 2.0], 1.0)"),
    ("p GEOWITHIN geoCircle([1, 2], 6378.1 KM)", "p GEOWITHIN geoCircle([1.0, 2.0], 1.0)"),
    ("p GEOWITHIN geoCircle([1, 2], 0mi)", "p GEOWITHIN geoCircle([1.0, 2.0], 0.0)"),
    (
      "p GEOWITHIN geoCircle([1, 2], 180deg)",
      "p GEOWITHIN geoCircle([1.0, 2.0], 3.141592653589793)"
    ),
    ("p GEOWITHIN geoCircle([1, 2], 0.01rad)", "p GEOWITHIN geoCircle([1.0, 2.0], 0.01)"),
    ("p GEOWITHIN geoCircle([1,2,30],1)", "p GEOWITHIN geoCircle([1.0, 2.0, 30.0], 1.0)"),
    ("p GEOWITHIN geoBox([-1,-2],[3,4])", "p GEOWITHIN geoBox([-1.0, -2.0], [3.0, 4.0])"),
    ("p geowithin GEOBOX( [1,2] , [3,4] )", "p GEOWITHIN geoBox([1.0, 2.0], [3.0, 4.0])"),
    (
      "p GEOWITHIN geoPolygon({[0,0],[1,0],[1,1],[0,0]})",
      "p GEOWITHIN geoPolygon({[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]})"
    ),
    (
      "p GEOWITHIN geoPolygon[Planar]({[0,0],[9,0],[9,9],[0,0]},{[5,1],[6,1],[6,2],[5,1]})",
      "p GEOWITHIN geoPolygon[planar]({[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 0.0]}, {[5.0, 1.0], [6.0, 1.0], [6.0, 2.0], [5.0, 1.0]})"
    ),
    (
      "p GEOWITHIN geoPolygon[geodesic]({[0,0],[1,0],[1,1],[0,0]})",
      "p GEOWITHIN geoPolygon({[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]})"
    ),
    (
      "p GEOWITHIN geoMultiPolygon({{[0,0],[1,0],[1,1],[0,0]}},{{[5,5],[6,5],[6,6],[5,5]}})",
      "p GEOWITHIN geoMultiPolygon({{[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]}}, {{[5.0, 5.0], [6.0, 5.0], [6.0, 6.0], [5.0, 5.0]}})"
    ),
    (
      "NOT p GEOWITHIN geoBox([1,2],[3,4]) AND a = 1",
      "NOT p GEOWITHIN geoBox([1.0, 2.0], [3.0, 4.0]) AND a == 1"
    ),
  ]

  static let unchanged: [String] =
    ComparisonOperator.allCases.flatMap { operation in
      ["1", "-1.5", "'x'", "nil", "true", "b", "2024-05-01", "oid(000000000000000000000000)"].map {
        "name \(operation.rawValue) \($0)"
      }
    }
    + MatchOperator.allCases.flatMap { operation in
      (operation == .search ? [""] : ["", "[c]", "[d]", "[cd]"]).map {
        "name \(operation.rawValue)\($0) 'x'"
      }
    }
}
