import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct PatternErrorTests {
  @Test(arguments: [
    ("a(b", 2, "The parenthesis is never closed"),
    ("a)b", 2, "This parenthesis closes nothing"),
    ("ab[c", 3, "The bracket is never closed"),
    ("[]", 1, "The bracket is never closed"),
    ("*a", 1, "There is nothing that '*' could repeat"),
    ("a|+", 3, "There is nothing that '+' could repeat"),
    ("{2}", 1, "There is nothing that '{' could repeat"),
    ("a**", 3, "A repetition cannot be repeated"),
    ("a{2}{3}", 5, "A repetition cannot be repeated"),
    ("a{", 2, "'{' begins a repetition"),
    ("a{,3}", 2, "'{' begins a repetition"),
    ("a{2,x}", 2, "'{' begins a repetition"),
    ("a{3,2}", 2, "larger number first"),
    ("a{999999}", 3, "The number is too large"),
    ("a*+", 3, "Possessive"),
    (#"(a)\1"#, 4, "References back"),
    (#"(?<n>a)\k<n>"#, 8, "References back"),
    ("x(?=a)", 2, "Lookaheads such as '(?=…)'"),
    ("(?!a)", 1, "Lookaheads"),
    ("(?<=a)", 1, "Lookbehinds"),
    ("(?<!a)", 1, "Lookbehinds"),
    ("(?>a)", 1, "Atomic groups"),
    ("(?x)a", 3, "The flag 'x' is not supported"),
    ("(?i", 1, "The parenthesis is never closed"),
    ("(?#a", 1, "The comment is never closed"),
    ("(?<n", 1, "The name of the group is never closed"),
    (#"a\"#, 2, "A backslash ends the expression"),
    (#"\y"#, 1, #"The escape '\y' is not supported"#),
    (#"\0"#, 1, #"The escape '\0' is not supported"#),
    (#"[\b]"#, 2, #"'\b' is not supported in a set"#),
    (#"\u12"#, 1, "A code point is written"),
    (#"\x{110000}"#, 1, "A code point is written"),
    (#"\p{Greek}"#, 1, "The property 'Greek' is not known"),
    (#"\p{Lu"#, 1, "never closed"),
    ("[z-a]", 2, "The range ends before it begins"),
    (#"[a-\d]"#, 2, "A range ends with a character"),
    ("[[:alpha:]]", 2, "Classes such as '[:alpha:]'"),
    ("[a-z&&[^b]]", 5, "Intersections"),
    ("[a-z--b]", 5, "Differences"),
    ("é日(", 3, "The parenthesis is never closed"),
  ])
  func mistakes(_ pattern: String, _ position: Int, _ message: String) {
    do throws(PatternError) {
      _ = try RegularExpression(pattern, options: [])
      Issue.record("'\(pattern)' is accepted")
    } catch {
      #expect(error.position == position && error.message.contains(message), "\(error)")
    }
  }

  @Test(arguments: [
    "(a{1000}){1000}", "((((a{10}){10}){10}){10}){10}", "(((){9999}){9999}){9999}",
    "a{9999}b{9999}",
    String(repeating: "a", count: 10_001), "(a|b|c){5000}",
    (0..<1001).map { "[a\\x{\(String($0 + 256, radix: 16))}]" }.joined(),
  ])
  func tooLarge(_ pattern: String) {
    do throws(PatternError) {
      _ = try RegularExpression(pattern, options: [])
      Issue.record("'\(pattern)' is accepted")
    } catch {
      #expect(error.position == nil && error.message.contains("too large"), "\(error)")
    }
  }

  @Test func nesting() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
    }
    for (open, close) in [("(", ")"), ("[", "]")] {
      _ = try RegularExpression(nested(100, open, close), options: [])
      #expect(throws: PatternError.self) {
        try RegularExpression(nested(101, open, close), options: [])
      }
      #expect(throws: PatternError.self) {
        try RegularExpression(nested(1_000_000, open, close), options: [])
      }
    }
  }

  /// Errors in a predicate point to the expression.
  @Test func errorsOfPredicates() throws {
    func message(_ text: String) -> String {
      do throws(PredicateError) {
        _ = try Predicate(parsing: text).bound(to: PredicateBindingTests.schema)
        return ""
      } catch { return error.description }
    }
    #expect(
      message("population > 1 AND name MATCHES 'a(b'") == """
        At character 2 of the regular expression: The parenthesis is never closed.
          population > 1 AND name MATCHES 'a(b'
                                          ^
        """)
    #expect(
      message("name MATCHES '(a{1000}){1000}'").hasPrefix(
        "The regular expression is invalid: It is too large"))
    #expect(message("population MATCHES 'a'").hasPrefix("Operator 'MATCHES' not supported for"))
    #expect(message("blob MATCHES base64('AQI=')").hasPrefix("MATCHES takes a text"))
    #expect(message("name MATCHES 5").hasPrefix("Cannot compare value '5'"))
    #expect(message("name MATCHES {'a', 'b'}").hasPrefix("MATCHES takes one text."))
  }

  /// A backslash in front of a letter belongs to the expression, so it may be single or double.
  @Test(arguments: [
    (#"name MATCHES '\d+\.\w'"#, #"\d+\.\w"#), (#"name MATCHES '\\d+\\.\\w'"#, #"\d+\.\w"#),
    (#"name MATCHES[c] "\p{Lu}\"\\\\""#, #"\p{Lu}"\\"#),

    (#"name MATCHES '\u0041\u{42}'"#, #"A\u{42}"#),
    (#"NOT name MATCHES '\t\b'"#, "\t\\b"),
  ])
  func escapes(_ text: String, _ pattern: String) throws {
    let predicate = try Predicate(parsing: text)
    let again = try Predicate(parsing: "\(predicate)")
    #expect(again == predicate)
    guard case .match(_, .matches, .value(.string(let read)), _) = predicate.root.withoutNegation
    else {
      Issue.record("\(predicate)")
      return
    }
    #expect(read == pattern)
  }

  @Test func otherTextsKeepTheirRules() {
    #expect(throws: PredicateError.self) { try Predicate(parsing: #"name == '\d'"#) }
    #expect(throws: PredicateError.self) {
      try Predicate(parsing: #"name MATCHES 'a' AND name LIKE '\d'"#)
    }
    #expect(throws: PredicateError.self) {
      try Predicate(parsing: #"name MATCHES other AND name == '\d'"#)
    }
  }
}

extension PredicateNode {
  fileprivate var withoutNegation: PredicateNode {
    if case .not(let part) = self { part } else { self }
  }
}
