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

  /// Whether the formula reads an input.
  package func reads(input name: String) -> Bool {
    inputs.firstIndex(of: name).map { root.reads(input: $0) } ?? false
  }

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

  /// Returns the part of a location.
  func value(of position: Position) -> Double {
    switch self {
    case .latitude: position.latitude
    case .longitude: position.longitude
    case .altitude: position.altitude
    }
  }
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
    case not(BoundTerm)
    case operation(FormulaOperator, BoundTerm, BoundTerm)
    case call(FormulaFunction, [BoundTerm])
    case geometric(GeometryFunction, [BoundTerm])
    /// The replacement of the matches of an expression by the second term.
    case replacement(TextPattern, BoundTerm, BoundTerm)
    case cast(BoundTerm, to: ValueType, isTried: Bool)
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

extension BoundTerm {
  /// The terms that the term computes with.
  var operands: [BoundTerm] {
    switch content {
    case .constant, .column, .part, .input: []
    case .negation(let operand), .not(let operand), .cast(let operand, _, _): [operand]
    case .call(_, let arguments), .geometric(_, let arguments): arguments
    case .operation(_, let left, let right), .replacement(_, let left, let right): [left, right]
    }
  }

  fileprivate func reads(input index: Int) -> Bool {
    if case .input(index) = content { return true }
    return operands.contains { $0.reads(input: index) }
  }
}

extension Formula {
  /// Finds the properties that the formula names, and checks its types.
  ///
  /// - Parameter inputs: Names of doubles that the evaluation computes, such as `distance`. A
  ///   property of the same name takes precedence, and an input over a computed column.
  /// - Throws: An error with its position for an unknown name, and for an operation that its
  ///   operands do not have.
  package func bound(
    to schema: TableSchema, inputs: [String] = []
  ) throws(PredicateError) -> BoundFormula {
    let binder = FormulaBinder(text: text, schema: schema, inputs: inputs)
    return BoundFormula(text: text, inputs: inputs, root: try binder.bind(root))
  }
}

extension Formula {
  /// A class whose rows are in pairs, and the name in front of its properties.
  package typealias PairSide = (name: String, schema: TableSchema)

  /// Finds the properties of pairs of rows that the formula names, such as `cities.name`, and checks its
  /// types.
  ///
  /// - Parameter inputs: Names of doubles that the evaluation computes, such as `distance`.
  /// - Throws: An error with its position, as for one class.
  package func bound(
    toPairsOf left: PairSide, and right: PairSide, inputs: [String] = []
  ) throws(PredicateError) -> BoundFormula {
    let columns = [left, right].flatMap { side in
      side.schema.columns.map { $0.changed(name: "\(side.name).\($0.name)") }
    }
    let schema = TableSchema(
      id: 0, name: "\(left.name) and \(right.name)",
      columns: columns.enumerated().map { $1.changed(position: $0) })
    return try bound(to: schema, inputs: inputs)
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
