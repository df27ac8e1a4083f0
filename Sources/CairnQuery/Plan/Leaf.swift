import CairnGeometry
import CairnValues

/// What a condition asks of each value that its path leads to.
enum Leaf {
  case constant(Bool)
  case compare(ComparisonOperator, Value, StringOptions)
  case between(Value, Value)
  case isIn([Value], StringOptions)
  case match(MatchOperator, Value, StringOptions)
  case within(Region)
  /// The same of the length of a text or of data.
  case length(ValueTest)

  /// The same of a value wherever it stands.
  func test(isMixed: Bool) -> ValueTest {
    switch self {
    case .constant(let value): .constant(value)
    case .compare(let comparison, let value, let options):
      isMixed
        ? .compareMixed(comparison, value, options) : .compare(comparison, value, options)
    case .between(let low, let high): .between(low, high)
    case .isIn(let values, let options): .isIn(values, options, isMixed: isMixed)
    case .match(let match, let value, let options): .match(match, value, options)
    case .within(let region): .within(region)
    case .length(let test): .length(test)
    }
  }

  var isWithin: Bool {
    if case .within = self { true } else { false }
  }
}

/// What a condition asks of two values of one row.
enum PairLeaf {
  case compare(ComparisonOperator, StringOptions)
  case match(MatchOperator, StringOptions)
}
