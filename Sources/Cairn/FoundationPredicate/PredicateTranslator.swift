import CairnObjects
import CairnQuery
import CairnValues
import Foundation

/// Translates the tree of a Foundation predicate into a predicate tree.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class PredicateTranslator {
  /// The terms of the variables in scope: the object, an element in a closure, or an unwrapped
  /// optional.
  private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
  /// The number of closures around the present node. Their conditions can use one element only.
  private var depth = 0

  init(_ object: PredicateExpressions.VariableID) {
    variables[object] = .path(PredicateTerm.Path(depth: 0))
  }

  /// Translates a node to a condition.
  func condition(_ node: any PredicateExpression) throws(PredicateError) -> PredicateNode {
    try term(node).condition()
  }

  /// Translates a node.
  func term(_ node: any PredicateExpression) throws(PredicateError) -> PredicateTerm {
    guard let node = node as? any TranslatableExpression else {
      throw .noCounterpart(for: Self.name(of: type(of: node)))
    }
    return try node.term(self)
  }

  /// The term of a variable.
  func term(of variable: PredicateExpressions.VariableID) throws(PredicateError) -> PredicateTerm {
    guard let term = variables[variable] else { throw .noCounterpart(for: "this variable") }
    if case .path(let path) = term, path.depth != depth {
      throw PredicateError(
        .unsupported,
        message: "A condition on the elements of a collection can only use the elements.")
    }
    return term
  }

  /// Translates a node after binding a variable to a term.
  func term(
    _ node: any PredicateExpression, where variable: PredicateExpressions.VariableID,
    is meaning: PredicateTerm
  ) throws(PredicateError) -> PredicateTerm {
    variables[variable] = meaning
    return try term(node)
  }

  /// Translates a closure that tests the elements of a collection.
  func elementCondition(
    _ node: any PredicateExpression, variable: PredicateExpressions.VariableID
  ) throws(PredicateError) -> PredicateNode {
    depth += 1
    defer { depth -= 1 }
    variables[variable] = .path(PredicateTerm.Path(depth: depth))
    return try condition(node)
  }

  /// The name of a kind of node in Swift's terms.
  private static func name(of type: Any.Type) -> String {
    let name = String(describing: type).prefix { $0 != "<" }
    return switch name {
    case "Arithmetic", "FloatDivision", "IntDivision", "IntRemainder", "UnaryMinus": "arithmetic"
    case "Conditional": "'if' or '? :'"
    case "TypeCheck", "ConditionalCast", "ForceCast": "a cast"
    case "CollectionIndexSubscript", "CollectionRangeSubscript", "DictionaryKeySubscript",
      "DictionaryKeyDefaultValueSubscript":
      "a subscript"
    case "StringContainsRegex": "a regular expression"
    case "PredicateEvaluate": "the evaluation of another predicate"
    default: "'\(name)'"
    }
  }
}

extension PredicateError {
  /// The error for a part of a Foundation predicate without a counterpart.
  static func noCounterpart(for part: String) -> PredicateError {
    PredicateError(
      .unsupported,
      message: "A store cannot evaluate \(part); filter the results in Swift for it.")
  }
}

/// A node of a Foundation predicate that has a counterpart.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
protocol TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm
}
