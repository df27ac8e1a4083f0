import CairnGeometry
import CairnValues

/// The parts of a condition, before they are assembled into a node.
struct Condition {
  var left: Side
  var right: Side
  var options: StringOptions = []
  /// The kind of edges of both sides, if it follows the operator.
  var edges: GeoPolygon.Edges?
  /// The condition's index in the source's list.
  let number: Int
}

extension Parser {
  /// Assembles the two sides of a condition into a node.
  mutating func assemble(
    _ condition: inout Condition, operation: Operation
  ) throws(PredicateError) -> PredicateNode {
    if condition.left.isQuantified && condition.right.isQuantified {
      throw error(
        "Only one side of a condition may have ANY, ALL or NONE; "
          + "comparing two collections is not permitted.",
        kind: .unsupported, at: condition.right.position.start)
    }
    switch operation {
    case .comparison(let operation): return try comparison(&condition, operation: operation)
    case .match(let operation): return try match(condition, operation: operation)
    case .between: return try between(condition)
    case .isIn: return try membership(&condition)
    case .relation(let relation): return try self.relation(&condition, relation: relation)
    }
  }

  private mutating func comparison(
    _ condition: inout Condition, operation: ComparisonOperator
  ) throws(PredicateError) -> PredicateNode {
    var operation = operation
    if condition.right.isQuantified || condition.isConstantOnLeft {
      swap(&condition.left, &condition.right)
      positions[condition.number] = positions[condition.number].mirrored
      operation = operation.mirrored
    }
    let options = condition.options
    switch (condition.left.content, condition.right.content) {
    case (.expression(let expression), .value(let value)):
      return .compare(expression, operation, .value(value), options)
    case (.expression(let expression), .expression(let other)):
      return .compare(expression, operation, .expression(other), options)
    case (.expression(let expression), .list(let values)) where !operation.isOrder:
      return .compare(
        expression, operation, .collection(.list(values.map { .value($0) })), options)
    case (.expression(let expression), .collection(let constant)) where !operation.isOrder:
      return .compare(expression, operation, .collection(constant), options)
    case (.expression, .list), (.expression, .collection), (.expression, .range):
      throw operandError(
        condition,
        message: "'\(operation.rawValue)' compares with one value; a list goes with IN or BETWEEN.")
    case (.expression, .shape):
      throw operandError(
        condition,
        message: "A shape goes with a relation, such as GEOWITHIN or GEOINTERSECTS.")
    case (_, .distance):
      throw operandError(
        condition, message: "GEODISTANCE belongs on the left, as in GEODISTANCE(…) < 5km.")
    default: throw leftError(condition)
    }
  }

  private func match(
    _ condition: Condition, operation: MatchOperator
  ) throws(PredicateError) -> PredicateNode {
    guard case .expression(let expression) = condition.left.content else {
      throw error(
        "\(operation.rawValue) has its property on the left.", at: condition.left.position.start)
    }
    if condition.right.isQuantified {
      throw operandError(condition, message: "Here ANY, ALL and NONE belong on the left.")
    }
    let options = condition.options
    switch condition.right.content {
    case .value(let value): return .match(expression, operation, .value(value), options)
    case .expression(let other): return .match(expression, operation, .expression(other), options)
    case .list, .collection, .range, .shape, .distance:
      throw operandError(condition, message: "\(operation.rawValue) takes one text.")
    }
  }

  private mutating func between(_ condition: Condition) throws(PredicateError) -> PredicateNode {
    guard case .expression(let expression) = condition.left.content else {
      throw leftError(condition)
    }
    switch condition.right.content {
    case .list(let ends) where ends.count == 2: return .between(expression, ends[0], ends[1])
    case .range(let lower, let upper, let isClosed):
      return try range(
        condition, expression: expression, lower: lower, upper: upper, isClosed: isClosed)
    default:
      throw operandError(condition, message: "BETWEEN takes two values in braces, as in {1, 10}.")
    }
  }

  /// A range as a condition. A half-open range becomes two comparisons, which share their offsets
  /// in the text.
  private mutating func range(
    _ condition: Condition, expression: Expression, lower: Value, upper: Value, isClosed: Bool
  ) throws(PredicateError) -> PredicateNode {
    if isClosed { return .between(expression, lower, upper) }
    guard expression.quantifier != .any else {
      throw operandError(
        condition,
        message: "A half-open range does not go with ANY, SOME or NONE; use a closed range.",
        kind: .unsupported)
    }
    positions += positions[condition.number...]
    return .and([
      .compare(expression, .greaterOrEqual, .value(lower), []),
      .compare(expression, .less, .value(upper), []),
    ])
  }

  // MARK: IN

  private mutating func membership(
    _ condition: inout Condition
  ) throws(PredicateError) -> PredicateNode {
    if case .expression(let collection) = condition.right.content {
      return try containment(condition, collection: collection)
    }
    guard case .expression(let expression) = condition.left.content else {
      throw leftError(condition)
    }
    switch condition.right.content {
    case .list(let values): return .isIn(expression, values, condition.options)
    case .shape: return try relation(&condition, relation: .within)
    case .range(let lower, let upper, let isClosed):
      guard condition.options.isEmpty else {
        throw operandError(condition, message: "A range takes no options.")
      }
      return try range(
        condition, expression: expression, lower: lower, upper: upper, isClosed: isClosed)
    case .collection: throw operandError(condition, message: "A list holds constants.")
    case .value, .expression, .distance:
      throw operandError(
        condition, message: "IN takes values in braces, as in {1, 2, 3}, or a shape.")
    }
  }

  /// `5 IN scores`: a value among the elements of a collection.
  private mutating func containment(
    _ condition: Condition, collection: Expression
  ) throws(PredicateError) -> PredicateNode {
    guard case .path(let path) = collection else {
      throw operandError(
        condition, message: "IN needs a collection on its right; this is a number.")
    }
    if condition.left.isQuantified {
      throw error(
        "Comparing two collection columns is not permitted.", kind: .unsupported,
        at: condition.left.position.start)
    }
    positions[condition.number] = positions[condition.number].mirrored
    let expression = Expression.path(path.quantifier == .one ? path.with(.any) : path)
    switch condition.left.content {
    case .value(let value): return .compare(expression, .equal, .value(value), condition.options)
    case .expression(let other):
      return .compare(expression, .equal, .expression(other), condition.options)
    case .list, .collection, .range, .shape, .distance:
      throw error(
        "A list IN a collection is not supported; write ANY \(path.with(.one)) IN the list.",
        kind: .unsupported, at: condition.left.position.start)
    }
  }

  // MARK: Errors

  func leftError(_ condition: Condition) -> PredicateError {
    error(
      "A condition must compare a property with a value or another property.",
      at: condition.left.position.start)
  }

  func operandError(
    _ condition: Condition, message: String, kind: PredicateError.Kind = .syntax
  ) -> PredicateError {
    error(message, kind: kind, at: condition.right.position.start)
  }
}

extension Condition {
  /// Whether the left side is a constant and the right side an expression.
  fileprivate var isConstantOnLeft: Bool {
    if case .value = left.content, case .expression = right.content { true } else { false }
  }
}
