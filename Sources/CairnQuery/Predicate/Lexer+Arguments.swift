extension Lexer {
  /// The letters that may stand behind a `%` for a number; they all mean the next argument.
  private static let numberFormats = [
    "lld", "llu", "lli", "ld", "lu", "li", "lf", "qd", "qi", "qu", "hd", "hi", "hu", "d", "i", "u",
    "f", "g", "e", "D", "U", "x", "s",
  ]

  /// `%@`, `%K`, `%d` and its like.
  mutating func readFormat() throws(PredicateError) -> Token.Kind {
    let rest = text[(place + 1)...]
    if rest.first == UInt8(ascii: "@") || rest.first == UInt8(ascii: "K") {
      advance(2)
      return rest.first == UInt8(ascii: "@") ? .nextArgument : .nextProperty
    }
    for format in Lexer.numberFormats where rest.starts(with: format.utf8) {
      let next = rest.dropFirst(format.utf8.count).first
      if let next, next.isLetter { continue }
      advance(1 + format.utf8.count)
      return .nextArgument
    }
    throw error("Expected %@, %K, %d, %i, %f, %ld, %lld or %lf for an argument")
  }

  /// `$0`, or the `$x` of a subquery.
  mutating func readDollar() throws(PredicateError) -> Token.Kind {
    let start = place
    advance()
    let digits = text[place...].prefix { $0 &- UInt8(ascii: "0") < 10 }
    if digits.isEmpty, case .name(let name, _) = readName() { return .variable(name) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
      throw error("Expected the number of an argument behind '$', as in $0", at: start)
    }
    advance(digits.count)
    return .argument(number)
  }

  /// What stands between the parentheses of `oid(…)`; the place is behind the opening one.
  mutating func readParenthesised() throws(PredicateError) -> (content: String, offset: Int) {
    let start = place
    guard let end = text[place...].firstIndex(of: UInt8(ascii: ")")) else {
      throw error("The parenthesis is never closed", at: max(start - 1, 0))
    }
    place = end + 1
    let blanks = text[start..<end].prefix { $0 == UInt8(ascii: " ") }.count
    var content = text[(start + blanks)..<end]
    while content.last == UInt8(ascii: " ") { content.removeLast() }
    if let quote = content.first, content.count > 1, content.last == quote,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    {
      content = content.dropFirst().dropLast()
    }
    return (String(decoding: content, as: UTF8.self), start + blanks)
  }
}
