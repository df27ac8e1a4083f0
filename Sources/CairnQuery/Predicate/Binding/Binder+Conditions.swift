import CairnStorage
import CairnValues

extension Binder {
  mutating func bindCondition(_ node: PredicateNode) throws(PredicateError) -> BoundNode {
    switch node {
    case .compare(let expression, let operation, .value(let value), let options):
      return try compare(
        try resolve(expression), operation: operation, value: value, options: options)
    case .compare(let expression, let operation, .collection(let constant), let options):
      return try compare(
        try resolve(expression), operation: operation, constant: constant, options: options)
    case .compare(let expression, let operation, .expression(let other), let options):
      let resolved = try resolve(expression)
      return try compare(
        resolved, operation: operation, other: try operand(other, left: resolved), options: options)
    case .between(let expression, let lower, let upper):
      return try between(try resolve(expression), lower: lower, upper: upper)
    case .isIn(let expression, let values, let options):
      return try isIn(try resolve(expression), values: values, options: options)
    case .match(let expression, let operation, .value(let value), let options):
      return try match(
        try resolve(expression), operation: operation, value: value, options: options)
    case .match(_, let operation, .collection, _):
      throw operandError(.typeMismatch, message: "\(operation.rawValue) takes one text.")
    case .match(let expression, let operation, .expression(let other), let options):
      let resolved = try resolve(expression)
      return try match(
        resolved, operation: operation, other: try operand(other, left: resolved), options: options)
    case .relation(let path, let relation, let operand):
      return try self.relation(path, relation: relation, operand: operand)
    case .distance(let path, let comparison, let operand, let distance):
      return try self.distance(path, comparison: comparison, operand: operand, distance: distance)
    case .constant, .and, .or, .not: return try bind(node)
    }
  }

  /// Binds the right side of a condition on two expressions, which must be a single value.
  mutating func operand(
    _ expression: Expression, left: ResolvedExpression
  ) throws(PredicateError) -> ResolvedExpression {
    if expression.quantifier != .one
      || (left.expression.path.quantifier != .one && leadsToMany(expression))
    {
      throw operandError(
        .unsupported, message: "Comparing two collection columns is not permitted.")
    }
    let resolved = try resolve(expression, side: .right)
    guard resolved.expression.path.quantifier == .one else {
      throw operandError(
        .unsupported, message: "Comparing two collection columns is not permitted.")
    }
    return resolved
  }

  private func leadsToMany(_ expression: Expression) -> Bool {
    guard case .path(let path) = expression,
      let resolvedPath = try? resolve(path.components, side: .right)
    else { return false }
    return !resolvedPath.collectionSteps.isEmpty
  }

  // MARK: Constants

  private func compare(
    _ resolved: ResolvedExpression, operation: ComparisonOperator, value: Value,
    options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    if value.isNull { return compareNull(resolved, operation: operation) }
    try check(operation.rawValue, isOrder: operation.isOrder, resolved: resolved)
    let constant = try converted(value, for: resolved)
    if constant.equalsNothing { return operation == .notEqual ? resolved.always : resolved.never }
    let options = try checked(options, resolved: resolved, constant: constant)
    return .values(resolved.expression, .compare(operation, constant, options))
  }

  /// Compares with a list or a map. Only mixed values take part in such a comparison.
  private func compare(
    _ resolved: ResolvedExpression, operation: ComparisonOperator, constant: CollectionConstant,
    options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    guard resolved.type == .mixed, case .path(let path) = resolved.expression else {
      throw operandError(
        .typeMismatch,
        message: "'\(operation.rawValue)' compares with one value; a list goes with IN or BETWEEN.")
    }
    guard !operation.isOrder, options.isEmpty else {
      throw operandError(
        .unsupported, message: "Lists and maps are compared by == and !=, without options.")
    }
    return .collection(path, constant, isEqual: operation == .equal)
  }

  private func compareNull(_ resolved: ResolvedExpression, operation: ComparisonOperator)
    -> BoundNode
  {
    switch operation {
    case .less, .greater: return resolved.never
    case .notEqual:
      return resolved.canBeNull
        ? .values(resolved.expression, .compare(.notEqual, .null, [])) : resolved.always
    case .equal, .lessOrEqual, .greaterOrEqual:
      return resolved.canBeNull
        ? .values(resolved.expression, .compare(.equal, .null, [])) : resolved.never
    }
  }

  private func between(
    _ resolved: ResolvedExpression, lower: Value, upper: Value
  ) throws(PredicateError) -> BoundNode {
    try check("BETWEEN", isOrder: true, resolved: resolved)
    if lower.isNull || upper.isNull { return resolved.never }
    let (low, high) = (try converted(lower, for: resolved), try converted(upper, for: resolved))
    if low.equalsNothing || high.equalsNothing { return resolved.never }
    return .values(resolved.expression, .between(low, high))
  }

  private func isIn(
    _ resolved: ResolvedExpression, values: [Value], options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    var constants: [Value] = []
    for value in values {
      if value.isNull && !resolved.canBeNull { continue }
      let constant = value.isNull ? .null : try converted(value, for: resolved)
      if !constant.equalsNothing { constants.append(constant) }
    }
    if constants.isEmpty { return resolved.never }
    let options = try checked(
      options, resolved: resolved, constant: constants.first { !$0.isNull } ?? .null)
    return .values(resolved.expression, .isIn(constants, options))
  }

  private func match(
    _ resolved: ResolvedExpression, operation: MatchOperator, value: Value, options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    try checkText(operation, resolved: resolved)
    if value.isNull {
      return operation == .like
        ? .values(resolved.expression, .compare(.equal, .null, [])) : resolved.never
    }
    let constant = try convertedText(value, operation: operation, for: resolved)
    if !operation.takesPattern, constant == .string("") || constant == .data([]) {
      return resolved.never
    }
    let options = try checked(options, resolved: resolved, constant: constant)
    if operation == .matches, case .string(let pattern) = constant {
      try checkPattern(pattern, options: options)
    }
    if operation == .search, case .string(let text) = constant { try checkSearch(text) }
    return .values(resolved.expression, .match(operation, constant, options))
  }

  // MARK: Two subjects

  private func compare(
    _ resolved: ResolvedExpression, operation: ComparisonOperator, other: ResolvedExpression,
    options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    let isMixed = resolved.type == .mixed || other.type == .mixed
    let areNumbers = resolved.type.isNumeric && other.type.isNumeric
    guard isMixed || areNumbers || resolved.type == other.type,
      resolved.table?.name == other.table?.name || isMixed
    else { throw mismatch(resolved, other: other) }
    try check(operation.rawValue, isOrder: operation.isOrder, resolved: resolved)
    let options = try checked(options, resolved: resolved, constant: .null)
    return .pair(resolved.expression, .compare(operation, options), other.expression)
  }

  private func match(
    _ resolved: ResolvedExpression, operation: MatchOperator, other: ResolvedExpression,
    options: StringOptions
  ) throws(PredicateError) -> BoundNode {
    try checkText(operation, resolved: resolved)
    guard !operation.takesConstantText else {
      let what = operation == .matches ? "regular expression" : "text"
      throw operandError(
        .unsupported,
        message: "\(operation.rawValue) takes a constant \(what), not a property.")
    }
    let isText = other.type == .string || other.type == .data
    guard
      other.type == .mixed || (isText && (resolved.type == .mixed || resolved.type == other.type))
    else { throw mismatch(resolved, other: other) }
    let options = try checked(options, resolved: resolved, constant: .null)
    return .pair(resolved.expression, .match(operation, options), other.expression)
  }

  private func mismatch(_ resolved: ResolvedExpression, other: ResolvedExpression) -> PredicateError
  {
    var message = "Cannot compare \(resolved.typedName) to \(other.typedName)"
    if let table = resolved.table, let another = other.table, table.name != another.name {
      message += ": one leads to '\(table.name)', the other to '\(another.name)'"
    }
    return operandError(.typeMismatch, message: message + ".")
  }
}
