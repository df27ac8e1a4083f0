import CairnStorage
import CairnValues

/// A condition on the elements of a packed collection, each in its own place.
indirect enum ElementTest: Sendable {
  case integers(RangeCondition<Int64>)
  case doubles(RangeCondition<Double>)
  case floats(RangeCondition<Float>)
  case bytes(BytesTest, inverted: Bool, nullsMatch: Bool)
  case isNull(Bool)
  case constant(Bool)
  case all([ElementTest])
  case any([ElementTest])
  case values(ValueTest)

  /// The test of a filter on a column of the elements' type; nil for one that has no test of elements.
  init?(_ filter: Filter) {
    switch filter {
    case let filter as IntegerFilter: self = .integers(filter.condition)
    case let filter as DoubleFilter: self = .doubles(filter.condition)
    case let filter as FloatFilter: self = .floats(filter.condition)
    case let filter as BytesFilter:
      self = .bytes(filter.test, inverted: filter.inverted, nullsMatch: filter.nullsMatch)
    case let filter as NullFilter: self = .isNull(filter.wanted)
    case let filter as ConstantFilter: self = .constant(filter.value)
    case let filter as AllFilter:
      guard let parts = ElementTest.tests(filter.parts) else { return nil }
      self = .all(parts)
    case let filter as AnyFilter:
      guard let parts = ElementTest.tests(filter.parts) else { return nil }
      self = .any(parts)
    default: return nil
    }
  }

  private static func tests(_ filters: [Filter]) -> [ElementTest]? {
    let tests = filters.compactMap { ElementTest($0) }
    return tests.count == filters.count ? tests : nil
  }

  /// Whether an element passes.
  @inline(__always)
  func passes(_ elements: StoredCollection, _ place: Int) -> Bool {
    switch self {
    case .integers(let condition):
      if elements.isNull(at: place) { return condition.nullsMatch }
      let number =
        elements.type == .bool ? (elements.bool(at: place) ? 1 : 0) : elements.int(at: place)
      return condition.isInRange(number) != condition.inverted
    case .doubles(let condition):
      if elements.isNull(at: place) { return condition.nullsMatch }
      return condition.isInRange(elements.double(at: place)) != condition.inverted
    case .floats(let condition):
      if elements.isNull(at: place) { return condition.nullsMatch }
      return condition.isInRange(elements.float(at: place)) != condition.inverted
    case .bytes(let test, let inverted, let nullsMatch):
      if elements.isNull(at: place) { return nullsMatch }
      return test.passes(elements.bytes(at: place)) != inverted
    default: return passesOther(elements, place)
    }
  }

  private func passesOther(_ elements: StoredCollection, _ place: Int) -> Bool {
    switch self {
    case .isNull(let wanted): elements.isNull(at: place) == wanted
    case .constant(let value): value
    case .all(let tests): tests.allSatisfy { $0.passes(elements, place) }
    case .any(let tests): tests.contains { $0.passes(elements, place) }
    case .values(let test): test.holds(elements.value(at: place))
    case .integers, .doubles, .floats, .bytes: passes(elements, place)
    }
  }
}
