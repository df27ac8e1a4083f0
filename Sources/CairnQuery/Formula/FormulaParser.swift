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
  mutating func readOperation(
    _ precedence: Int, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    var node = try readOperand(precedence, &operations)
    while true {
      if isNamed("IS"), FormulaOperator.comparing >= precedence {
        node = try readNullTest(of: node, &operations)
        continue
      }
      guard let operation = nextOperator, operation.precedence >= precedence else { return node }
      try count(&operations)
      try advance()
      let operand = try readOperation(operation.precedence + 1, &operations)
      node = FormulaNode(
        content: .operation(operation, node, operand),
        range: node.range.lowerBound..<operand.range.upperBound)
    }
  }

  /// Reads `IS NULL` or `IS NOT NULL`.
  private mutating func readNullTest(
    of node: FormulaNode, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    try count(&operations)
    guard case .comparison(let comparison) = try readNullTest() else { return node }
    let null = FormulaNode(content: .constant(.null), range: token.range)
    try advance()
    return FormulaNode(
      content: .operation(comparison == .equal ? .equal : .notEqual, node, null),
      range: node.range.lowerBound..<null.range.upperBound)
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

  mutating func readOperand(
    _ precedence: Int, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    if token.is(.not) || token.keyword == .not, precedence <= FormulaOperator.comparing {
      try count(&operations)
      try advance()
      let operand = try readOperation(FormulaOperator.comparing, &operations)
      return FormulaNode(content: .not(operand), range: start..<operand.range.upperBound)
    }
    switch token.kind {
    case .sign(.minus), .sign(.plus):
      try count(&operations)
      let isNegation = token.is(.minus)
      try advance()
      let operand = try readOperand(.max, &operations)
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
      if isBeforeParenthesis { return try readCall(name, &operations) }
      guard let value = keyword.flatMap(Parser.constant) else { return try readName(from: name) }
      return try constant(value)
    default:
      if token.isArgument, case .value(let value) = try readArgument() {
        return FormulaNode(content: .constant(value), range: start..<lastEnd)
      }
      var value = try readMetres()
      if value == nil { value = try readLiteral() }
      guard let value else { throw expected("a value or a property") }
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

  /// The end of the text before the token, without blanks.
  var lastEnd: Int {
    let bytes = lexer.text[..<token.range.lowerBound]
    return (bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
  }
}

// Functions.
extension Parser {
  /// Reads a function with its arguments, a cast, or a constant that names its type, such as
  /// `uuid(…)`.
  private mutating func readCall(
    _ name: String, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    let word = name.lowercased()
    if word == "cast" || word == "try_cast" {
      return try readCast(isTried: word == "try_cast", &operations)
    }
    if let function = FormulaFunction(rawValue: word), function != .date || !isDateConstant {
      let (arguments, end) = try readArguments(of: function.rawValue, &operations)
      try check(arguments.count, function.arguments, of: function.rawValue, at: start)
      return FormulaNode(content: .call(function, arguments), range: start..<end)
    }
    if let function = GeometryFunction(named: name) {
      let (arguments, end) = try readArguments(of: function.rawValue, &operations)
      try check(arguments.count, function.arguments, of: function.rawValue, at: start)
      return FormulaNode(content: .geometric(function, arguments), range: start..<end)
    }
    guard let value = try readTyped(name) else { throw unknownFunction(name) }
    return FormulaNode(content: .constant(value), range: start..<lastEnd)
  }

  /// Reads the name of a function, and its arguments up to the end of their parentheses.
  private mutating func readArguments(
    of name: String, _ operations: inout Int
  ) throws(PredicateError) -> (arguments: [FormulaNode], end: Int) {
    try count(&operations)
    try advance()
    let open = token.range.lowerBound
    try require(.open, context: "behind \(name)")
    var arguments: [FormulaNode] = []
    if !token.is(.close) {
      repeat {
        arguments.append(try readOperation(0, &operations))
      } while try take(.comma)
    }
    let end = token.range.upperBound
    try requireClose(openedAt: open)
    return (arguments, end)
  }

  /// Whether a parenthesis follows the token, perhaps behind blanks.
  private var isBeforeParenthesis: Bool {
    var offset = 0
    while lexer.peek(offset) == UInt8(ascii: " ") { offset += 1 }
    return lexer.peek(offset) == UInt8(ascii: "(")
  }

  /// Whether the tokens begin a function or a cast.
  var beginsFunction: Bool {
    guard case .name(let name, _) = token.kind, isBeforeParenthesis else { return false }
    let word = name.lowercased()
    if word == "cast" || word == "try_cast" { return true }
    if let function = FormulaFunction(rawValue: word) {
      return function != .date || !isDateConstant
    }
    return GeometryFunction(named: name) != nil
  }

  /// Whether the tokens are a constant such as `date(86400)` rather than a function of a date.
  private var isDateConstant: Bool {
    guard lexer.peek() == UInt8(ascii: "(") else { return false }
    var rest = lexer
    rest.advance()
    guard let content = try? rest.readParenthesised().content else { return false }
    return ISODate.parse(content) != nil || Double(content) != nil
  }

  private func check(
    _ count: Int, _ range: ClosedRange<Int>, of function: String, at start: Int
  ) throws(PredicateError) {
    guard !range.contains(count) else { return }
    let most = range.upperBound > 3 ? "more" : "\(range.upperBound)"
    let number = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) or \(most)"
    let noun = range.upperBound == 1 ? "argument" : "arguments"
    throw error("\(function) takes \(number) \(noun), not \(count).", at: start)
  }

  /// Reads `cast(x AS int)`.
  private mutating func readCast(
    isTried: Bool, _ operations: inout Int
  ) throws(PredicateError) -> FormulaNode {
    let start = token.range.lowerBound
    try count(&operations)
    try advance()
    let open = token.range.lowerBound
    try require(.open, context: "behind cast")
    let operand = try readOperation(0, &operations)
    guard isNamed("AS") else { throw expected("AS and a type, as in cast(x AS int)") }
    try advance()
    guard case .name(let name, _) = token.kind, let type = FormulaType.named(name) else {
      throw expected("a type: \(FormulaType.list)")
    }
    try advance()
    let end = token.range.upperBound
    try requireClose(openedAt: open)
    return FormulaNode(
      content: .cast(operand, to: type, isTried: isTried), range: start..<end)
  }

  private mutating func requireClose(openedAt open: Int) throws(PredicateError) {
    if token.kind == .end { throw error("The parenthesis is never closed.", at: open) }
    guard try take(.close) else { throw expected("an operator or ')'", hint: operatorHint) }
  }

  private func unknownFunction(_ name: String) -> PredicateError {
    let names =
      FormulaFunction.allCases.map(\.rawValue) + ["cast", "try_cast"]
      + GeometryFunction.allCases.map(\.rawValue).filter { $0 != "length" }
    let others = [
      "ucase": "upper", "lcase": "lower", "len": "length", "char_length": "length",
      "substr": "substring", "mid": "substring", "ifnull": "coalesce", "nvl": "coalesce",
      "iif": "if", "case": "if", "ceiling": "ceil", "dow": "weekday", "split_part": "split",
      "regexp_replace_all": "regexp_replace", "strip": "trim", "current_timestamp": "now",
    ]
    let known = (others[name.lowercased()] ?? NearestName.of(name, among: names)).map {
      "Did you mean \($0)?"
    }
    return error(
      "There is no function '\(name)'. "
        + (known ?? "There are \(names.joined(separator: ", ")), and || joins texts."))
  }

  private var operatorHint: String { " There are + - * / || == != < <= > >= AND and OR." }
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
