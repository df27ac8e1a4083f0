import CairnGeometry
import CairnStorage
import CairnValues

extension Binder {
  mutating func bindCondition(_ node: Node) throws(PredicateError) -> Node {
    switch node {
    case .compare(let subject, let operation, .value(let value), let options):
      return try compare(try target(subject), operation, value, options)
    case .compare(let subject, let operation, .collection(let constant), let options):
      return try compare(try target(subject), operation, constant, options)
    case .compare(let subject, let operation, .subject(let other), let options):
      let target = try target(subject)
      return try compare(target, operation, try operand(other, target), options)
    case .between(let subject, let lower, let upper):
      return try between(try target(subject), lower, upper)
    case .isIn(let subject, let values, let options):
      return try isIn(try target(subject), values, options)
    case .match(let subject, let operation, .value(let value), let options):
      return try match(try target(subject), operation, value, options)
    case .match(_, let operation, .collection, _):
      throw operandError(.typeMismatch, "\(operation.rawValue) takes one text.")
    case .match(let subject, let operation, .subject(let other), let options):
      let target = try target(subject)
      return try match(target, operation, try operand(other, target), options)
    case .within(let path, let shape): return try within(path, shape)
    case .constant, .and, .or, .not: return node
    }
  }

  /// The right side of a condition on two subjects: one value.
  private mutating func operand(
    _ subject: Subject, _ left: Target
  ) throws(PredicateError) -> Target {
    if subject.quantifier != .one || (left.subject.quantifier != .one && leadsToMany(subject)) {
      throw operandError(.unsupported, "Comparing two collection columns is not permitted.")
    }
    let target = try target(subject, .operand)
    guard target.subject.quantifier == .one else {
      throw operandError(.unsupported, "Comparing two collection columns is not permitted.")
    }
    return target
  }

  private func leadsToMany(_ subject: Subject) -> Bool {
    guard case .path(let path) = subject,
      let destination = try? destination(path.components, .operand)
    else { return false }
    return !destination.many.isEmpty
  }

  // MARK: Constants

  private func compare(
    _ target: Target, _ operation: ComparisonOperator, _ value: Value, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    if value.isNull { return compareNull(target, operation) }
    try check(operation.rawValue, isOrder: operation.isOrder, target)
    let constant = try converted(value, for: target)
    if constant.equalsNothing { return operation == .notEqual ? target.always : target.never }
    return .compare(
      target.subject, operation, .value(constant), try checked(options, target, constant))
  }

  /// A list or a map, which mixed values alone are compared with.
  private func compare(
    _ target: Target, _ operation: ComparisonOperator, _ constant: CollectionConstant,
    _ options: StringOptions
  ) throws(PredicateError) -> Node {
    guard target.type == .mixed, case .path = target.subject else {
      throw operandError(
        .typeMismatch,
        "'\(operation.rawValue)' compares with one value; a list goes with IN or BETWEEN.")
    }
    guard !operation.isOrder, options.isEmpty else {
      throw operandError(.unsupported, "Lists and maps are compared by == and !=, without options.")
    }
    return .compare(target.subject, operation, .collection(constant), [])
  }

  private func compareNull(_ target: Target, _ operation: ComparisonOperator) -> Node {
    switch operation {
    case .less, .greater: return target.never
    case .notEqual:
      return target.canBeNull
        ? .compare(target.subject, .notEqual, .value(.null), []) : target.always
    case .equal, .lessOrEqual, .greaterOrEqual:
      return target.canBeNull ? .compare(target.subject, .equal, .value(.null), []) : target.never
    }
  }

  private func between(
    _ target: Target, _ lower: Value, _ upper: Value
  ) throws(PredicateError) -> Node {
    try check("BETWEEN", isOrder: true, target)
    if lower.isNull || upper.isNull { return target.never }
    let (low, high) = (try converted(lower, for: target), try converted(upper, for: target))
    if low.equalsNothing || high.equalsNothing { return target.never }
    return .between(target.subject, low, high)
  }

  private func isIn(
    _ target: Target, _ values: [Value], _ options: StringOptions
  ) throws(PredicateError) -> Node {
    var constants: [Value] = []
    for value in values {
      if value.isNull && !target.canBeNull { continue }
      let constant = value.isNull ? .null : try converted(value, for: target)
      if !constant.equalsNothing { constants.append(constant) }
    }
    if constants.isEmpty { return target.never }
    return .isIn(
      target.subject, constants,
      try checked(options, target, constants.first { !$0.isNull } ?? .null))
  }

  private func match(
    _ target: Target, _ operation: MatchOperator, _ value: Value, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    try checkText(operation, target)
    if value.isNull {
      return operation == .like
        ? .compare(target.subject, .equal, .value(.null), []) : target.never
    }
    let constant = try convertedText(value, operation, for: target)
    if operation != .like, constant == .string("") || constant == .data([]) { return target.never }
    return .match(
      target.subject, operation, .value(constant), try checked(options, target, constant))
  }

  // MARK: Two subjects

  private func compare(
    _ target: Target, _ operation: ComparisonOperator, _ other: Target, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    let isMixed = target.type == .mixed || other.type == .mixed
    let areNumbers = target.type.isNumeric && other.type.isNumeric
    guard isMixed || areNumbers || target.type == other.type,
      target.table?.name == other.table?.name || isMixed
    else { throw mismatch(target, other) }
    try check(operation.rawValue, isOrder: operation.isOrder, target)
    return .compare(
      target.subject, operation, .subject(other.subject), try checked(options, target, .null))
  }

  private func match(
    _ target: Target, _ operation: MatchOperator, _ other: Target, _ options: StringOptions
  ) throws(PredicateError) -> Node {
    try checkText(operation, target)
    let isText = other.type == .string || other.type == .data
    guard other.type == .mixed || (isText && (target.type == .mixed || target.type == other.type))
    else { throw mismatch(target, other) }
    return .match(
      target.subject, operation, .subject(other.subject), try checked(options, target, .null))
  }

  private func mismatch(_ target: Target, _ other: Target) -> PredicateError {
    var message = "Cannot compare \(target.words) to \(other.words)"
    if let table = target.table, let another = other.table, table.name != another.name {
      message += ": one leads to '\(table.name)', the other to '\(another.name)'"
    }
    return operandError(.typeMismatch, message + ".")
  }
}
