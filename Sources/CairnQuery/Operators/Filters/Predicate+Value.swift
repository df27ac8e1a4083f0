import CairnGeometry
import CairnValues

/// Conditions on single values, such as the elements of a list of numbers.
extension Predicate {
  /// The name of the value itself in a condition.
  package static let valueName = "self"

  /// A test of one value. Every expression of the condition must be the value itself.
  ///
  /// - Parameter isMixed: Whether flags and numbers can be equal, as in mixed properties.
  /// - Throws: ``PredicateError`` if the condition needs more than a value.
  package func valueTest(
    isMixed: Bool
  ) throws(PredicateError) -> @Sendable (_ value: Value) -> Bool {
    let test = try root.valueTest(isMixed)
    return { test.holds($0) }
  }
}

extension PredicateNode {
  fileprivate func valueTest(_ isMixed: Bool) throws(PredicateError) -> ValueTest {
    switch self {
    case .constant(let value): return .constant(value)
    case .and(let parts):
      let tests = try parts.valueTests(isMixed)
      return .custom { value in tests.allSatisfy { $0.holds(value) } }
    case .or(let parts):
      let tests = try parts.valueTests(isMixed)
      return .custom { value in tests.contains { $0.holds(value) } }
    case .not(let part):
      let test = try part.valueTest(isMixed)
      return .custom { !test.holds($0) }
    case .compare(let expression, let operation, .value(let constant), let options):
      try expression.checkValue()
      return ValueCondition.compare(operation, constant, options).test(isMixed: isMixed)
    case .between(let expression, let low, let high):
      try expression.checkValue()
      return .between(low, high: high)
    case .isIn(let expression, let values, let options):
      try expression.checkValue()
      return .isIn(values, options: options, isMixed: isMixed)
    case .match(let expression, let match, .value(let constant), let options):
      try expression.checkValue()
      return .match(match, constant: constant, options: options)
    case .relation(let path, let relation, .shape(let shape)):
      try Expression.path(path).checkValue()
      return .spatial(SpatialTest(.relation(relation), shape: try relation.compared(shape)))
    case .distance(let path, let comparison, .shape(let shape), let distance):
      try Expression.path(path).checkValue()
      return .spatial(SpatialTest(.distance(comparison, distance), shape: shape))
    case .compare, .match, .relation, .distance: throw Expression.moreThanValue
    }
  }
}

extension [PredicateNode] {
  fileprivate func valueTests(_ isMixed: Bool) throws(PredicateError) -> [ValueTest] {
    var tests: [ValueTest] = []
    for part in self { tests.append(try part.valueTest(isMixed)) }
    return tests
  }
}

extension Expression {
  fileprivate static let moreThanValue = PredicateError(
    .unsupported, message: "A condition on a value compares the value itself with constants.")

  fileprivate func checkValue() throws(PredicateError) {
    guard case .path(let path) = self, path.name == Predicate.valueName else {
      throw Expression.moreThanValue
    }
  }
}
