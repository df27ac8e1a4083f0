import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

/// Invalid predicates, and their complete messages with the caret.
@Suite(.tags(.untrusted)) struct PredicateErrorTests {
  @Test(arguments: SyntaxErrors.cases + OperatorErrors.cases + ShapeErrors.cases)
  func message(_ text: String, _ expected: String) {
    do throws(PredicateError) {
      let predicate = try Predicate(parsing: text)
      Issue.record("'\(text)' was read as \(predicate)")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func positionsInSeveralLines() throws {
    let text = "a == 1 AND\n\tgröße = 'é' AND\nc >"
    let error = try #require(throws: PredicateError.self) { try Predicate(parsing: text) }
    #expect(error.line == 3)
    #expect(error.column == 4)
    #expect(
      error.description == """
        Expected a value or a property, found the end of the predicate. (line 3)
          c >
             ^
        """)
  }

  @Test func theCaretAlignsUnderTabsAndWideLetters() throws {
    let error = try #require(throws: PredicateError.self) {
      try Predicate(parsing: "größe\t= 'é' ?")
    }
    #expect(error.column == 13)
    #expect(
      error.description == "'?' does not belong in a predicate.\n  größe\t= 'é' ?\n       \t      ^"
    )
  }

  @Test func longLinesAreShortenedAroundTheError() throws {
    let filler = String(repeating: "a == 1 AND ", count: 100)
    let error = try #require(throws: PredicateError.self) {
      try Predicate(parsing: filler + "b ~ 2 AND " + filler + "c == 3")
    }
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count < 140 })
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).first == "~")
  }

  /// Units in upper or lower case; two spellings of one radius print as the same predicate.
  @Test(arguments: [
    ("1nmi", "1852m"), ("1NM", "1852m"), ("1 nm", "1852m"), ("5KM", "5000m"), ("100ft", "30.48m"),
    ("10 YD", "9.144m"), ("1Mi", "1609.344m"), ("90Deg", "90deg"),
  ])
  func unitsInAnyCase(spelling: String, same: String) throws {
    func text(_ radius: String) throws -> String {
      try Predicate(parsing: "p GEOWITHIN geoCircle([1, 2], \(radius))").description
    }
    #expect(try text(spelling) == text(same))
  }

  /// An error message contains no terminal control characters from the text.
  @Test func controlCharactersAreEscaped() throws {
    for text in ["a == 'x\u{1B}[2J' b", "a ~\u{9B}", "\u{202E}", "`a\u{1B}` == "] {
      let error = try #require(throws: PredicateError.self) { try Predicate(parsing: text) }
      let shown = error.description.unicodeScalars
      #expect(!shown.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
      let lines = error.description.split(separator: "\n")
      let caret = try #require(lines.last?.firstIndex(of: "^"))
      #expect(lines.last?.distance(from: lines[2].startIndex, to: caret) ?? 0 <= lines[1].count)
    }
  }

  @Test func kinds() throws {
    func kind(_ text: String, _ arguments: [PredicateArgument] = []) -> PredicateError.Kind? {
      do throws(PredicateError) {
        _ = try Predicate(parsing: text, arguments: arguments)
        return nil
      } catch { return error.kind }
    }
    #expect(kind("a") == .syntax)
    #expect(kind("a REGEXP 'x'") == .syntax)
    #expect(kind("ANY a + 1 == 1") == .unsupported)
    #expect(kind("ANY a == ANY b") == .unsupported)
    #expect(kind("a[%@] == 1", [.value(.bool(true))]) == .argument)
    #expect(kind("a <[c] 'x'") == .unsupported)
    #expect(kind("a == %@") == .argument)
    #expect(kind("a GEOWITHIN geoCircle([200, 0], 1)") == .shape)
    #expect(kind(String(repeating: "!", count: 1000) + "a == 1") == .tooLarge)
    #expect(kind("a == 1") == nil)
  }
}
