import CairnGeometry
import CairnValues

extension Parser {
  /// What stands between the two sides.
  enum Operation {
    case comparison(ComparisonOperator)
    case match(MatchOperator)
    case between
    case isIn
    case within
  }

  /// One condition.
  mutating func readCondition() throws(PredicateError) -> Node {
    if token.keyword == .truePredicate || token.keyword == .falsePredicate {
      let node = Node.constant(token.keyword == .truePredicate)
      try advance()
      return node
    }
    let number = leaves.count
    let start = PredicateSource.Place(start: token.range.lowerBound)
    leaves.append(PredicateSource.Leaf(subject: start, operand: start))
    let left = try readSide("a condition")
    let operationPlace = token.range.lowerBound
    if token.keyword == .not { throw misplacedNegation(behind: start.start) }
    let operation = try readOperation()
    let options = try readOptions(of: operation, at: operationPlace)
    let right = try readSide("a value or a property")
    leaves[number] = PredicateSource.Leaf(subject: left.place, operand: right.place)
    var condition = Condition(left: left, right: right, options: options, number: number)
    let node = try assemble(&condition, operation)
    return left.isNegated || right.isNegated ? .not(node) : node
  }

  private mutating func readOperation() throws(PredicateError) -> Operation {
    let operation: Operation? =
      switch token.kind {
      case .sign(let sign): ComparisonOperator(sign).map { .comparison($0) }
      case .name: wordOperation()
      default: nil
      }
    guard let operation else { throw unexpected("an operator", hint: operatorHint()) }
    try advance()
    return operation
  }

  private func wordOperation() -> Operation? {
    switch token.keyword {
    case .between: .between
    case .in: .isIn
    case .geoWithin: .within
    case .beginsWith: .match(.beginsWith)
    case .endsWith: .match(.endsWith)
    case .contains: .match(.contains)
    case .like: .match(.like)
    default: nil
    }
  }

  private func operatorHint() -> String {
    if token.keyword == .matches {
      return " Regular expressions are not supported; LIKE knows * and ?."
    }
    if case .name(let name, _) = token.kind, name.lowercased() == "is" {
      return " Null is asked for with == nil and != nil."
    }
    if case .name(let name, _) = token.kind,
      let word = Parser.otherNames[name.uppercased()]
        ?? NearestName.of(name.uppercased(), among: Parser.operators)
    {
      return " Did you mean \(word)?"
    }
    return " There are == != < <= > >= \(Parser.operators.joined(separator: " "))."
  }

  /// What operators are called elsewhere.
  private static let otherNames = [
    "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
    "ENDS": "ENDSWITH", "INCLUDES": "CONTAINS", "HAS": "CONTAINS", "ILIKE": "LIKE[c]",
    "WITHIN": "GEOWITHIN", "INSIDE": "GEOWITHIN", "ST_WITHIN": "GEOWITHIN",
  ]

  private static let operators = [
    "BETWEEN", "IN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "GEOWITHIN",
  ]

  /// `[c]`, `[d]` or `[cd]` behind an operator.
  private mutating func readOptions(
    of operation: Operation, at place: Int
  ) throws(PredicateError) -> StringOptions {
    guard token.is(.openBracket) else { return [] }
    try advance()
    guard case .name(let letters, _) = token.kind, letters.utf8.count <= 2 else {
      throw expected("c, d or cd in the brackets of an operator")
    }
    var options: StringOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw expected("c, d or cd in the brackets of an operator")
      }
    }
    try advance()
    try require(.closeBracket, "behind the options of an operator")
    try check(options, of: operation, at: place)
    return options
  }

  private func check(
    _ options: StringOptions, of operation: Operation, at place: Int
  ) throws(PredicateError) {
    switch operation {
    case .match, .isIn: return
    case .comparison(let operation) where !operation.isOrder: return
    case .comparison, .between:
      throw error(
        "Lexicographical comparisons must be case-sensitive.", kind: .unsupported, at: place)
    case .within: throw error("GEOWITHIN takes no options.", at: place)
    }
  }
}

extension ComparisonOperator {
  fileprivate init?(_ sign: Token.Sign) {
    switch sign {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    default: return nil
    }
  }
}
