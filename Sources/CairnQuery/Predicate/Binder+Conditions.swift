import CairnGeometry
import CairnStorage
import CairnValues

extension Binder {
  func bindCondition(_ node: Node) throws(PredicateError) -> Node {
    switch node {
    case .compare(.path(let path), let operation, .value(let value), let options):
      return try bind(try column(path), operation, value, options)
    case .compare(.path(let path), let operation, .subject(.path(let other)), let options):
      return try bind(try column(path), operation, try column(other, isOperand: true), options)
    case .between(.path(let path), let lower, let upper):
      return try bind(try column(path), from: lower, to: upper)
    case .isIn(.path(let path), let values, let options):
      return try bind(try column(path), values, options)
    case .match(.path(let path), let operation, .value(let value), let options):
      return try bind(try column(path), operation, value, options)
    case .match(.path(let path), let operation, .subject(.path(let other)), let options):
      return try bind(try column(path), operation, try column(other, isOperand: true), options)
    case .within(let path, let shape):
      return try bind(try column(path), shape)
    case .constant, .and, .or, .not:
      return node
    default:
      throw pathError(.unsupported, "Aggregates cannot be asked yet.")
    }
  }

  // MARK: Values

  private func bind(
    _ column: ColumnSchema, _ operation: ComparisonOperator, _ value: Value,
    _ options: StringOptions
  ) throws(PredicateError) -> Node {
    let subject = Subject.property(column.name)
    if value.isNull {
      switch operation {
      case .less, .greater: return .constant(false)
      case .notEqual: return .compare(subject, .notEqual, .value(.null), [])
      case .equal, .lessOrEqual, .greaterOrEqual: return .compare(subject, .equal, .value(.null), [])
      }
    }
    try check(operation.rawValue, isOrder: operation.isOrder, column)
    let constant = try converted(value, for: column)
    if constant.isNaN { return .constant(operation == .notEqual) }
    return .compare(subject, operation, .value(constant), try checked(options, column))
  }

  private func bind(
    _ column: ColumnSchema, from lower: Value, to upper: Value
  ) throws(PredicateError) -> Node {
    try check("BETWEEN", isOrder: true, column)
    if lower.isNull || upper.isNull { return .constant(false) }
    let (low, high) = (try converted(lower, for: column), try converted(upper, for: column))
    if low.isNaN || high.isNaN { return .constant(false) }
    return .between(.property(column.name), low, high)
  }

  private func bind(
    _ column: ColumnSchema, _ values: [Value], _ options: StringOptions
  ) throws(PredicateError) -> Node {
    var constants: [Value] = []
    for value in values {
      let constant = value.isNull ? .null : try converted(value, for: column)
      if !constant.isNaN { constants.append(constant) }
    }
    if constants.isEmpty { return .constant(false) }
    return .isIn(.property(column.name), constants, try checked(options, column))
  }

  private func bind(
    _ column: ColumnSchema, _ operation: MatchOperator, _ value: Value, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    try checkText(operation, column)
    let subject = Subject.property(column.name)
    if value.isNull {
      return operation == .like ? .compare(subject, .equal, .value(.null), []) : .constant(false)
    }
    let constant = try converted(value, for: column)
    if operation != .like, constant == .string("") || constant == .data([]) {
      return .constant(false)
    }
    return .match(subject, operation, .value(constant), try checked(options, column))
  }

  private func bind(_ column: ColumnSchema, _ shape: Shape) throws(PredicateError) -> Node {
    guard column.type == .point else {
      throw pathError(
        .typeMismatch,
        "GEOWITHIN asks about a location; property '\(column.name)' is of type '\(column.type.name)'."
      )
    }
    do { try shape.validate() } catch { throw operandError(.shape, error.message) }
    return .within(PropertyPath(column.name), shape)
  }

  // MARK: Two properties

  private func bind(
    _ column: ColumnSchema, _ operation: ComparisonOperator, _ other: ColumnSchema,
    _ options: StringOptions
  ) throws(PredicateError) -> Node {
    guard column.type == other.type || (column.type.isNumeric && other.type.isNumeric) else {
      throw mismatch(column, other)
    }
    try check(operation.rawValue, isOrder: operation.isOrder, column)
    return .compare(
      .property(column.name), operation, .subject(.property(other.name)),
      try checked(options, column))
  }

  private func bind(
    _ column: ColumnSchema, _ operation: MatchOperator, _ other: ColumnSchema,
    _ options: StringOptions
  ) throws(PredicateError) -> Node {
    try checkText(operation, column)
    guard column.type == other.type else { throw mismatch(column, other) }
    return .match(
      .property(column.name), operation, .subject(.property(other.name)),
      try checked(options, column))
  }

  private func mismatch(_ column: ColumnSchema, _ other: ColumnSchema) -> PredicateError {
    operandError(
      .typeMismatch,
      "Cannot compare \(column.words) to \(other.words)."
    )
  }
}
