import CairnGeometry
import CairnValues

/// The parts of a condition, before it is known what they make.
struct Condition {
  var left: Side
  var right: Side
  let options: StringOptions
  /// Of its place among the leaves.
  let number: Int
}

extension Parser {
  /// Puts the two sides of a condition together.
  mutating func assemble(
    _ condition: inout Condition, _ operation: Operation
  ) throws(PredicateError) -> Node {
    if condition.left.isQuantified && condition.right.isQuantified {
      throw error(
        "ANY, ALL and NONE stand on one side of a condition; comparing two collections is not permitted.",
        kind: .unsupported, at: condition.right.place.start)
    }
    switch operation {
    case .comparison(let operation): return try comparison(&condition, operation)
    case .match(let operation): return try match(condition, operation)
    case .between: return try between(condition)
    case .isIn: return try membership(condition)
    case .within: return try within(condition)
    }
  }

  private mutating func comparison(
    _ condition: inout Condition, _ operation: ComparisonOperator
  ) throws(PredicateError) -> Node {
    var operation = operation
    if condition.right.isQuantified || condition.isConstantOnLeft {
      swap(&condition.left, &condition.right)
      leaves[condition.number] = leaves[condition.number].mirrored
      operation = operation.mirrored
    }
    let options = condition.options
    switch (condition.left.content, condition.right.content) {
    case (.subject(let subject), .value(let value)):
      return .compare(subject, operation, .value(value), options)
    case (.subject(let subject), .subject(let other)):
      return .compare(subject, operation, .subject(other), options)
    case (.subject(let subject), .list(let values)) where !operation.isOrder:
      return .compare(
        subject, operation, .collection(.list(values.map { .value($0) })), options)
    case (.subject(let subject), .collection(let constant)) where !operation.isOrder:
      return .compare(subject, operation, .collection(constant), options)
    case (.subject, .list), (.subject, .collection), (.subject, .range):
      throw operandError(
        condition,
        "'\(operation.rawValue)' compares with one value; a list goes with IN or BETWEEN.")
    case (.subject, .shape): throw operandError(condition, "A shape goes with GEOWITHIN.")
    default: throw leftError(condition)
    }
  }

  private func match(
    _ condition: Condition, _ operation: MatchOperator
  ) throws(PredicateError) -> Node {
    guard case .subject(let subject) = condition.left.content else {
      throw error(
        "\(operation.rawValue) has its property on the left.", at: condition.left.place.start)
    }
    if condition.right.isQuantified {
      throw operandError(condition, "Here ANY, ALL and NONE stand on the left.")
    }
    let options = condition.options
    switch condition.right.content {
    case .value(let value): return .match(subject, operation, .value(value), options)
    case .subject(let other): return .match(subject, operation, .subject(other), options)
    case .list, .collection, .range, .shape:
      throw operandError(condition, "\(operation.rawValue) takes one text.")
    }
  }

  private mutating func between(_ condition: Condition) throws(PredicateError) -> Node {
    guard case .subject(let subject) = condition.left.content else { throw leftError(condition) }
    switch condition.right.content {
    case .list(let ends) where ends.count == 2: return .between(subject, ends[0], ends[1])
    case .range(let lower, let upper, let isClosed):
      return try range(condition, subject, lower, upper, isClosed)
    default:
      throw operandError(condition, "BETWEEN takes two values in braces, as in {1, 10}.")
    }
  }

  /// A half-open range becomes two conditions, which share their places.
  private mutating func range(
    _ condition: Condition, _ subject: Subject, _ lower: Value, _ upper: Value, _ isClosed: Bool
  ) throws(PredicateError) -> Node {
    if isClosed { return .between(subject, lower, upper) }
    guard subject.quantifier != .any else {
      throw operandError(
        condition,
        "A range without its upper end cannot be asked of ANY, SOME or NONE; give a closed one.",
        kind: .unsupported)
    }
    leaves += leaves[condition.number...]
    return .and([
      .compare(subject, .greaterOrEqual, .value(lower), []),
      .compare(subject, .less, .value(upper), []),
    ])
  }

  // MARK: IN and GEOWITHIN

  private mutating func membership(_ condition: Condition) throws(PredicateError) -> Node {
    if case .subject(let collection) = condition.right.content {
      return try containment(condition, collection)
    }
    guard case .subject(let subject) = condition.left.content else { throw leftError(condition) }
    switch condition.right.content {
    case .list(let values): return .isIn(subject, values, condition.options)
    case .shape: return try within(condition)
    case .range(let lower, let upper, let isClosed):
      guard condition.options.isEmpty else {
        throw operandError(condition, "A range takes no options.")
      }
      return try range(condition, subject, lower, upper, isClosed)
    case .collection: throw operandError(condition, "A list holds constants.")
    case .value, .subject:
      throw operandError(condition, "IN takes values in braces, as in {1, 2, 3}, or a shape.")
    }
  }

  /// `5 IN scores`: one of the elements of a collection.
  private mutating func containment(
    _ condition: Condition, _ collection: Subject
  ) throws(PredicateError) -> Node {
    guard case .path(let path) = collection else {
      throw operandError(condition, "IN asks what a collection holds; this is a number.")
    }
    if condition.left.isQuantified {
      throw error(
        "Comparing two collection columns is not permitted.", kind: .unsupported,
        at: condition.left.place.start)
    }
    leaves[condition.number] = leaves[condition.number].mirrored
    let subject = Subject.path(path.quantifier == .one ? path.with(.any) : path)
    switch condition.left.content {
    case .value(let value): return .compare(subject, .equal, .value(value), condition.options)
    case .subject(let other): return .compare(subject, .equal, .subject(other), condition.options)
    case .list, .collection, .range, .shape:
      throw error(
        "A list IN a collection is not supported; write ANY \(path.with(.one)) IN the list.",
        kind: .unsupported, at: condition.left.place.start)
    }
  }

  private func within(_ condition: Condition) throws(PredicateError) -> Node {
    guard case .subject(let subject) = condition.left.content else { throw leftError(condition) }
    guard case .shape(let shape) = condition.right.content else {
      throw operandError(condition, "GEOWITHIN takes a shape: geoCircle, geoBox or geoPolygon.")
    }
    guard case .path(let path) = subject else {
      throw error("GEOWITHIN asks about a location.", at: condition.left.place.start)
    }
    guard condition.options.isEmpty else {
      throw operandError(condition, "GEOWITHIN takes no options.")
    }
    return .within(path, shape)
  }

  // MARK: Errors

  private func leftError(_ condition: Condition) -> PredicateError {
    error(
      "A condition must hold a property against a value or another property.",
      at: condition.left.place.start)
  }

  private func operandError(
    _ condition: Condition, _ message: String, kind: PredicateError.Kind = .syntax
  ) -> PredicateError {
    error(message, kind: kind, at: condition.right.place.start)
  }
}

extension Condition {
  /// Whether a constant stands on the left and something to hold it against on the right.
  fileprivate var isConstantOnLeft: Bool {
    if case .value = left.content, case .subject = right.content { true } else { false }
  }
}
