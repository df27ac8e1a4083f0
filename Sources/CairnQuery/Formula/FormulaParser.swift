import CairnValues

extension Parser {
  /// The greatest number of operators, signs, functions and parentheses. It bounds the depth of
  /// every recursion over the tree.
  private static let maxOperations = 250

  /// Parses the text into one formula.
  mutating func parseFormula() throws(PredicateError) -> FormulaNode {
    var operations = 0
    let node = try readOperation(0, &operations)
    guard token.kind == .end else {
      throw expected("an operator or the end of the formula", hint: operatorHint)
    }
    return node
  }

  /// Reads operands joined by operators that bind at least as tightly as `precedence`.
  private mutating func readOperation(
    _ precedence: Int, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    var node = try readOperand(&operations)
    while let operation = nextOperator, operation.precedence >= precedence {
      try count(&operations)
      try advance()
      let operand = try readOperation(operation.precedence + 1, &operations)
      node = FormulaNode(
        content: .operation(operation, node, operand),
        range: node.range.lowerBound..<operand.range.upperBound)
    }
    return node
  }

  /// The operator at the token. In `a -1`, the lexer has read the sign as part of the number, which
  /// this corrects.
  private var nextOperator: FormulaOperator? {
    mutating get {
      let start = token.range.lowerBound
      if case .number = token.kind, let sign = Token.Sign(sign: lexer.text[start]) {
        token = Token(kind: .sign(sign), range: start..<start + 1)
        lexer.position = start + 1
      }
      return FormulaOperator(token)
    }
  }

  private func count(_ operations: inout Int) throws(PredicateError) {
    operations += 1
    guard operations <= Parser.maxOperations else {
      throw error(
        "The formula has more than \(Parser.maxOperations) operations.", kind: .tooLarge)
    }
  }

  private mutating func readOperand(
    _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    switch token.kind {
    case .sign(.minus), .sign(.plus):
      try count(&operations)
      let isNegation = token.is(.minus)
      try advance()
      let operand = try readOperand(&operations)
      guard isNegation else { return operand }
      return FormulaNode(content: .negation(operand), range: start..<operand.range.upperBound)
    case .sign(.open):
      try count(&operations)
      try advance()
      let inner = try readOperation(0, &operations)
      let end = token.range.upperBound
      try requireClose(openedAt: start)
      return FormulaNode(content: inner.content, range: start..<end)
    case .quotedName(let name):
      return try readName(from: name)
    case .name(let name, let keyword):
      if lexer.peek() == UInt8(ascii: "(") { return try readCall(name, &operations) }
      guard let value = keyword.flatMap(Parser.constant) else { return try readName(from: name) }
      return try constant(value)
    default:
      guard let value = try readLiteral() else { throw expected("a value or a property") }
      return FormulaNode(content: .constant(value), range: start..<lastEnd)
    }
  }

  /// Advances behind a constant of one token.
  private mutating func constant(_ value: Value) throws(PredicateError) -> FormulaNode {
    let range = token.range
    try advance()
    return FormulaNode(content: .constant(value), range: range)
  }

  /// Reads a property, or a part of one: names with dots between them.
  private mutating func readName(from first: String) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    var (path, end) = (first, token.range.upperBound)
    try advance()
    while token.is(.dot) {
      try advance()
      switch token.kind {
      case .name(let name, _), .quotedName(let name): path += "." + name
      default: throw expected("a name behind '.'")
      }
      end = token.range.upperBound
      try advance()
    }
    return FormulaNode(content: .name(path), range: start..<end)
  }

  /// Reads a function with its arguments, or a constant that names its type, such as `uuid(…)`.
  private mutating func readCall(
    _ name: String, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    guard let function = FormulaFunction(rawValue: name.lowercased()) else {
      if let value = try readTyped(name) {
        return FormulaNode(content: .constant(value), range: start..<lastEnd)
      }
      throw unknownFunction(name)
    }
    try count(&operations)
    try advance()
    let open = token.range.lowerBound
    try require(.open, context: "behind \(function.rawValue)")
    let argument = try readOperation(0, &operations)
    let digits = function == .round && token.is(.comma) ? try readDigits() : 0
    let end = token.range.upperBound
    try requireClose(openedAt: open)
    return FormulaNode(
      content: .function(function, argument, digits: digits), range: start..<end)
  }

  /// Reads the comma and the number of decimals in `round(x, 2)`.
  private mutating func readDigits() throws(PredicateError) -> Int {
    try advance()
    guard case .number(.int(let digits), "") = token.kind, 0...15 ~= digits else {
      throw expected("the number of decimals, from 0 to 15")
    }
    try advance()
    return Int(digits)
  }

  private mutating func requireClose(openedAt open: Int) throws(PredicateError) {
    if token.kind == .end { throw error("The parenthesis is never closed.", at: open) }
    guard try take(.close) else { throw expected("an operator or ')'", hint: operatorHint) }
  }

  /// The end of the text before the token, without blanks.
  private var lastEnd: Int {
    let bytes = lexer.text[..<token.range.lowerBound]
    return (bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
  }

  private func unknownFunction(_ name: String) -> PredicateError {
    let names = FormulaFunction.allCases.map(\.rawValue)
    let known = NearestName.of(name, among: names).map { "Did you mean \($0)?" }
    return error(
      "There is no function '\(name)'. "
        + (known ?? "There are \(names.joined(separator: ", ")), and || joins texts."))
  }

  private var operatorHint: String {
    switch token.kind {
    case .sign(.equal), .sign(.notEqual), .sign(.less), .sign(.lessOrEqual), .sign(.greater),
      .sign(.greaterOrEqual), .sign(.and), .sign(.not):
      " A formula computes a value; it has no conditions."
    default: " There are + - * / and ||."
    }
  }
}

extension Token.Sign {
  /// The sign of a number.
  fileprivate init?(sign byte: UInt8) {
    switch byte {
    case UInt8(ascii: "-"): self = .minus
    case UInt8(ascii: "+"): self = .plus
    default: return nil
    }
  }
}
