import CairnQuery
import CairnValues

/// Texts without regard to case or diacritics, and regular expressions: engines decide them in their
/// own way.
extension SQLCompiler {
  /// Compares with a constant by folded texts.
  func compare(
    _ left: SQLOperand, operation: ComparisonOperator, value: Value, folding options: StringOptions
  ) -> SQLCondition {
    if value.isNull { return compare(left, operation: operation, value: value) }
    guard !operation.isOrder, case .string(let text) = value,
      let (one, other) = folded(left, text, options: options)
    else { return .undecided(folding(options.name)) }
    let comparison: SQLFragment = "\(one) \(SQLFragment(sql: operation.sql)) \(other)"
    return SQLCondition(
      operation == .notEqual ? "(\(comparison))" : comparison, difference: difference(options))
  }

  /// Matches a pattern by folded texts.
  func match(
    _ column: SQLColumn, pattern: SQLPattern, operation: MatchOperator,
    folding options: StringOptions
  ) -> SQLCondition {
    guard style == .idiomatic,
      let text = withoutDiacritics(column.expression, options),
      let constant = withoutDiacritics(
        "\(value: .text(self.text(of: pattern)))", options)
    else { return .undecided(folding("\(operation.rawValue)\(options.name)")) }
    let isFolded = options.contains(.caseInsensitive)
    let like: SQLFragment =
      switch dialect {
      case .sedona, .bigquery:
        isFolded ? "lower(\(text)) LIKE lower(\(constant))" : "\(text) LIKE \(constant)"
      case .postgis, .duckdb, .snowflake, .databricks:
        "\(text) \(isFolded ? "ILIKE" : "LIKE") \(constant)\(escape(pattern))"
      }
    let condition = SQLCondition(like, difference: difference(options))
    return dialect == .sedona && !pattern.isPlain
      ? condition.differing(["any character matches %, _ and a backslash of a pattern"]) : condition
  }

  /// Matches a regular expression against the whole text.
  func match(
    _ column: SQLColumn, expression: String, options: StringOptions
  ) -> SQLCondition {
    guard style == .idiomatic, !options.contains(.diacriticInsensitive),
      !expression.utf8.contains(0)
    else { return .undecided("\(MatchOperator.matches.rawValue)\(options.suffix) is decided here") }
    let isFolded = options.contains(.caseInsensitive)
    let whole = SQLValue.text("\(isFolded ? "(?i)" : "")^(?:\(expression))$")
    let text = column.expression
    let matches: SQLFragment =
      switch dialect {
      case .postgis: "\(text) ~ \(value: whole)"
      case .duckdb: "regexp_matches(\(text), \(value: whole))"
      case .sedona: "regexp_like(\(text), \(value: whole))"
      case .bigquery: "REGEXP_CONTAINS(\(text), \(value: whole))"
      case .databricks: "\(text) RLIKE \(value: whole)"
      // Its function matches the whole text, and has no groups without a number.
      case .snowflake:
        "REGEXP_LIKE(\(text), \(value: .text(expression)), \(value: .text(isFolded ? "i" : "c")))"
      }
    return SQLCondition(
      matches, difference: "'\(column.property)' matches the regular expressions of \(dialect)")
  }

  // MARK: Folding

  private func folding(_ name: String) -> String { "the folding of texts differs: \(name)" }

  private func difference(_ options: StringOptions) -> String {
    let needsExtension = dialect == .postgis && options.contains(.diacriticInsensitive)
    return "texts are folded as \(dialect) does: \(options.name)"
      + (needsExtension ? ", by its extension unaccent" : "")
  }

  /// A column and a constant text in the form in which they are equal; nil if the dialect has none.
  private func folded(
    _ left: SQLOperand, _ text: String, options: StringOptions
  ) -> (SQLFragment, SQLFragment)? {
    guard style == .idiomatic, case .column(let column) = left, column.type == .text,
      !text.utf8.contains(0),
      let one = withoutDiacritics(column.expression, options),
      let other = withoutDiacritics("\(value: .text(text))", options)
    else { return nil }
    return options.contains(.caseInsensitive) ? ("lower(\(one))", "lower(\(other))") : (one, other)
  }

  /// A text without its diacritics if the options ask for it; nil if the dialect cannot remove them.
  private func withoutDiacritics(_ text: SQLFragment, _ options: StringOptions) -> SQLFragment? {
    guard options.contains(.diacriticInsensitive) else { return text }
    switch dialect {
    case .postgis: return "unaccent(\(text))"
    case .duckdb: return "strip_accents(\(text))"
    case .bigquery: return "REGEXP_REPLACE(NORMALIZE(\(text), NFD), r'\\pM', '')"
    case .sedona, .snowflake, .databricks: return nil
    }
  }

  /// The pattern in the escapes of the dialect.
  func text(of pattern: SQLPattern) -> String {
    switch dialect {
    case .sedona: pattern.widened
    case .bigquery: pattern.escaped(by: "\\")
    case .postgis, .duckdb, .snowflake, .databricks:
      pattern.isPlain ? pattern.escaped(by: nil) : pattern.escaped(by: "!")
    }
  }

  /// The escape of a pattern, where the pattern has one.
  private func escape(_ pattern: SQLPattern) -> SQLFragment {
    pattern.isPlain ? "" : " ESCAPE '!'"
  }
}
