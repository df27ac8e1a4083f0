import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// The values that a column may have in some rows, as far as they are known without reading them.
package struct ValueBounds: Sendable {
  /// A value that no other value is below, apart from null and NaN; nil if none is known.
  package var least: Value?
  /// A value that no other value is above, apart from null and NaN; nil if none is known.
  package var greatest: Value?
  /// Whether some of the values may be null.
  package var mayBeNull = true
  /// Whether some of the values may be NaN.
  package var mayBeNaN = true
  /// Whether all values are null.
  package var isAllNull = false
  /// A rectangle that contains the bounds of all locations or geometries; nil if none is known.
  package var box: Envelope?

  /// Creates bounds of values of which nothing is known.
  package init() {}

  /// Returns bounds of these values and others of the same column. Boxes are left out.
  package func union(_ other: ValueBounds) -> ValueBounds {
    if isAllNull, other.isAllNull { return self }
    var all = ValueBounds()
    all.mayBeNull = mayBeNull || isAllNull || other.mayBeNull || other.isAllNull
    all.mayBeNaN = mayBeNaN || other.mayBeNaN
    guard !isAllNull, !other.isAllNull else {
      let known = isAllNull ? other : self
      (all.least, all.greatest) = (known.least, known.greatest)
      return all
    }
    guard let least, let otherLeast = other.least, let greatest,
      let otherGreatest = other.greatest, let low = least.order(to: otherLeast),
      let high = greatest.order(to: otherGreatest)
    else { return all }
    all.least = low == .greater ? otherLeast : least
    all.greatest = high == .less ? otherGreatest : greatest
    return all
  }
}

/// A condition that is prepared for what is known of many rows at once.
///
/// It has no exact result: the rows are those of a file that was not read yet. If a property of
/// ``ValueBounds`` is not known, the condition may hold and may fail.
package struct BoundsTest: Sendable {
  private let root: Node

  private indirect enum Node: Sendable {
    case constant(Bool)
    case all([Node])
    case any([Node])
    case not(Node)
    case values(Int, ValueCondition, ValueTest)
    case spatial(Int, SpatialTest, isLocation: Bool)
    /// A condition that needs the rows.
    case unknown
  }

  /// Whether a row may meet the condition.
  ///
  /// - Parameter bounds: Returns the bounds of a column by its position in the class.
  package func mayHold(_ bounds: (Int) -> ValueBounds) -> Bool {
    Self.outcomes(root, bounds).contains(.holds)
  }

  private static func outcomes(_ node: Node, _ bounds: (Int) -> ValueBounds) -> Outcomes {
    switch node {
    case .constant(let value): Outcomes(value)
    case .all(let parts): .all(parts.map { outcomes($0, bounds) })
    case .any(let parts): Outcomes.all(parts.map { outcomes($0, bounds).inverted }).inverted
    case .not(let part): outcomes(part, bounds).inverted
    case .values(let column, let condition, let test):
      condition.outcomes(test, bounds(column))
    case .spatial(let column, let test, let isLocation):
      test.outcomes(bounds(column), isLocation: isLocation)
    case .unknown: .unknown
    }
  }

  fileprivate init(_ root: BoundNode) { self.root = Self.node(root) }

  private static func node(_ node: BoundNode) -> Node {
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .all(parts.map(self.node))
    case .or(let parts): return .any(parts.map(self.node))
    case .not(let part): return .not(self.node(part))
    case .values(.path(let path), let condition):
      guard let column = path.plainColumn else { return .unknown }
      return .values(column.position, condition, condition.test(isMixed: true))
    case .spatial(let path, let condition, let shape):
      guard let column = path.plainColumn else { return .unknown }
      return .spatial(
        column.position, SpatialTest(condition, shape: shape), isLocation: column.type == .point)
    case .values, .pair, .collection, .spatialPair: return .unknown
    }
  }
}

extension BoundPredicate {
  /// The condition, prepared for what is known of many rows of the class that it is bound to.
  package var boundsTest: BoundsTest { BoundsTest(root) }
}

/// The results that a condition may have for some rows.
private struct Outcomes: OptionSet {
  let rawValue: UInt8

  static let holds = Outcomes(rawValue: 1)
  static let fails = Outcomes(rawValue: 2)
  static let unknown: Outcomes = [.holds, .fails]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The only result.
  init(_ value: Bool) { self = value ? .holds : .fails }

  init(mayHold: Bool, mayFail: Bool) {
    self = [mayHold ? .holds : [], mayFail ? .fails : []]
  }

  /// The results of the negation.
  var inverted: Outcomes {
    Outcomes(mayHold: contains(.fails), mayFail: contains(.holds))
  }

  /// The results of a conjunction.
  static func all(_ parts: some Sequence<Outcomes>) -> Outcomes {
    var result = Outcomes.holds
    for part in parts {
      result.formUnion(part.intersection(.fails))
      if !part.contains(.holds) { result.remove(.holds) }
    }
    return result
  }
}

extension ValueCondition {
  /// The results for values within bounds.
  ///
  /// - Parameter test: The test of the condition on one value.
  fileprivate func outcomes(_ test: ValueTest, _ bounds: ValueBounds) -> Outcomes {
    var found: Outcomes = []
    if bounds.mayBeNull || bounds.isAllNull { found.formUnion(Outcomes(test.holds(.null))) }
    if bounds.isAllNull { return found }
    if bounds.mayBeNaN { found.formUnion(Outcomes(test.holds(.double(.nan)))) }
    guard let least = bounds.least, let greatest = bounds.greatest else { return .unknown }
    return found.union(outcomes(least, greatest))
  }

  /// The results for values between two others, which are neither null nor NaN.
  private func outcomes(_ least: Value, _ greatest: Value) -> Outcomes {
    switch self {
    case .compare(let comparison, let constant, let options):
      return options.isEmpty ? comparison.outcomes(least, greatest, constant) : .unknown
    case .between(let low, let high):
      return .all([
        ComparisonOperator.greaterOrEqual.outcomes(least, greatest, low),
        ComparisonOperator.lessOrEqual.outcomes(least, greatest, high),
      ])
    case .isIn(let values, let options):
      guard options.isEmpty else { return .unknown }
      let others = values.map {
        ComparisonOperator.equal.outcomes(least, greatest, $0).inverted
      }
      return Outcomes.all(others).inverted
    case .match(.beginsWith, .string(let part), let options):
      guard options.isEmpty, !part.isEmpty, case .string(let first) = least,
        case .string(let last) = greatest
      else { return .unknown }
      return Self.outcomes(first, last, prefix: part)
    case .match: return .unknown
    }
  }

  /// The results of `BEGINSWITH prefix` for texts between two others. The texts with a prefix follow
  /// one another in the order of their bytes.
  private static func outcomes(_ first: String, _ last: String, prefix: String) -> Outcomes {
    let isFirst = first.utf8.starts(with: prefix.utf8)
    let isLast = last.utf8.starts(with: prefix.utf8)
    let begins = isFirst || Ordering.between(first, and: prefix) == .less
    let ends = Ordering.between(last, and: prefix) != .less
    return Outcomes(mayHold: begins && ends, mayFail: !isFirst || !isLast)
  }
}

extension ComparisonOperator {
  /// The results of a comparison with a constant for values between two others.
  fileprivate func outcomes(_ least: Value, _ greatest: Value, _ constant: Value) -> Outcomes {
    if constant.isNull { return Outcomes(self == .notEqual) }
    guard let low = least.order(to: constant), let high = greatest.order(to: constant) else {
      return .unknown
    }
    switch self {
    case .less: return Outcomes(mayHold: low == .less, mayFail: high != .less)
    case .lessOrEqual: return Outcomes(mayHold: low != .greater, mayFail: high == .greater)
    case .greater: return Outcomes(mayHold: high == .greater, mayFail: low != .greater)
    case .greaterOrEqual: return Outcomes(mayHold: high != .less, mayFail: low == .less)
    case .equal:
      return Outcomes(
        mayHold: low != .greater && high != .less, mayFail: low != .equal || high != .equal)
    case .notEqual: return Self.equal.outcomes(least, greatest, constant).inverted
    }
  }
}

extension SpatialTest {
  /// The results for locations or geometries whose bounds lie in a rectangle.
  fileprivate func outcomes(_ bounds: ValueBounds, isLocation: Bool) -> Outcomes {
    // Null has no relation to anything.
    if bounds.isAllNull { return .fails }
    guard !isInverted, let box = bounds.box else { return .unknown }
    let region = isLocation ? try? locations().region : nil
    let boxes = isLocation ? nil : try? geometries().boxes
    let found = region?.classify(box) ?? boxes?.classify(box)
    return found == .disjoint ? .fails : .unknown
  }
}
