import CairnQuery
import CairnValues

/// String operators and lengths.
extension SQLCompiler {
  func match(
    _ left: SQLOperand, operation: MatchOperator, value: Value, options: StringOptions
  ) -> SQLCondition {
    switch (left, value) {
    case (.undecided(let reason), _): return .undecided(reason)
    case (.column(let column), .string(let text)) where column.type == .text:
      return match(column, operation: operation, text: text, options: options)
    default: return .undecided("\(operation.rawValue) is decided here")
    }
  }

  private func match(
    _ column: SQLColumn, operation: MatchOperator, text: String, options: StringOptions
  ) -> SQLCondition {
    if text.utf8.contains(0) { return .undecided("texts with U+0000 are compared here") }
    let pattern: SQLPattern
    switch operation {
    case .beginsWith: pattern = SQLPattern([.literal(text), .run])
    case .endsWith: pattern = SQLPattern([.run, .literal(text)])
    case .contains: pattern = SQLPattern([.run, .literal(text), .run])
    case .like: pattern = SQLPattern(wildcards: text)
    case .matches: return match(column, expression: text, options: options)
    case .search: return .undecided("\(operation.rawValue) is decided here")
    }
    guard options.isEmpty else {
      return match(column, pattern: pattern, operation: operation, folding: options)
    }
    switch dialect {
    case .bigquery:
      return SQLCondition("\(column.expression) LIKE \(value: .text(self.text(of: pattern)))")
    case .postgis, .duckdb, .snowflake, .databricks:
      return SQLCondition(
        "\(column.expression) LIKE \(value: .text(pattern.escaped(by: "!"))) ESCAPE '!'")
    case .sedona: break
    }
    let like: SQLFragment = "\(column.expression) LIKE \(value: .text(pattern.widened))"
    return pattern.isPlain
      ? SQLCondition(like)
      : SQLCondition(
        possible: like, certain: .false,
        undecided: ["\(dialect) has no escape for % and _ in patterns"])
  }

  func compareLength(
    _ column: SQLColumn, operation: ComparisonOperator, value: Value
  ) -> SQLCondition {
    if value.isNull {
      return compare(.column(column), operation: operation, value: .null)
    }
    let isText = column.type == .text
    let function: SQLFragment =
      isText ? (dialect == .snowflake ? "length" : "char_length") : "octet_length"
    if !isText, dialect == .sedona { return .undecided("the length of data is compared here") }
    let length = SQLColumn(
      column.property, type: .int, expression: "\(function)(\(column.expression))")
    let condition = compare(.column(length), operation: operation, value: value)
    guard isText else { return condition }
    if style == .idiomatic, condition.isExact {
      return SQLCondition(
        condition.possible,
        difference: "code points of '\(column.property)' are counted instead of characters")
    }
    // A character has one code point or more.
    let possible: SQLCondition =
      switch operation {
      case .greater, .greaterOrEqual: condition
      case .equal: compare(.column(length), operation: .greaterOrEqual, value: value)
      default: .constant(true)
      }
    return SQLCondition(
      possible: possible.possible, certain: .false,
      undecided: ["characters are counted here, because engines count code points"])
  }
}

/// A pattern of `LIKE`.
struct SQLPattern {
  enum Part {
    case literal(String)
    /// Any run of characters.
    case run
    /// One code point.
    case one
  }

  let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  /// A pattern of the predicate language, with `*` and `?`.
  init(wildcards text: String) {
    parts = text.unicodeScalars.map { scalar in
      switch scalar {
      case "*": .run
      case "?": .one
      default: .literal(String(scalar))
      }
    }
  }

  /// The pattern with an escape in front of the characters that have a meaning; nil for none.
  func escaped(by escape: Unicode.Scalar?) -> String {
    text { scalar in
      guard let escape, ["%", "_", escape].contains(scalar) else { return nil }
      return "\(escape)\(scalar)"
    }
  }

  /// The pattern with any code point instead of each character that has a meaning, for engines
  /// without a common escape.
  var widened: String { text { Self.isSpecial($0) ? "_" : nil } }

  /// Whether no character of the pattern has a meaning for an engine.
  var isPlain: Bool {
    parts.allSatisfy { part in
      if case .literal(let text) = part {
        !text.unicodeScalars.contains(where: Self.isSpecial)
      } else {
        true
      }
    }
  }

  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    ["%", "_", "\\"].contains(scalar)
  }

  private func text(replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for part in parts {
      switch part {
      case .run: result += "%"
      case .one: result += "_"
      case .literal(let text):
        for scalar in text.unicodeScalars { result += replacement(scalar) ?? String(scalar) }
      }
    }
    return result
  }
}
