import CairnGeometry
import CairnValues

/// One side of a comparison.
enum Side {
  case path(PropertyPath)
  case value(Value)
  case list([Value])
  case shape(Shape)
}

extension Parser {
  /// What stands between the two sides.
  private enum Operation {
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
    let start = token.range.lowerBound
    let left = try readOperand("a condition")
    let operationPlace = token.range.lowerBound
    let operation = try readOperation()
    let options = try readOptions(of: operation, at: operationPlace)
    let place = token.range.lowerBound
    let right = try readOperand("a value or a property")
    leaves.append(PredicateSource.Leaf(path: start, operand: place))
    switch operation {
    case .comparison(let operation): return try comparison(left, operation, right, options)
    case .match(let operation): return try match(left, operation, right, options)
    case .between: return try between(left, right)
    case .isIn: return try membership(left, right, options)
    case .within: return try within(left, right)
    }
  }

  private mutating func readOperation() throws(PredicateError) -> Operation {
    let operation: Operation? =
      switch token.kind {
      case .sign(let sign): ComparisonOperator(sign).map { .comparison($0) }
      case .name: wordOperation()
      default: nil
      }
    guard let operation else { throw expected("an operator", hint: operatorHint()) }
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
      let word = NearestName.of(name.uppercased(), among: Parser.operators)
    {
      return " Did you mean \(word)?"
    }
    return " There are == != < <= > >= \(Parser.operators.joined(separator: " "))."
  }

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

// MARK: Putting a condition together

extension Parser {
  private mutating func comparison(
    _ left: Side, _ operation: ComparisonOperator, _ right: Side, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    switch (left, right) {
    case (.path(let path), .value(let value)):
      return .compare(.path(path), operation, .value(value), options)
    case (.value(let value), .path(let path)):
      leaves.append(leaves.removeLast().mirrored)
      return .compare(.path(path), operation.mirrored, .value(value), options)
    case (.path(let path), .path(let other)):
      return .compare(.path(path), operation, .subject(.path(other)), options)
    case (.path, .list):
      throw operandError(
        "'\(operation.rawValue)' compares with one value; a list goes with IN or BETWEEN.")
    case (.path, .shape): throw operandError("A shape goes with GEOWITHIN.")
    default: throw leftError()
    }
  }

  private func match(
    _ left: Side, _ operation: MatchOperator, _ right: Side, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    guard case .path(let path) = left else {
      throw error(
        "\(operation.rawValue) has its property on the left.", at: leaves.last?.path)
    }
    switch right {
    case .value(let value): return .match(.path(path), operation, .value(value), options)
    case .path(let other): return .match(.path(path), operation, .subject(.path(other)), options)
    case .list, .shape: throw operandError("\(operation.rawValue) takes one text.")
    }
  }

  private func between(_ left: Side, _ right: Side) throws(PredicateError) -> Node {
    guard case .path(let path) = left else { throw leftError() }
    guard case .list(let ends) = right, ends.count == 2 else {
      throw operandError("BETWEEN takes two values in braces, as in {1, 10}.")
    }
    return .between(.path(path), ends[0], ends[1])
  }

  private func membership(
    _ left: Side, _ right: Side, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    guard case .path(let path) = left else {
      if case .path = right {
        throw operandError(
          "A value IN a property asks what a collection holds; collections are not supported yet.",
          kind: .unsupported)
      }
      throw leftError()
    }
    switch right {
    case .list(let values): return .isIn(.path(path), values, options)
    case .shape(let shape): return .within(path, shape)
    case .value: throw operandError("IN takes values in braces, as in {1, 2, 3}, or a shape.")
    case .path:
      throw operandError(
        "IN with a property on its right asks what a collection holds; collections are not supported yet.",
        kind: .unsupported)
    }
  }

  private func within(_ left: Side, _ right: Side) throws(PredicateError) -> Node {
    guard case .path(let path) = left else { throw leftError() }
    guard case .shape(let shape) = right else {
      throw operandError("GEOWITHIN takes a shape: geoCircle, geoBox or geoPolygon.")
    }
    return .within(path, shape)
  }

  private func leftError() -> PredicateError {
    error(
      "A condition must hold a property against a value or another property.",
      at: leaves.last?.path)
  }

  private func operandError(
    _ message: String, kind: PredicateError.Kind = .syntax
  ) -> PredicateError {
    error(message, kind: kind, at: leaves.last?.operand)
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
