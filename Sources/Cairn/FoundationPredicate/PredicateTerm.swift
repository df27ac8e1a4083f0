import CairnQuery
import CairnValues
import Foundation

// Foundation has types of these names too.
typealias PredicateError = CairnQuery.PredicateError
typealias Expression = CairnQuery.Expression

/// The meaning of a node in a Foundation predicate.
indirect enum PredicateTerm {
  /// The way from an object to a property. Without steps, the object itself.
  struct Path {
    /// The number of closures around the node that the path begins in.
    let depth: Int
    var steps: [PropertyPath.Component] = []
    /// Whether the last step is a collection.
    var isCollection = false

    /// The path for the predicate tree. The object itself is an error.
    func propertyPath(
      _ quantifier: PropertyPath.Quantifier = .one
    ) throws(PredicateError) -> PropertyPath {
      guard !steps.isEmpty else {
        throw PredicateError(
          .unsupported, message: "A condition tests properties of objects, not objects themselves.")
      }
      return PropertyPath(quantifier, components: steps)
    }
  }

  /// A value that is known already.
  case constant(Any?)
  case path(Path)
  /// The elements of a collection that meet a condition.
  case filtered(Path, PredicateNode)
  /// A number computed from a collection.
  case number(Expression)
  /// A condition that is nil where a path has no value.
  case condition(PredicateNode, unlessNull: [Path])
  /// The values between two constants; without the second one if the range is not closed.
  case range(Any?, Any?, isClosed: Bool)
  /// Another term's value, or a constant where that is nil.
  case coalesced(PredicateTerm, Any?)

  /// A condition that is never nil.
  static func condition(_ node: PredicateNode) -> PredicateTerm {
    .condition(node, unlessNull: [])
  }
}

extension PredicateTerm {
  /// The term as a condition.
  func condition() throws(PredicateError) -> PredicateNode {
    switch self {
    case .condition(let node, let paths): .all(try Self.present(paths) + [node])
    case .constant(let value as Bool): .constant(value)
    default: try compared(.equal, with: .constant(true))
    }
  }

  /// The conditions that paths have values.
  private static func present(_ paths: [Path]) throws(PredicateError) -> [PredicateNode] {
    var nodes: [PredicateNode] = []
    for path in paths {
      nodes.append(
        .compare(.path(try path.propertyPath()), .notEqual, .value(.null), []))
    }
    return nodes
  }

  /// The condition that compares two terms.
  func compared(
    _ operation: ComparisonOperator, with other: PredicateTerm
  ) throws(PredicateError) -> PredicateNode {
    switch (self, other) {
    case (.constant, .constant):
      throw PredicateError(.unsupported, message: "A condition must use a property of the objects.")
    case (.constant, _):
      return try other.compared(operation.mirrored, with: self)
    case (.coalesced(let term, let fallback), _):
      let isPresent = try term.compared(.notEqual, with: .constant(nil))
      let otherwise = try Self.compare(fallback, operation, with: other)
      return .any([
        .all([isPresent, try term.compared(operation, with: other)]),
        .all([.not(isPresent), otherwise]),
      ])
    case (_, .coalesced):
      return try other.compared(operation.mirrored, with: self)
    case (.condition(let node, let paths), .constant(let value)):
      return try Self.compare(node, unlessNull: paths, operation, with: value)
    case (_, .constant(let value)):
      return .compare(try expression(), operation, .value(try Self.value(value)), [])
    default:
      return .compare(try expression(), operation, .expression(try other.expression()), [])
    }
  }

  /// The condition that compares the constant of `??` with a term.
  private static func compare(
    _ fallback: Any?, _ operation: ComparisonOperator, with other: PredicateTerm
  ) throws(PredicateError) -> PredicateNode {
    guard case .constant(let constant) = other else {
      return try other.compared(operation.mirrored, with: .constant(fallback))
    }
    let (value, bound) = (try Self.value(fallback), try Self.value(constant))
    let order = value.order(to: bound)
    switch operation {
    case .equal: return .constant(value.equals(bound))
    case .notEqual: return .constant(!value.equals(bound))
    case .less: return .constant(order == .less)
    case .lessOrEqual: return .constant(order == .less || order == .equal)
    case .greater: return .constant(order == .greater)
    case .greaterOrEqual: return .constant(order == .greater || order == .equal)
    }
  }

  /// The condition that compares another condition with true, false or nil.
  private static func compare(
    _ node: PredicateNode, unlessNull paths: [Path], _ operation: ComparisonOperator,
    with constant: Any?
  ) throws(PredicateError) -> PredicateNode {
    let present = try Self.present(paths)
    let isEqual: PredicateNode
    switch try Self.value(constant) {
    case .bool(let value): isEqual = .all(present + [value ? node : .not(node)])
    default: isEqual = .not(.all(present))
    }
    switch operation {
    case .equal: return isEqual
    case .notEqual: return .not(isEqual)
    default: throw .noCounterpart(for: "an order of conditions")
    }
  }

  /// The term as the side of a comparison.
  func expression() throws(PredicateError) -> Expression {
    switch self {
    case .path(let path):
      if path.isCollection { throw .noCounterpart(for: "the comparison of a collection") }
      return .path(try path.propertyPath())
    case .number(let expression): return expression
    case .filtered, .range: throw .noCounterpart(for: "the comparison of a collection")
    case .condition, .coalesced: throw .noCounterpart(for: "the comparison of two conditions")
    case .constant:
      throw PredicateError(.unsupported, message: "A condition must use a property of the objects.")
    }
  }

  /// The path to a collection.
  func collection() throws(PredicateError) -> Path {
    guard case .path(let path) = self, path.isCollection else {
      throw .noCounterpart(for: "the elements of what is not a stored collection")
    }
    return path
  }

  /// The constant as a value of the store.
  static func value(_ constant: Any?) throws(PredicateError) -> Value {
    if let value = QueryConstant.value(of: constant) { return value }
    throw PredicateError(
      .argument,
      message: "A store has no values of type \(constant.map { "\(type(of: $0))" } ?? "nil").")
  }
}
