import CairnValues

/// An expression over the properties of a class, such as `population / area` or
/// `upper(name) || ', ' || country`.
///
/// It has numbers, texts, dates, flags and null as literals, the operators `+ - * /`, `||`, which
/// joins texts, comparisons, `AND`, `OR` and `NOT`, a minus sign, parentheses, `cast(x AS type)`, and
/// the functions of ``FormulaFunction`` and ``GeometryFunction``. Names are written as in the predicate
/// language. A number with a unit of length, such as `5km`, is a number of metres.
///
/// As in SQL, a result is null if an operand is null; comparisons treat null as predicates do: they
/// are true or false. A division is never rounded, and a division by zero is null. A sum or product
/// of integers that is out of range is an error, and so is a value that a cast cannot convert.
package struct Formula: Sendable {
  /// The text of the formula.
  package let text: String
  /// The root of the syntax tree.
  let root: FormulaNode

  /// Whether the formula is only a name.
  package var isName: Bool { if case .name = root.content { true } else { false } }

  /// The names of properties in the formula, or of parts of properties.
  package var names: Set<String> { root.names }

  /// Parses a formula.
  ///
  /// - Parameter arguments: The values of `$0`, `$1` and so on in the text.
  /// - Throws: An error with its position for a text that is not a formula.
  package init(parsing text: String, arguments: [Value] = []) throws(PredicateError) {
    var parser = try Parser(
      text, arguments: arguments.map { .value($0) }, subject: "formula")
    self.text = text
    root = try parser.parseFormula()
  }
}

/// A node of a formula's syntax tree.
struct FormulaNode: Sendable {
  /// The kinds of nodes.
  indirect enum Content: Sendable {
    case constant(Value)
    /// A property, or a part of one, as written but without backquotes.
    case name(String)
    case negation(FormulaNode)
    case not(FormulaNode)
    case operation(FormulaOperator, FormulaNode, FormulaNode)
    case call(FormulaFunction, [FormulaNode])
    case geometric(GeometryFunction, [FormulaNode])
    /// A conversion to another type. If it is tried only, a value that it cannot convert is null.
    case cast(FormulaNode, to: ValueType, isTried: Bool)
  }

  let content: Content
  /// The range of the node in the text, in UTF-8 bytes.
  let range: Range<Int>

  /// The names in the node and its operands.
  var names: Set<String> {
    switch content {
    case .constant: []
    case .name(let name): [name]
    case .negation(let node), .not(let node), .cast(let node, to: _, isTried: _): node.names
    case .operation(_, let left, let right): left.names.union(right.names)
    case .call(_, let nodes), .geometric(_, let nodes):
      nodes.reduce(into: []) { $0.formUnion($1.names) }
    }
  }
}

/// An operator between two operands of a formula. The raw value is its spelling.
enum FormulaOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case join = "||"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "AND"
  case or = "OR"

  /// The binding strength; an operator with a greater one binds more tightly.
  var precedence: Int {
    switch self {
    case .or: 0
    case .and: 1
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: Self.comparing
    case .join: 3
    case .add, .subtract: 4
    case .multiply, .divide: 5
    }
  }

  /// The binding strength of comparisons; `NOT` binds less tightly than these.
  static let comparing = 2

  /// The comparison; nil for other operators.
  var comparison: ComparisonOperator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }

  /// The operator of a sign or of a word.
  init?(_ token: Token) {
    switch token.keyword {
    case .and: self = .and
    case .or: self = .or
    default:
      guard case .sign(let sign) = token.kind else { return nil }
      self.init(rawValue: sign == .and ? "AND" : sign.rawValue)
    }
  }
}

/// A function of a formula. The raw value is its name.
package enum FormulaFunction: String, CaseIterable, Sendable {
  /// The absolute value.
  case abs
  /// The nearest whole number, or with a second argument the nearest number of that many decimals.
  /// A half is rounded away from zero.
  case round
  /// The greatest whole number that is not above the argument.
  case floor
  /// The least whole number that is not below the argument.
  case ceil
  /// The text in capitals.
  case upper
  /// The text in small letters.
  case lower
  /// The text without white space at its ends.
  case trim
  /// The text with every occurrence of the second argument replaced by the third.
  case replace
  /// The part of a text with a number, counted from 1, or from the end if it is negative. The second
  /// argument separates parts. Null for a number beyond them.
  case split
  /// The arguments one after the other as texts, without those that are null.
  case concat
  /// The number of characters of a text.
  case length
  /// The part of a text from a character, counted from 1, to the end or of so many characters.
  case substring
  /// The text with every match of a regular expression replaced; `$1` in the replacement is the first
  /// group.
  case regexpReplace = "regexp_replace"
  /// The first argument that is not null.
  case coalesce
  /// The second argument if the first is true, else the third.
  case choose = "if"
  /// The time at which the evaluation began.
  case now
  /// The beginning of the date's day, in UTC.
  case date
  /// The year of a date, in UTC as all parts of dates.
  case year
  /// The quarter of a date's year, 1 to 4.
  case quarter
  /// The month, 1 to 12.
  case month
  /// The week of the year by ISO 8601, 1 to 53.
  case week
  /// The day of the month, 1 to 31.
  case day
  /// The day of the week by ISO 8601: 1 is Monday.
  case weekday
  /// The hour, 0 to 23.
  case hour
  /// The minute, 0 to 59.
  case minute
  /// The whole second, 0 to 59.
  case second

  /// The numbers of arguments that it takes.
  var arguments: ClosedRange<Int> {
    switch self {
    case .round: 1...2
    case .replace, .split, .regexpReplace, .choose: 3...3
    case .substring: 2...3
    case .concat, .coalesce: 1...100
    case .now: 0...0
    default: 1...1
    }
  }
}

/// The names of types in `cast`.
enum FormulaType {
  private static let names: [String: ValueType] = [
    "text": .string, "string": .string, "varchar": .string, "int": .int, "integer": .int,
    "bigint": .int, "double": .double, "float": .double, "real": .double, "bool": .bool,
    "boolean": .bool, "date": .date, "timestamp": .date, "decimal": .decimal128,
    "numeric": .decimal128,
  ]

  /// The type of a name in any case.
  static func named(_ name: String) -> ValueType? { names[name.lowercased()] }

  /// The names that messages list.
  static let list = "text, int, double, bool, date and decimal"
}
