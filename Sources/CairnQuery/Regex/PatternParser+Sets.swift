extension PatternParser {
  /// Reads a set in brackets, such as `[a-z\d]` or `[^,;]`.
  mutating func readSet() throws(PatternError) -> CodePointSet {
    let start = index
    index += 1
    try enter(at: start)
    let isInverted = skip("^")
    var members = CodePointSet.empty
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    // A bracket that is the first character is a member.
    while isFirst || !skip("]") {
      guard let next = peek() else { throw error("The bracket is never closed", at: start) }
      isFirst = false
      try checkOperator()
      let position = index
      if next == "[" {
        members = members.union(try readSet())
        continue
      }
      if next == "\\", let set = try readSetEscape() {
        members = members.union(set)
        continue
      }
      let first = try readMember()
      ranges.append(first...(try readRangeEnd(first, at: position)))
    }
    leave()
    let all = members.union(FoldClasses.of(options).closure(of: CodePointSet(ranges)))
    return isInverted ? all.inverted : all
  }

  /// Rejects what other engines read as an operator or a class of POSIX.
  private func checkOperator() throws(PatternError) {
    if peek() == "[", peek(1) == ":" {
      throw error("Classes such as '[:alpha:]' are not supported; \\p{L} is any letter")
    }
    if peek() == "&", peek(1) == "&" {
      throw error("Intersections of sets are not supported; \\& is the character")
    }
    if peek() == "-", peek(1) == "-" || peek(1) == "[" {
      throw error("Differences of sets are not supported; \\- is the character")
    }
  }

  private mutating func readSetEscape() throws(PatternError) -> CodePointSet? {
    let start = index
    index += 1
    if let set = try readEscapedSet(at: start) { return set }
    index = start
    return nil
  }

  /// Reads one character of a set.
  private mutating func readMember() throws(PatternError) -> UInt32 {
    let start = index
    guard let next = peek() else { throw error("The bracket is never closed", at: start) }
    index += 1
    guard next == "\\" else { return next.value }
    if peek() == "b" { throw error("The escape '\\b' is not supported in a set", at: start) }
    return try readEscapedCharacter(at: start)
  }

  /// Reads the end of a range that begins with a character; the character itself without one.
  private mutating func readRangeEnd(
    _ first: UInt32, at start: Int
  ) throws(PatternError) -> UInt32 {
    guard peek() == "-", let next = peek(1), next != "]", next != "[", next != "-" else {
      return first
    }
    index += 1
    if next == "\\", let after = peek(1), "dDwWsSpP".unicodeScalars.contains(after) {
      throw error("A range ends with a character, not with '\\\(after)'", at: start)
    }
    let last = try readMember()
    if last < first { throw error("The range ends before it begins", at: start) }
    return last
  }
}
