import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

/// Spellings that `NSPredicate` and Realm's query language accept, and their printed form here.
@Suite(.tags(.untrusted)) struct SpellingTests {
  private static let dog = PredicateArgument.value(.link(Link(table: 2, key: 7)))
  private static func text(_ text: String) -> PredicateArgument { .value(.string(text)) }
  private static func int(_ number: Int64) -> PredicateArgument { .value(.int(number)) }

  static let cases: [(String, [PredicateArgument], String)] = [
    ("age == 5", [], "age == 5"),
    ("age = %d", [int(5)], "age == 5"),
    ("age <> 5", [], "age != 5"),
    ("age => 5", [], "age >= 5"),
    ("age =< 5", [], "age <= 5"),
    ("5 > age", [], "age < 5"),
    ("%@ == name", [text("x")], "name == 'x'"),
    ("name == %@", [text("x")], "name == 'x'"),
    ("%K == %@", [text("favourite.name"), text("Rex")], "favourite.name == 'Rex'"),
    ("ANY %K == %@", [text("dogs.name"), text("Rex")], "ANY dogs.name == 'Rex'"),
    ("%K > 2", [text("dogs.@count")], "dogs.@count > 2"),
    ("%K == 2", [text("dogs.@avg.age")], "dogs.@avg.age == 2"),
    ("dogs.%K == 2", [text("@max.age")], "dogs.@max.age == 2"),
    ("%K.@allKeys == 'a'", [text("pets")], "pets.@allKeys == 'a'"),
    ("name IS NULL", [], "name == nil"),
    ("name is not null", [], "name != nil"),
    ("age BETWEEN 1 AND 5", [], "age BETWEEN {1, 5}"),
    ("age between -5 and -1 and name == 'x'", [], "age BETWEEN {-5, -1} AND name == 'x'"),
    ("age BETWEEN %@ AND %@", [int(1), int(2)], "age BETWEEN {1, 2}"),
    ("age NOT BETWEEN 1 AND 5", [], "NOT age BETWEEN {1, 5}"),
    ("age NOT IN (1, 2) OR age == 3", [], "NOT age IN {1, 2} OR age == 3"),
    ("name not like 'a*'", [], "NOT name LIKE 'a*'"),
    ("NOT name NOT LIKE 'a*'", [], "NOT NOT name LIKE 'a*'"),
    ("name ILIKE '%b_rg%'", [], "name LIKE[c] '*b?rg*'"),
    ("name NOT ILIKE[d] 'b_rg'", [], "NOT name LIKE[cd] 'b?rg'"),
    ("name == 'L''Aquila' OR name == ''", [], "name == 'L\\'Aquila' OR name == ''"),
    ("name == \"a\"\"b\"", [], "name == 'a\"b'"),
    ("any dogs.age > 5", [], "ANY dogs.age > 5"),
    ("some dogs.age > 5", [], "ANY dogs.age > 5"),
    ("Some dogs.age > 5", [], "ANY dogs.age > 5"),
    ("all dogs.age > 5", [], "ALL dogs.age > 5"),
    ("none dogs.age > 5", [], "NOT ANY dogs.age > 5"),
    ("NOT ANY dogs.age > 5", [], "NOT ANY dogs.age > 5"),
    ("NOT NONE dogs.age > 5", [], "NOT NOT ANY dogs.age > 5"),
    ("5 < ANY dogs.age", [], "ANY dogs.age > 5"),
    ("age < ANY dogs.age", [], "ANY dogs.age > age"),
    ("%@ IN dogs", [dog], "ANY dogs == object(2, 7)"),
    ("%@ IN dogs.name", [text("Rex")], "ANY dogs.name == 'Rex'"),
    ("5 IN ALL scores", [], "ALL scores == 5"),
    ("5 IN NONE scores", [], "NOT ANY scores == 5"),
    ("NOT 'x' IN tags", [], "NOT ANY tags == 'x'"),
    ("(NOT %@ IN tags)", [text("x")], "NOT ANY tags == 'x'"),
    ("favourite == %@", [dog], "favourite == object(2, 7)"),
    ("favourite IN %@", [.list([.link(.nowhere), .null])], "favourite IN {object(0, -1), nil}"),
    ("favourite == NULL", [], "favourite == nil"),
    ("favourite == nil", [], "favourite == nil"),
    ("age IN {1, 2}", [], "age IN {1, 2}"),
    ("age IN %@", [.list([.int(1), .int(2)])], "age IN {1, 2}"),
    ("age IN %@", [.range(.int(1), .int(2), isClosed: true)], "age BETWEEN {1, 2}"),
    ("age IN %@", [.range(.int(1), .int(2), isClosed: false)], "age >= 1 AND age < 2"),
    ("NOT age IN %@", [.range(.int(1), .int(2), isClosed: false)], "NOT (age >= 1 AND age < 2)"),
    (
      "ALL scores IN %@", [.range(.int(1), .int(2), isClosed: false)],
      "ALL scores >= 1 AND ALL scores < 2"
    ),
    ("ANY scores IN %@", [.range(.int(1), .int(2), isClosed: true)], "ANY scores BETWEEN {1, 2}"),
    ("age BETWEEN %@", [.range(.int(1), .int(2), isClosed: true)], "age BETWEEN {1, 2}"),
    ("(age BETWEEN {%@, %@})", [int(1), int(2)], "age BETWEEN {1, 2}"),
    ("((age >= %@) && (age < %@))", [int(1), int(2)], "age >= 1 AND age < 2"),
    (
      "((scores.@min >= %@) && (scores.@max <= %@))", [int(1), int(2)],
      "scores.@min >= 1 AND scores.@max <= 2"
    ),
    ("(ANY tags IN %@)", [.list([.string("x")])], "ANY tags IN {'x'}"),
    ("dogs.@count == 2", [], "dogs.@count == 2"),
    ("dogs.@COUNT == 2", [], "dogs.@count == 2"),
    ("2 < dogs.@count", [], "dogs.@count > 2"),
    ("dogs.@min.age > 5", [], "dogs.@min.age > 5"),
    ("scores.@sum BETWEEN {1, 2}", [], "scores.@sum BETWEEN {1, 2}"),
    ("scores.@avg IN {1, 2}", [], "scores.@avg IN {1, 2}"),
    ("limits['a'] > 5", [], "limits['a'] > 5"),
    ("limits[\"a\"] > 5", [], "limits['a'] > 5"),
    ("limits[%@] > %@", [text("a"), int(5)], "limits['a'] > 5"),
    ("limits[$0] > $1", [text("a"), int(5)], "limits['a'] > 5"),
    ("anything[%@][%@] == 1", [text("a"), int(0)], "anything['a'][0] == 1"),
    ("anything[%K] == 1", [text("#any")], "anything[*] == 1"),
    ("anything[ * ] == 1", [], "anything[*] == 1"),
    ("ALL anything['a'][*]['b'] == 1", [], "ALL anything['a'][*]['b'] == 1"),
    ("limits.@allKeys BEGINSWITH[c] 'a'", [], "limits.@allKeys BEGINSWITH[c] 'a'"),
    ("any pets.@allValues.name == 'x'", [], "ANY pets.@allValues.name == 'x'"),
    (
      "SUBQUERY(dogs, $dog, $dog.age > %d).@count >= %d", [int(5), int(2)],
      "SUBQUERY(dogs, $x, $x.age > 5).@count >= 2"
    ),
    (
      "subquery(dogs, $_d1, ANY $_d1.toys.name == 'x' OR $_d1.%K == nil).@count > 0", [text("toy")],
      "SUBQUERY(dogs, $x, ANY $x.toys.name == 'x' OR $x.toy == nil).@count > 0"
    ),
    (
      "0 < SUBQUERY(a.b, $col1, (NOT ($col1.c == 1))).@count", [],
      "SUBQUERY(a.b, $x, NOT $x.c == 1).@count > 0"
    ),
    (
      "SUBQUERY(a, $a, SUBQUERY($a.b, $b, SUBQUERY($b.c, $c, $c.d == %@).@count > 0).@count > 0).@count > %@",
      [int(1), int(2)],
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, SUBQUERY($y.c, $z, $z.d == 1).@count > 0).@count > 0).@count > 2"
    ),
    ("SELF.name == 'x'", [], "name == 'x'"),
    ("ANY self.dogs.name == 'x'", [], "ANY dogs.name == 'x'"),
    ("#all == 5", [], "`all` == 5"),
    ("a.#in == 5", [], "a.`in` == 5"),
    ("all == 5 AND none > 2 OR any", [], ""),
    ("all == 5 AND none > 2 OR any == nil", [], "`all` == 5 AND `none` > 2 OR `any` == nil"),
    ("some.name == 'x'", [], "`some`.name == 'x'"),
    ("ALL all == 5", [], "ALL `all` == 5"),
    ("age == any", [], "age == `any`"),
    ("(age == any)", [], "age == `any`"),
    ("TRUEPREDICATE", [], "TRUEPREDICATE"),
    ("name LIKE[cd] 'a*'", [], "name LIKE[cd] 'a*'"),
    ("ANY dogs.name CONTAINS[c] 'a'", [], "ANY dogs.name CONTAINS[c] 'a'"),
    ("'x' IN[cd] tags", [], "ANY tags ==[cd] 'x'"),
  ]

  @Test(arguments: cases)
  func spelling(_ format: String, _ arguments: [PredicateArgument], _ printed: String) throws {
    guard !printed.isEmpty else {
      #expect(throws: PredicateError.self) {
        try Predicate(parsing: format, arguments: arguments)
      }
      return
    }
    let predicate = try Predicate(parsing: format, arguments: arguments)
    #expect(predicate.description == printed)
    #expect(try Predicate(parsing: printed) == predicate)
  }

  @Test(arguments: [
    ("tags[%@] == 1", [PredicateArgument.value(.double(1.5))], 5),
    ("tags[%@] == 1", [.value(.int(-1))], 5),
    ("tags[%K] == 1", [text("x")], 5),
    ("%K > 1", [text("dogs.@cuont")], 0),
    ("%K > 1", [text("@count")], 0),
    ("%K > 1", [text("dogs.@count.x")], 0),
    ("dogs.@count.%K > 1", [text("x")], 12),
    ("ANY scores IN %@", [.range(.int(1), .int(2), isClosed: false)], 14),
    ("NONE scores IN %@", [.range(.int(1), .int(2), isClosed: false)], 15),
    ("age IN[c] %@", [.range(.int(1), .int(2), isClosed: true)], 10),
    ("age == %@", [.range(.int(1), .int(2), isClosed: true)], 7),
    ("name CONTAINS %@", [.range(.int(1), .int(2), isClosed: true)], 14),
    ("%@ IN tags", [.range(.int(1), .int(2), isClosed: true)], 0),
    ("SUBQUERY(dogs, $d, $d.age > %@).@count > 0", [.list([])], 28),
  ])
  func wrongArguments(_ format: String, _ arguments: [PredicateArgument], _ place: Int) {
    do throws(PredicateError) {
      let predicate = try Predicate(parsing: format, arguments: arguments)
      Issue.record("'\(format)' was read as \(predicate)")
    } catch {
      #expect(error.offset == place, "\(error)")
    }
  }

  /// Both conditions of a half-open range have correct offsets, also inside a subquery.
  @Test func offsetsOfHalfOpenRanges() throws {
    let range = PredicateArgument.range(.int(1), .int(2), isClosed: false)
    let text = "SUBQUERY(dogs, $d, $d.age > 1).@count IN %@ AND nme == 1"
    let predicate = try Predicate(parsing: text, arguments: [range])
    let error = try #require(throws: PredicateError.self) {
      try predicate.bound(to: KennelSchema.person, in: KennelSchema.schema)
    }
    #expect(error.offset == text.utf8.count - "nme == 1".utf8.count)
  }
}
