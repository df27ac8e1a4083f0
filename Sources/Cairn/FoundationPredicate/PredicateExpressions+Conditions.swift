import CairnQuery
import CairnValues
import Foundation

// MARK: Logic

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(.all([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(.any([try translator.condition(lhs), try translator.condition(rhs)]))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Negation: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(.not(try translator.condition(wrapped)))
  }
}

// MARK: Comparisons

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Equal: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(lhs).compared(.equal, with: translator.term(rhs)))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(lhs).compared(.notEqual, with: translator.term(rhs)))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    let operation: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw .noCounterpart(for: "the comparison '\(op)'")
      }
    return .condition(try translator.term(lhs).compared(operation, with: translator.term(rhs)))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    try .range(translator.term(lower), upper: translator.term(upper), isClosed: true)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Range: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    try .range(translator.term(lower), upper: translator.term(upper), isClosed: false)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(range).contains(translator.term(element)))
  }
}

// MARK: Texts

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(base).matched(.contains, translator.term(other)))
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(_ translator: PredicateTranslator) throws(PredicateError) -> PredicateTerm {
    .condition(try translator.term(base).matched(.beginsWith, translator.term(prefix)))
  }
}

extension PredicateTerm {
  /// The range between two terms, which must be constants.
  static func range(
    _ lower: PredicateTerm, upper: PredicateTerm, isClosed: Bool
  ) throws(PredicateError) -> PredicateTerm {
    guard case .constant(let lower) = lower, case .constant(let upper) = upper else {
      throw .noCounterpart(for: "a range whose ends are not constants")
    }
    return .range(lower, upper, isClosed: isClosed)
  }

  /// The condition that a text has a part.
  fileprivate func matched(
    _ operation: MatchOperator, _ part: PredicateTerm
  ) throws(PredicateError) -> PredicateNode {
    guard case .constant(let part as String) = part else {
      throw .noCounterpart(for: "the search for what is not a constant text")
    }
    let text = try expression()
    // Every text contains the empty one, which the predicate language finds in none.
    if part.isEmpty { return .compare(text, .notEqual, .value(.null), []) }
    return .match(text, operation, .value(.string(part)), [])
  }
}
