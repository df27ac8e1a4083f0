import CairnValues

extension Parser {
  /// What a condition speaks of, with its quantifier.
  mutating func readSubject() throws(PredicateError) -> Side {
    let start = token.range.lowerBound
    guard let quantifier = token.keyword.flatMap(Parser.quantifier) else {
      let (subject, place) = try readUnquantified()
      return Side(.subject(subject), place)
    }
    let word = token
    try advance()
    if !beginsSubject && endsName { return try readProperty(word) }
    guard beginsSubject else {
      throw unexpected(
        "a property behind \(word.description(in: lexer.text).uppercased())",
        hint: token.is(.open) ? " It stands inside the parenthesis." : "")
    }
    var (subject, place) = try readUnquantified()
    subject = subject.with(quantifier.quantifier)
    place = PredicateSource.Place(
      start: start, steps: place.steps.isEmpty ? [place.start] : place.steps)
    return Side(.subject(subject), place, isNegated: quantifier.isNegated)
  }

  private static func quantifier(
    _ keyword: Keyword
  ) -> (quantifier: PropertyPath.Quantifier, isNegated: Bool)? {
    switch keyword {
    case .any, .some: (.any, false)
    case .all: (.all, false)
    case .none: (.any, true)
    default: nil
    }
  }

  private var beginsSubject: Bool {
    switch token.kind {
    case .name(_, let keyword):
      keyword == nil || keyword == .self || keyword == .subquery
        || keyword.flatMap(Parser.quantifier) != nil
    case .quotedName, .nextProperty, .variable: true
    default: false
    }
  }

  /// Whether the token is one that follows a property: `any == 1` asks a property of that name.
  private var endsName: Bool {
    switch token.kind {
    case .end, .name: true
    case .sign(let sign): sign != .open && sign != .openBrace && sign != .not
    default: false
    }
  }

  /// A property whose name has been read before it was known to be one.
  private mutating func readProperty(_ word: Token) throws(PredicateError) -> Side {
    guard case .name(let name, _) = word.kind else { throw expected("a property") }
    let start = word.range.lowerBound
    if let variable = variables.last { throw missingVariable(name, variable, at: start) }
    let trail = try readTrail(behind: name, at: start)
    return Side(.subject(trail.subject), trail.place(from: start))
  }

  private mutating func readUnquantified() throws(PredicateError) -> (
    Subject, PredicateSource.Place
  ) {
    if token.keyword == .subquery { return try readSubquery() }
    let start = token.range.lowerBound
    let trail = try readTrail()
    return (trail.subject, trail.place(from: start))
  }

  // MARK: Subqueries

  /// `SUBQUERY(dogs, $x, $x.age > 5).@count`.
  private mutating func readSubquery() throws(PredicateError) -> (Subject, PredicateSource.Place) {
    let start = token.range.lowerBound
    guard variables.count < Parser.maxSubqueries else {
      throw error(
        "There are more than \(Parser.maxSubqueries) subqueries inside one another.",
        kind: .tooLarge)
    }
    try advance()
    try require(.open, "behind SUBQUERY")
    let place = token.range.lowerBound
    guard beginsSubject, token.keyword != .subquery,
      case let trail = try readTrail(), case .path(let path) = trail.subject
    else { throw error("SUBQUERY begins with a collection: SUBQUERY(dogs, $x, …).", at: place) }
    try require(.comma, "behind the collection of SUBQUERY")
    guard case .variable(let variable) = token.kind else {
      throw expected("a variable such as $x")
    }
    try advance()
    try require(.comma, "behind the variable of SUBQUERY")
    variables.append(variable)
    let condition = try parse()
    variables.removeLast()
    try require(.close, "behind the condition of SUBQUERY")
    try readCount()
    return (
      .count(path, where: condition),
      PredicateSource.Place(start: start, steps: trail.steps)
    )
  }

  private mutating func readCount() throws(PredicateError) {
    let place = token.range.lowerBound
    if try take(.dot), try take(.at), case .name(let name, _) = token.kind,
      name.lowercased() == "count"
    {
      return try advance()
    }
    throw error(
      "SUBQUERY is followed by .@count and a comparison: SUBQUERY(…).@count > 0.",
      kind: .unsupported, at: place)
  }
}
