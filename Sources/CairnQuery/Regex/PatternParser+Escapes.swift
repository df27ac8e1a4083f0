extension PatternParser {
  /// Reads a backslash and what follows it outside of sets.
  mutating func readEscape() throws(PatternError) -> PatternNode {
    let start = index
    index += 1
    if let set = try readEscapedSet(at: start) { return .set(set) }
    switch peek() {
    case "b": return read(.wordBoundary)
    case "B": return read(.noWordBoundary)
    case "A": return read(.start)
    case "z", "Z": return read(.end)
    case "Q": return readQuotation()
    case let digit? where ("1"..."9").contains(digit):
      throw error("References back such as '\\\(digit)' are not supported", at: start)
    case "k"?: throw error("References back such as '\\k' are not supported", at: start)
    default: return .literal([try readEscapedCharacter(at: start)], options)
    }
  }

  private mutating func read(_ assertion: PatternAssertion) -> PatternNode {
    index += 1
    return .assertion(assertion)
  }

  /// Reads `\Q…\E`, or `\Q…` to the end.
  private mutating func readQuotation() -> PatternNode {
    index += 1
    var units: [UInt32] = []
    while let next = peek(), !skip("\\E") {
      units.append(next.value)
      index += 1
    }
    // A sequence, so that a repetition behind it applies to all of it.
    return .sequence([.literal(units, options)])
  }

  /// Reads `d`, `p{Lu}` and the like behind a backslash; nil if something else comes next.
  mutating func readEscapedSet(at start: Int) throws(PatternError) -> CodePointSet? {
    guard let next = peek() else { throw error("A backslash ends the expression", at: start) }
    let set: CodePointSet
    switch next {
    case "d", "D": set = .digits
    case "w", "W": set = .words
    case "s", "S": set = .blanks
    case "p", "P":
      index += 1
      let named = FoldClasses.of(options).closure(of: try readCategory(at: start))
      return next == "P" ? named.inverted : named
    default: return nil
    }
    index += 1
    return next.properties.isUppercase ? set.inverted : set
  }

  /// Reads `{Lu}` or `L`, the name of a general category.
  private mutating func readCategory(at start: Int) throws(PatternError) -> CodePointSet {
    var name = ""
    if skip("{") {
      while let next = peek(), next != "}" {
        name.unicodeScalars.append(next)
        index += 1
      }
      guard skip("}") else { throw error("The name of the property is never closed", at: start) }
    } else if let next = peek() {
      name.unicodeScalars.append(next)
      index += 1
    }
    guard let set = CodePointSet.category(name) else {
      throw error(
        "The property '\(name)' is not known; there are general categories such as L, Lu, Ll, N, "
          + "Nd, P, S and Z", at: start)
    }
    return set
  }

  /// Reads one character behind a backslash.
  mutating func readEscapedCharacter(at start: Int) throws(PatternError) -> UInt32 {
    guard let next = peek() else { throw error("A backslash ends the expression", at: start) }
    index += 1
    switch next {
    case "t": return 0x9
    case "n": return 0xA
    case "f": return 0xC
    case "r": return 0xD
    case "a": return 0x7
    case "e": return 0x1B
    case "x": return try readCode(digits: 2, start: start)
    case "u": return try readCode(digits: 4, start: start)
    case "U": return try readCode(digits: 8, start: start)
    default: break
    }
    let isWord = ("a"..."z").contains(next) || ("A"..."Z").contains(next)
    if isWord || ("0"..."9").contains(next) {
      throw error("The escape '\\\(next)' is not supported", at: start)
    }
    return next.value
  }

  /// Reads so many hexadecimal digits, or any number of them in braces.
  private mutating func readCode(digits: Int, start: Int) throws(PatternError) -> UInt32 {
    let isInBraces = skip("{")
    var code: UInt32 = 0
    var count = 0
    while count < (isInBraces ? 8 : digits), let digit = peek()?.hexadecimalDigit {
      code = code &<< 4 | digit
      count += 1
      index += 1
    }
    let isComplete = isInBraces ? count > 0 && skip("}") : count == digits
    guard isComplete, code <= CodePointSet.last else {
      throw error(
        "A code point is written \\x41, \\u0041, \\U00000041 or \\u{41}, up to 10FFFF", at: start)
    }
    return code
  }
}

extension Unicode.Scalar {
  /// The value of a hexadecimal digit; nil for other characters.
  fileprivate var hexadecimalDigit: UInt32? {
    switch self {
    case "0"..."9": value - 48
    case "a"..."f": value - 87
    case "A"..."F": value - 55
    default: nil
    }
  }
}
