import CairnStorage
import CairnSystem
import CairnValues

/// Binds the nodes of a formula.
struct FormulaBinder {
  let text: String
  let schema: TableSchema
  let inputs: [String]

  /// The time of the first formula that asks for it, so that all formulas of a command have the same
  /// one. Between 1970 and 2001 are 978 307 200 seconds.
  private static let now = Double(time(nil) - 978_307_200)

  func bind(_ node: FormulaNode) throws(PredicateError) -> BoundTerm {
    switch node.content {
    case .constant(let value):
      BoundTerm(.constant(value), type: value.type, range: node.range)
    case .name(let name): try resolve(name, range: node.range)
    case .negation(let operand): try negation(bind(operand), range: node.range)
    case .not(let operand):
      BoundTerm(.not(try flag(bind(operand), "NOT")), type: .bool, range: node.range)
    case .operation(let operation, let left, let right):
      try self.operation(operation, bind(left), bind(right), range: node.range)
    case .call(let function, let arguments):
      try call(function, bind(arguments), range: node.range)
    case .geometric(let function, let arguments):
      try geometric(function, bind(arguments), range: node.range)
    case .cast(let operand, let type, let isTried):
      try cast(bind(operand), to: type, isTried: isTried, range: node.range)
    }
  }

  private func bind(_ nodes: [FormulaNode]) throws(PredicateError) -> [BoundTerm] {
    var terms: [BoundTerm] = []
    for node in nodes { terms.append(try bind(node)) }
    return terms
  }

  // MARK: Names

  private func resolve(_ name: String, range: Range<Int>) throws(PredicateError) -> BoundTerm {
    let input = inputs.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    // A part is read from its location, and not from the column that is computed of it.
    if schema.property(named: name) == nil, let part = part(name, range: range) { return part }
    if let column = schema.column(named: name), input == nil || !column.isHidden {
      guard column.collection == .none, !column.isLink, column.type != .mixed else {
        throw error(
          .unsupported, "'\(name)' is a \(column.typeText), which a formula cannot read.", at: range
        )
      }
      let type = column.type == .float ? .double : column.storedType
      return BoundTerm(.column(column.position), type: type, range: range)
    }
    if let input {
      return BoundTerm(.input(input), type: .double, range: range)
    }
    throw unknown(name, range: range)
  }

  /// A part of a location, such as `location.latitude`.
  private func part(_ name: String, range: Range<Int>) -> BoundTerm? {
    guard let dot = name.lastIndex(of: "."),
      let part = PositionPart(rawValue: String(name[name.index(after: dot)...])),
      let column = schema.column(named: String(name[..<dot])), column.isPoint
    else { return nil }
    return BoundTerm(.part(part, of: column.position), type: .double, range: range)
  }

  private func unknown(_ name: String, range: Range<Int>) -> PredicateError {
    let parts = schema.properties.filter(\.isPoint).flatMap { column in
      PositionPart.allCases.map { "\(column.name).\($0.rawValue)" }
    }
    let candidates = schema.properties.map(\.name) + parts + inputs
    let hint = NearestName.of(name, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
    return error(
      .unknownProperty, "'\(schema.name)' has no property '\(name)'.\(hint)", at: range)
  }

  // MARK: Operations

  private func negation(
    _ operand: BoundTerm, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    guard let type = operand.type else { return null(range) }
    try requireNumber(operand, "a minus sign")
    return BoundTerm(.negation(operand), type: type, range: range)
  }

  private func operation(
    _ operation: FormulaOperator, _ left: BoundTerm, _ right: BoundTerm, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    if operation == .and || operation == .or {
      let operands = (try flag(left, operation.rawValue), try flag(right, operation.rawValue))
      return BoundTerm(.operation(operation, operands.0, operands.1), type: .bool, range: range)
    }
    if operation.comparison != nil { return try comparison(operation, left, right, range: range) }
    if operation == .join {
      guard left.type != nil, right.type != nil else { return null(range) }
      return BoundTerm(
        .operation(.join, try asText(left), try asText(right)), type: .string, range: range)
    }
    let (operands, type) = try types(operation, left, right)
    guard let operands, let type else { return null(range) }
    var (left, right) = (left, right)
    left.wanted = operands
    right.wanted = operands
    return BoundTerm(.operation(operation, left, right), type: type, range: range)
  }

  /// The type of both operands and that of the result; nil for null.
  private func types(
    _ operation: FormulaOperator, _ left: BoundTerm, _ right: BoundTerm
  ) throws(PredicateError) -> (operands: ValueType?, result: ValueType?) {
    if let dates = dateTypes(operation, left, right) { return dates }
    for operand in [left, right] { try requireNumber(operand, "'\(operation.rawValue)'") }
    guard let first = left.type, let second = right.type else { return (nil, nil) }
    if first == .decimal128 || second == .decimal128 { return (.decimal128, .decimal128) }
    let isWhole = first == .int && second == .int && operation != .divide
    return isWhole ? (.int, .int) : (.double, .double)
  }

  /// A date and a number of seconds make a date, and two dates a number of seconds. The doubles of
  /// dates are computed with as they are.
  private func dateTypes(
    _ operation: FormulaOperator, _ left: BoundTerm, _ right: BoundTerm
  ) -> (operands: ValueType?, result: ValueType?)? {
    switch (left.type, operation, right.type) {
    case (.date, .subtract, .date): (.double, .double)
    case (.date, .add, .int), (.date, .add, .double), (.date, .subtract, .int),
      (.date, .subtract, .double), (.int, .add, .date), (.double, .add, .date):
      (.double, .date)
    case (.date, .add, nil), (.date, .subtract, nil), (nil, .add, .date), (nil, .subtract, .date):
      (nil, nil)
    default: nil
    }
  }

  /// Two operands of one type, of which a constant null fits any.
  private func comparison(
    _ operation: FormulaOperator, _ left: BoundTerm, _ right: BoundTerm, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    var (left, right) = (left, right)
    // A text beside a date is one, as in predicates.
    if left.type == .date { right = try dated(right) }
    if right.type == .date { left = try dated(left) }
    let operands = try unified([left, right], "'\(operation.rawValue)'")
    return BoundTerm(
      .operation(operation, operands[0], operands[1]), type: .bool, range: range)
  }

  private func dated(_ term: BoundTerm) throws(PredicateError) -> BoundTerm {
    guard case .constant(.string(let text)) = term.content else { return term }
    guard let date = ISODate.parse(text) else {
      throw error(.typeMismatch, "\(shown(term)) is not a date.", at: term.range)
    }
    return BoundTerm(.constant(.date(date)), type: .date, range: term.range)
  }

  // MARK: Functions

  private func call(
    _ function: FormulaFunction, _ arguments: [BoundTerm], range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    var arguments = arguments
    switch function {
    case .length where arguments[0].type?.isSpatial == true:
      return try geometric(.length, arguments, range: range)
    case .now:
      return BoundTerm(.constant(.date(Self.now)), type: .date, range: range)
    case .concat:
      for index in arguments.indices where arguments[index].type != nil {
        arguments[index] = try asText(arguments[index])
      }
      return BoundTerm(.call(.concat, arguments), type: .string, range: range)
    case .coalesce:
      arguments = try unified(arguments, function.rawValue)
      guard let type = arguments.lazy.compactMap(\.wanted).first else { return null(range) }
      return BoundTerm(.call(.coalesce, arguments), type: type, range: range)
    case .choose:
      let condition = try flag(arguments[0], function.rawValue)
      let choices = try unified(Array(arguments[1...]), function.rawValue)
      guard let type = choices.lazy.compactMap(\.wanted).first else { return null(range) }
      return BoundTerm(.call(.choose, [condition] + choices), type: type, range: range)
    default: break
    }
    if arguments.contains(where: { $0.type == nil }) { return null(range) }
    if function == .regexpReplace { return try replacement(arguments, range: range) }
    for (argument, wanted) in zip(arguments, function.argumentTypes) {
      try require(argument, wanted, of: function)
    }
    if function == .round, arguments.count > 1 { try checkDigits(arguments[1]) }
    let type = function.isOfNumbers ? arguments[0].type : function.resultType
    return BoundTerm(.call(function, arguments), type: type, range: range)
  }

  /// The number of decimals is a constant.
  private func checkDigits(_ term: BoundTerm) throws(PredicateError) {
    guard case .constant(.int(let digits)) = term.content, 0...15 ~= digits else {
      throw error(
        .syntax, "Expected the number of decimals, from 0 to 15, found \(shown(term)).",
        at: term.range)
    }
  }

  private func replacement(
    _ arguments: [BoundTerm], range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    for argument in arguments { try require(argument, [.string], of: .regexpReplace) }
    guard case .constant(.string(let pattern)) = arguments[1].content else {
      throw error(
        .unsupported, "The expression of regexp_replace is a text, not a property.",
        at: arguments[1].range)
    }
    guard let compiled = TextPattern(pattern) else {
      throw error(
        .syntax, "\(shown(arguments[1])) is not a regular expression.", at: arguments[1].range)
    }
    return BoundTerm(
      .replacement(compiled, arguments[0], arguments[2]), type: .string, range: range)
  }

  private func require(
    _ argument: BoundTerm, _ types: [ValueType], of function: FormulaFunction
  ) throws(PredicateError) {
    guard let type = argument.type, !types.contains(type) else { return }
    let names = types.map { $0 == .int ? "an int" : "a \($0.name)" }
    throw error(
      .typeMismatch,
      "\(shown(argument)) is of type \(type.name); \(function.rawValue) takes "
        + "\(names.joined(separator: " or ")).", at: argument.range)
  }

  private func cast(
    _ operand: BoundTerm, to type: ValueType, isTried: Bool, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    guard let from = operand.type else { return null(range) }
    guard FormulaCast.isPossible(from, to: type) else {
      throw error(
        .typeMismatch,
        "\(shown(operand)) is of type \(from.name), which cannot become a \(type.name).",
        at: operand.range)
    }
    return BoundTerm(.cast(operand, to: type, isTried: isTried), type: type, range: range)
  }

  /// The term as a text.
  private func asText(_ term: BoundTerm) throws(PredicateError) -> BoundTerm {
    guard let type = term.type, type != .string else { return term }
    guard FormulaCast.isPossible(type, to: .string) else {
      throw error(
        .typeMismatch, "\(shown(term)) is of type \(type.name), which has no text.", at: term.range)
    }
    return BoundTerm(.cast(term, to: .string, isTried: false), type: .string, range: term.range)
  }

  /// The terms with one common type; constant nulls fit any.
  private func unified(
    _ terms: [BoundTerm], _ what: String
  ) throws(PredicateError) -> [BoundTerm] {
    let types = terms.compactMap(\.type)
    guard let first = types.first else { return terms }
    var common = first
    for type in types where type != common {
      if type.isGeometry, common.isGeometry {
        common = .geometry
        continue
      }
      guard type.isNumeric, common.isNumeric else {
        let other = terms.first { $0.type == type }
        throw error(
          .typeMismatch,
          "\(what) takes values of one type, not of \(common.name) and \(type.name)."
            + (text.contains("||") ? " || joins texts; between conditions, write OR." : ""),
          at: other?.range ?? terms[0].range)
      }
      common = [common, type].contains(.decimal128) ? .decimal128 : .double
    }
    return terms.map { term in
      var term = term
      if term.type == nil {
        return BoundTerm(.constant(.null), type: nil, range: term.range)
      }
      term.wanted = common
      return term
    }
  }

  func null(_ range: Range<Int>) -> BoundTerm {
    BoundTerm(.constant(.null), type: nil, range: range)
  }

  // MARK: Errors

  private func flag(_ term: BoundTerm, _ what: String) throws(PredicateError) -> BoundTerm {
    guard let type = term.type, type != .bool else { return term }
    throw error(
      .typeMismatch, "\(shown(term)) is of type \(type.name); \(what) takes a condition.",
      at: term.range)
  }

  private func requireNumber(_ operand: BoundTerm, _ what: String) throws(PredicateError) {
    guard let type = operand.type, !type.isNumeric else { return }
    let hint = type == .string && what == "'+'" ? " Texts are joined by ||." : ""
    throw error(
      .typeMismatch, "\(shown(operand)) is of type \(type.name); \(what) takes numbers.\(hint)",
      at: operand.range)
  }

  /// The text of a node, as messages show it.
  func shown(_ term: BoundTerm) -> String {
    let text = FormulaText.part(term.range, of: text)
    return text.hasPrefix("'") ? text : "'\(text)'"
  }

  func error(
    _ kind: PredicateError.Kind, _ message: String, at range: Range<Int>
  ) -> PredicateError {
    PredicateError(kind, message: message, text: text, offset: range.lowerBound)
  }
}

extension FormulaFunction {
  /// Whether the result has the type of the argument, a number.
  var isOfNumbers: Bool { [.abs, .round, .floor, .ceil].contains(self) }

  /// The types that each argument may have.
  fileprivate var argumentTypes: [[ValueType]] {
    switch self {
    case .abs, .floor, .ceil: [[.int, .double]]
    case .round: [[.int, .double], [.int]]
    case .upper, .lower, .trim, .length: [[.string]]
    case .replace, .regexpReplace: [[.string], [.string], [.string]]
    case .split: [[.string], [.string], [.int]]
    case .substring: [[.string], [.int], [.int]]
    case .date, .year, .quarter, .month, .week, .day, .weekday, .hour, .minute, .second: [[.date]]
    case .concat, .coalesce, .choose, .now: []
    }
  }

  /// The type of the result of a function of texts or dates.
  fileprivate var resultType: ValueType {
    switch self {
    case .upper, .lower, .trim, .replace, .split, .substring, .concat, .regexpReplace: .string
    case .date, .now: .date
    default: .int
    }
  }
}
