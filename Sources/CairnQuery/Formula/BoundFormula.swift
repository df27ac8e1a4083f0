import CairnStorage
import CairnValues

/// A formula whose names and types have been checked against a class.
package struct BoundFormula: Sendable {
  /// The text of the formula.
  package let text: String
  /// The type of the results; nil if every result is null. It is never `.float`: numbers of single
  /// precision are computed as doubles.
  package var type: ValueType? { root.type }
  /// The names of the inputs that the formula may read, in order.
  let inputs: [String]
  let root: BoundTerm

  /// The value of a formula that is a single literal; nil for any other.
  package var constant: Value? {
    if case .constant(let value) = root.content { value } else { nil }
  }
}

/// A part of a location that a formula reads as a double. The raw value is its name.
enum PositionPart: String, CaseIterable, Sendable {
  case latitude
  case longitude
  case altitude
}

/// A node of a bound formula.
struct BoundTerm: Sendable {
  /// The kinds of nodes. Their operands have the type that the operation computes with.
  indirect enum Content: Sendable {
    case constant(Value)
    /// The property at a position of the class.
    case column(Int)
    /// A part of the location at a position of the class.
    case part(PositionPart, of: Int)
    /// An input by its index.
    case input(Int)
    case negation(BoundTerm)
    case operation(FormulaOperator, BoundTerm, BoundTerm)
    case function(FormulaFunction, BoundTerm, digits: Int)
  }

  let content: Content
  /// The type of the values; nil for null.
  let type: ValueType?
  /// The type in which the parent needs the values: `type` itself, or a wider type of number.
  var wanted: ValueType?
  /// The range of the node in the text, in UTF-8 bytes.
  let range: Range<Int>

  init(_ content: Content, type: ValueType?, range: Range<Int>) {
    self.content = content
    self.type = type
    self.range = range
    wanted = type
  }
}

extension Formula {
  /// Finds the properties that the formula names, and checks its types.
  ///
  /// - Parameter inputs: Names of doubles that the evaluation computes, such as `distance`. A
  ///   property of the same name takes precedence.
  /// - Throws: An error with its position for an unknown name, and for an operation that its
  ///   operands do not have.
  package func bound(
    to schema: TableSchema, inputs: [String] = []
  ) throws(PredicateError) -> BoundFormula {
    let binder = FormulaBinder(text: text, schema: schema, inputs: inputs)
    return BoundFormula(text: text, inputs: inputs, root: try binder.bind(root))
  }
}

/// Binds the nodes of a formula.
private struct FormulaBinder {
  let text: String
  let schema: TableSchema
  let inputs: [String]

  func bind(_ node: FormulaNode) throws(PredicateError) -> BoundTerm {
    switch node.content {
    case .constant(let value):
      BoundTerm(.constant(value), type: value.type, range: node.range)
    case .name(let name): try resolve(name, range: node.range)
    case .negation(let operand): try negation(bind(operand), range: node.range)
    case .operation(let operation, let left, let right):
      try self.operation(operation, bind(left), bind(right), range: node.range)
    case .function(let function, let argument, let digits):
      try call(function, bind(argument), digits: digits, range: node.range)
    }
  }

  // MARK: Names

  private func resolve(_ name: String, range: Range<Int>) throws(PredicateError) -> BoundTerm {
    if let column = schema.column(named: name) {
      guard column.collection == .none, !column.isLink, column.type != .mixed else {
        throw error(
          .unsupported, "'\(name)' is a \(column.typeText), which a formula cannot read.", at: range
        )
      }
      let type = column.type == .float ? .double : column.storedType
      return BoundTerm(.column(column.position), type: type, range: range)
    }
    if let part = part(name, range: range) { return part }
    if let input = inputs.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
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

  private func call(
    _ function: FormulaFunction, _ argument: BoundTerm, digits: Int, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
    guard let type = argument.type else { return null(range) }
    guard type == .int || type == .double else {
      throw error(
        .typeMismatch,
        "\(shown(argument)) is of type \(type.name); \(function.rawValue) takes an int or a double.",
        at: argument.range)
    }
    return BoundTerm(.function(function, argument, digits: digits), type: type, range: range)
  }

  private func operation(
    _ operation: FormulaOperator, _ left: BoundTerm, _ right: BoundTerm, range: Range<Int>
  ) throws(PredicateError) -> BoundTerm {
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
    if operation == .join {
      for operand in [left, right] { try requireText(operand) }
      return left.type == nil || right.type == nil ? (nil, nil) : (.string, .string)
    }
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

  private func null(_ range: Range<Int>) -> BoundTerm {
    BoundTerm(.constant(.null), type: nil, range: range)
  }

  // MARK: Errors

  private func requireNumber(_ operand: BoundTerm, _ what: String) throws(PredicateError) {
    guard let type = operand.type, !type.isNumeric else { return }
    let hint = type == .string && what == "'+'" ? " Texts are joined by ||." : ""
    throw error(
      .typeMismatch, "\(shown(operand)) is of type \(type.name); \(what) takes numbers.\(hint)",
      at: operand.range)
  }

  private func requireText(_ operand: BoundTerm) throws(PredicateError) {
    guard let type = operand.type, type != .string else { return }
    throw error(
      .typeMismatch, "\(shown(operand)) is of type \(type.name); '||' joins texts.",
      at: operand.range)
  }

  /// The text of a node, as messages show it.
  private func shown(_ term: BoundTerm) -> String {
    let text = FormulaText.part(term.range, of: text)
    return text.hasPrefix("'") ? text : "'\(text)'"
  }

  private func error(
    _ kind: PredicateError.Kind, _ message: String, at range: Range<Int>
  ) -> PredicateError {
    PredicateError(kind, message: message, text: text, offset: range.lowerBound)
  }
}

/// Excerpts of a formula's text.
enum FormulaText {
  /// The part of a text that a node was read from, cut if it is long.
  static func part(_ range: Range<Int>, of text: String) -> String {
    let part = String(decoding: Array(text.utf8)[range], as: UTF8.self)
    return part.count > 40 ? part.prefix(40) + "…" : part
  }
}
