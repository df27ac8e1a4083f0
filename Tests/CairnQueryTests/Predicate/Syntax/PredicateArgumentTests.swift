import CairnGeometry
import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct PredicateArgumentTests {
  static func text(_ format: String, _ arguments: PredicateArgument...) throws -> String {
    try Predicate(parsing: format, arguments: arguments).description
  }

  static func message(_ format: String, _ arguments: PredicateArgument...) -> String? {
    do throws(PredicateError) {
      _ = try Predicate(parsing: format, arguments: arguments)
      return nil
    } catch { return error.message }
  }

  @Test(arguments: ["%@", "%d", "%i", "%f", "%ld", "%lld", "%lu", "%lf", "%u", "$0"])
  func everyPlaceholderTakesANumber(_ mark: String) throws {
    #expect(try Self.text("a == \(mark)", .value(.int(5))) == "a == 5")
    #expect(try Self.text("a == \(mark) AND b = 1", .value(.double(0.5))) == "a == 0.5 AND b == 1")
  }

  @Test func placeholdersInOrderAndByNumber() throws {
    let two: [PredicateArgument] = [.value(.int(1)), .value(.string("x"))]
    #expect(
      try Predicate(parsing: "a = %d && b = %@", arguments: two).description
        == "a == 1 AND b == 'x'")
    #expect(
      try Predicate(parsing: "a = $1 && b = $0", arguments: two).description
        == "a == 'x' AND b == 1")
    #expect(
      try Predicate(parsing: "a = $0 && b = $0", arguments: two).description == "a == 1 AND b == 1")
    #expect(
      try Predicate(parsing: "a = %@ && b = $0", arguments: two).description == "a == 1 AND b == 1")
  }

  @Test func argumentsAreNeverParsed() throws {
    #expect(try Self.text("a = %@", .value(.string("' OR a = 1"))) == "a == '\\' OR a = 1'")
    #expect(try Self.text("a = '%@'") == "a == '%@'")
    #expect(try Self.text("%K = 1", .value(.string("x` = 1 OR y"))) == "`x`` = 1 OR y` == 1")
  }

  @Test func properties() throws {
    #expect(try Self.text("%K > %d", .value(.string("age")), .value(.int(3))) == "age > 3")
    #expect(try Self.text("%K > 3", .value(.string("owner.age"))) == "owner.age > 3")
    #expect(try Self.text("owner.%K > 3", .value(.string("age"))) == "owner.age > 3")
    #expect(try Self.text("a == %K", .value(.string("b c"))) == "a == `b c`")
    #expect(Self.message("%K > 3", .value(.int(1))) == "%K takes the name of a property.")
    #expect(
      Self.message("%K > 3", .value(.string("a..b"))) == "'a..b' is not the name of a property.")
    #expect(Self.message("%K > 3", .value(.string(""))) == "'' is not the name of a property.")
  }

  @Test func listsAndNulls() throws {
    #expect(try Self.text("a IN %@", .list([.int(1), .null])) == "a IN {1, nil}")
    #expect(try Self.text("a IN {%@, $0}", .value(.int(1))) == "a IN {1, 1}")
    #expect(try Self.text("a BETWEEN %@", .list([.int(1), .int(2)])) == "a BETWEEN {1, 2}")
    #expect(
      try Self.text("a BETWEEN {%f, %f}", .value(.int(1)), .value(.int(2))) == "a BETWEEN {1, 2}")
    #expect(try Self.text("%@ < a", .value(.int(1))) == "a > 1")
    #expect(try Self.text("a == %@", .value(.null)) == "a == nil")
    #expect(
      Self.message("a BETWEEN %@", .list([.int(1)]))
        == "BETWEEN takes two values in braces, as in {1, 10}.")
    // A list argument may be compared with a mixed value.
    #expect(try Self.text("a == %@", .list([.int(1)])) == "a == {1}")
  }

  @Test func shapes() throws {
    let point = try #require(GeoPoint(latitude: 2, longitude: 1))
    let box = PredicateArgument.shape(.box(GeoBox(bottomLeft: point, topRight: point)))
    let text = "p GEOWITHIN geoBox([1.0, 2.0], [1.0, 2.0])"
    #expect(try Self.text("p IN %@", box) == text)
    #expect(try Self.text("p GEOWITHIN %@", box) == text)
    #expect(try Self.text("p geowithin $0", box) == text)
    #expect(
      Self.message("p = %@", box)
        == "A shape goes with a relation, such as GEOWITHIN or GEOINTERSECTS.")
    let place = PredicateArgument.value(.point(Position(latitude: 2, longitude: 1)))
    #expect(
      try Self.text("p GEOWITHIN geoCircle(%@, %f)", place, .value(.double(0.5)))
        == "p GEOWITHIN geoCircle([1.0, 2.0], 0.5)")
    #expect(
      try Self.text("p GEOWITHIN geoCircle([%f, $1], 1)", .value(.int(1)), .value(.int(2)))
        == "p GEOWITHIN geoCircle([1.0, 2.0], 1.0)")
    #expect(
      Self.message("p GEOWITHIN geoCircle($0, 1)", .value(.int(1)))
        == "The argument here must be a point.")
    #expect(
      Self.message("p GEOWITHIN geoCircle([$0, 1], 1)", .value(.string("x")))
        == "The argument here must be a number.")
  }

  @Test func missingArguments() {
    #expect(
      Self.message("a = %@ AND b = %@", .value(.int(1)))
        == "The predicate asks for 2 arguments, but only one was given.")
    #expect(
      Self.message("a = $7", .value(.int(1)), .value(.int(2)))
        == "The predicate asks for 8 arguments, but only 2 were given.")
    #expect(
      Self.message("a = $9223372036854775807", .value(.int(1)))
        == "The predicate asks for 9223372036854775808 arguments, but only one was given.")
  }
}
