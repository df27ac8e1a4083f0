import CairnGeometry
import CairnValues

/// Conditions on values that stand alone, such as the elements of a list of numbers.
extension Predicate {
  /// The name by which a condition speaks of the value itself.
  package static let valueName = "self"

  /// A test of one value; every subject of the condition is the value itself.
  ///
  /// - Parameter isMixed: whether flags and numbers can be equal, as in mixed properties.
  /// - Throws: `PredicateError` where the condition asks for more than a value has.
  package func valueTest(
    isMixed: Bool
  ) throws(PredicateError) -> @Sendable (_ value: Value) -> Bool {
    let test = try root.valueTest(isMixed)
    return { test.holds($0) }
  }
}

extension Node {
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
    case .compare(let subject, let operation, .value(let constant), let options):
      try subject.checkValue()
      return isMixed
        ? .compareMixed(operation, constant, options) : .compare(operation, constant, options)
    case .between(let subject, let low, let high):
      try subject.checkValue()
      return .between(low, high)
    case .isIn(let subject, let values, let options):
      try subject.checkValue()
      return .isIn(values, options, isMixed: isMixed)
    case .match(let subject, let match, .value(let constant), let options):
      try subject.checkValue()
      return .match(match, constant, options)
    case .within(let path, let shape):
      try Subject.path(path).checkValue()
      return .within(shape.region)
    case .compare, .match: throw Subject.moreThanValue
    }
  }
}

extension [Node] {
  fileprivate func valueTests(_ isMixed: Bool) throws(PredicateError) -> [ValueTest] {
    var tests: [ValueTest] = []
    for part in self { tests.append(try part.valueTest(isMixed)) }
    return tests
  }
}

extension Subject {
  fileprivate static let moreThanValue = PredicateError(
    .unsupported, "A condition on a value compares the value itself with constants.")

  fileprivate func checkValue() throws(PredicateError) {
    guard case .path(let path) = self, path.name == Predicate.valueName else {
      throw Subject.moreThanValue
    }
  }
}
