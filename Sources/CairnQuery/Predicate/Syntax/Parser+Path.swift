import CairnValues

extension Parser {
  /// Reads a property, a path through several, or a collection operator on one.
  mutating func readTrail() throws(PredicateError) -> ParsedPath {
    var parsedPath = ParsedPath()
    let position = token.range.lowerBound
    if try readOrigin() {
      try readStep(&parsedPath)
    } else {
      parsedPath.append(.property(Predicate.valueName), at: position)
    }
    try readSteps(&parsedPath)
    return parsedPath
  }

  /// Reads the rest of a path behind its first property.
  mutating func readTrail(behind name: String, at position: Int) throws(PredicateError)
    -> ParsedPath
  {
    var parsedPath = ParsedPath()
    parsedPath.append(.property(name), at: position)
    try readSteps(&parsedPath)
    return parsedPath
  }

  private mutating func readSteps(_ parsedPath: inout ParsedPath) throws(PredicateError) {
    while true {
      if token.is(.openBracket) {
        try readSubscript(&parsedPath)
      } else if try take(.dot) {
        try readStep(&parsedPath)
      } else {
        return
      }
    }
  }

  /// Reads the origin of a path: `SELF.`, or the `$x.` of a subquery.
  ///
  /// - Returns: False for a lone `SELF`, which is an element of a collection of values.
  private mutating func readOrigin() throws(PredicateError) -> Bool {
    if case .variable(let name) = token.kind {
      try readVariable(name)
      return true
    }
    if let variable = variables.last {
      throw missingVariable(token.description(in: lexer), variable: variable)
    }
    guard token.keyword == .self else { return true }
    try advance()
    return try take(.dot)
  }

  private mutating func readVariable(_ name: String) throws(PredicateError) {
    guard let variable = variables.last else {
      throw error("No enclosing SUBQUERY has the variable $\(name).")
    }
    guard name.utf8.elementsEqual(variable.utf8) else {
      let message =
        variables.contains { $0.utf8.elementsEqual(name.utf8) }
        ? "Here only $\(variable) can be used; $\(name) belongs to the enclosing SUBQUERY."
        : "The variable of this SUBQUERY is $\(variable), not $\(name)."
      throw error(message, kind: .unsupported)
    }
    try advance()
    guard try take(.dot) else {
      throw unexpected(
        "'.' and a property behind $\(variable)",
        hint: " Use object IN collection to test whether an object is an element.")
    }
  }

  func missingVariable(_ name: String, variable: String, at position: Int? = nil) -> PredicateError
  {
    let bare = name.filter { $0 != "'" }
    return error(
      "Inside a SUBQUERY a property begins with its variable: write $\(variable).\(bare).",
      at: position)
  }

  // MARK: Steps

  private mutating func readStep(_ parsedPath: inout ParsedPath) throws(PredicateError) {
    let position = token.range.lowerBound
    if parsedPath.isEnded { throw error("Nothing may follow @count in a path.") }
    switch token.kind {
    case .name(let name, _), .quotedName(let name):
      parsedPath.append(.property(name), at: position)
      try advance()
    case .nextProperty:
      try appendProperties(&parsedPath)
      try advance()
    case .sign(.at):
      try advance()
      guard case .name(let name, _) = token.kind else {
        throw expected("the name of a collection operator behind '@'")
      }
      try readOperator(name, parsedPath: &parsedPath, at: position)
      try advance()
    default: throw expected("the name of a property")
    }
  }

  /// Appends the steps of a `%K`. The argument may contain dots and collection operators, like a
  /// path in the text.
  private mutating func appendProperties(_ parsedPath: inout ParsedPath) throws(PredicateError) {
    let position = token.range.lowerBound
    guard case .value(.string(let path)) = try nextArgument() else {
      throw error("%K takes the name of a property.", kind: .argument)
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains("") else {
      throw error("'\(path)' is not the name of a property.", kind: .argument)
    }
    for name in names {
      if parsedPath.isEnded { throw error("Nothing may follow @count in a path.", kind: .argument) }
      if name.hasPrefix("@") {
        try readOperator(String(name.dropFirst()), parsedPath: &parsedPath, at: position)
      } else {
        parsedPath.append(.property(name), at: position)
      }
    }
  }

  private mutating func readOperator(
    _ name: String, parsedPath: inout ParsedPath, at position: Int
  ) throws(PredicateError) {
    guard !parsedPath.components.isEmpty else {
      throw error("'@\(name)' belongs behind a collection, as in dogs.@count.", at: position)
    }
    switch name.lowercased() {
    case "allkeys": return parsedPath.append(.allKeys, at: position)
    case "allvalues": return parsedPath.append(.allValues, at: position)
    default: break
    }
    guard parsedPath.collector == nil else {
      throw error(
        "A path has one collection operator; '@\(name)' is the second.", kind: .unsupported,
        at: position)
    }
    if name.lowercased() == "count" {
      parsedPath.collect(.count)
    } else if let function = AggregateFunction(rawValue: name.lowercased()) {
      parsedPath.collect(.aggregate(function))
    } else {
      throw operatorError(name, at: position)
    }
  }
}

extension Parser {
  /// Reads `['k']`, `[0]`, `[*]`, or an argument for one of them.
  mutating func readSubscript(_ parsedPath: inout ParsedPath) throws(PredicateError) {
    let position = token.range.lowerBound
    if parsedPath.isEnded { throw error("Nothing may follow @count in a path.") }
    try advance()
    parsedPath.append(try readSubscriptContent(), at: position)
    try require(.closeBracket, context: "behind a subscript")
  }

  private mutating func readSubscriptContent() throws(PredicateError) -> PropertyPath.Component {
    let position = token.range.lowerBound
    if try take(.times) { return .anyElement }
    switch token.kind {
    case .string(let key):
      try advance()
      return .key(key)
    case .number(.int(let index), let unit) where unit.isEmpty && index >= 0:
      try advance()
      return .index(Int(index))
    case .nextProperty:
      guard case .value(.string("#any")) = try nextArgument() else { break }
      try advance()
      return .anyElement
    case .nextArgument, .argument:
      switch try readArgument() {
      case .value(.string(let key)): return .key(key)
      case .value(.int(let index)) where index >= 0: return .index(Int(index))
      default:
        throw error(
          "A subscript is a text, a whole number from 0 on, or *.", kind: .argument, at: position)
      }
    default: break
    }
    throw error("A subscript is a text, a whole number from 0 on, or *.", at: position)
  }
}

/// A path as parsed, with its collection operator.
struct ParsedPath {
  /// A collection operator whose result is a number.
  enum Collector {
    case count
    case aggregate(AggregateFunction)
  }

  private(set) var components: [PropertyPath.Component] = []
  private(set) var collector: Collector?
  /// The steps behind the operator.
  private(set) var below: [PropertyPath.Component] = []
  /// The start of each step, including those behind the operator.
  private(set) var steps: [Int] = []

  /// Whether no further step may follow.
  var isEnded: Bool {
    if case .count = collector { true } else { false }
  }

  mutating func append(_ component: PropertyPath.Component, at position: Int) {
    steps.append(position)
    if collector == nil { components.append(component) } else { below.append(component) }
  }

  mutating func collect(_ collector: Collector) { self.collector = collector }

  var expression: Expression {
    let path = PropertyPath(components)
    switch collector {
    case nil: return .path(path)
    case .count: return .count(path, where: nil)
    case .aggregate(let function):
      return .aggregate(function, path, of: below.isEmpty ? nil : PropertyPath(below))
    }
  }

  func position(from start: Int) -> PredicateSource.SidePosition {
    steps == [start]
      ? PredicateSource.SidePosition(start: start) : .init(start: start, steps: steps)
  }
}
