import CairnValues

extension Parser {
  /// A property, the way to one through others, or a collection operator on one.
  mutating func readTrail() throws(PredicateError) -> Trail {
    try readOrigin()
    var trail = Trail()
    try readStep(&trail)
    try readSteps(&trail)
    return trail
  }

  /// The same behind its first property.
  mutating func readTrail(behind name: String, at place: Int) throws(PredicateError) -> Trail {
    var trail = Trail()
    trail.append(.property(name), at: place)
    try readSteps(&trail)
    return trail
  }

  private mutating func readSteps(_ trail: inout Trail) throws(PredicateError) {
    while true {
      if token.is(.openBracket) {
        try readSubscript(&trail)
      } else if try take(.dot) {
        try readStep(&trail)
      } else {
        return
      }
    }
  }

  /// `SELF.` or the `$x.` of a subquery: where a path begins.
  private mutating func readOrigin() throws(PredicateError) {
    if case .variable(let name) = token.kind { return try readVariable(name) }
    if let variable = variables.last {
      throw missingVariable(token.description(in: lexer.text), variable)
    }
    guard token.keyword == .self else { return }
    try advance()
    guard try take(.dot) else {
      throw unexpected("'.' and a property behind SELF")
    }
  }

  private mutating func readVariable(_ name: String) throws(PredicateError) {
    guard let variable = variables.last else {
      throw error("There is no SUBQUERY around this whose variable is $\(name).")
    }
    guard name.utf8.elementsEqual(variable.utf8) else {
      let message =
        variables.contains { $0.utf8.elementsEqual(name.utf8) }
        ? "Here only $\(variable) can be asked; $\(name) belongs to the SUBQUERY outside."
        : "The variable of this SUBQUERY is $\(variable), not $\(name)."
      throw error(message, kind: .unsupported)
    }
    try advance()
    guard try take(.dot) else {
      throw unexpected(
        "'.' and a property behind $\(variable)",
        hint: " Whether an object is among the elements is asked with object IN collection.")
    }
  }

  func missingVariable(_ name: String, _ variable: String, at place: Int? = nil) -> PredicateError {
    let bare = name.filter { $0 != "'" }
    return error(
      "Inside a SUBQUERY a property begins with its variable: write $\(variable).\(bare).",
      at: place)
  }

  // MARK: Steps

  private mutating func readStep(_ trail: inout Trail) throws(PredicateError) {
    let place = token.range.lowerBound
    if trail.isEnded { throw error("@count is the end of a path.") }
    switch token.kind {
    case .name(let name, _), .quotedName(let name):
      trail.append(.property(name), at: place)
      try advance()
    case .nextProperty:
      try appendProperties(&trail)
      try advance()
    case .sign(.at):
      try advance()
      guard case .name(let name, _) = token.kind else {
        throw expected("the name of a collection operator behind '@'")
      }
      try readOperator(name, &trail, at: place)
      try advance()
    default: throw expected("the name of a property")
    }
  }

  /// The steps of a `%K`, which has dots and collection operators as a path in the text would.
  private mutating func appendProperties(_ trail: inout Trail) throws(PredicateError) {
    let place = token.range.lowerBound
    guard case .value(.string(let path)) = try nextArgument() else {
      throw error("%K takes the name of a property.", kind: .argument)
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains("") else {
      throw error("'\(path)' is not the name of a property.", kind: .argument)
    }
    for name in names {
      if trail.isEnded { throw error("@count is the end of a path.", kind: .argument) }
      if name.hasPrefix("@") {
        try readOperator(String(name.dropFirst()), &trail, at: place)
      } else {
        trail.append(.property(name), at: place)
      }
    }
  }

  private mutating func readOperator(
    _ name: String, _ trail: inout Trail, at place: Int
  ) throws(PredicateError) {
    guard !trail.components.isEmpty else {
      throw error("'@\(name)' stands behind a collection, as in dogs.@count.", at: place)
    }
    switch name.lowercased() {
    case "allkeys": return trail.append(.allKeys, at: place)
    case "allvalues": return trail.append(.allValues, at: place)
    default: break
    }
    guard trail.collector == nil else {
      throw error(
        "A path has one collection operator; '@\(name)' is its second.", kind: .unsupported,
        at: place)
    }
    if name.lowercased() == "count" {
      trail.collect(.count)
    } else if let function = AggregateFunction(rawValue: name.lowercased()) {
      trail.collect(.aggregate(function))
    } else {
      throw operatorError(name, at: place)
    }
  }
}
