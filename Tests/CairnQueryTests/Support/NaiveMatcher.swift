import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues
import Synchronization

/// An oracle that evaluates a predicate on one row, with two-valued logic.
struct NaiveMatcher {
  let table: NaiveTable
  let node: PredicateNode

  func matches(_ values: [Value]) -> Bool { holds(node, values) }

  private func value(_ path: PropertyPath, _ values: [Value]) -> Value {
    table.value(path.name ?? "", values)
  }

  /// The value of an expression; only plain properties are supported.
  private func value(_ expression: Expression, _ values: [Value]) -> Value {
    guard case .path(let path) = expression else { return .null }
    return value(path, values)
  }

  private func holds(_ node: PredicateNode, _ values: [Value]) -> Bool {
    switch node {
    case .constant(let flag): return flag
    case .and(let parts): return parts.allSatisfy { holds($0, values) }
    case .or(let parts): return parts.contains { holds($0, values) }
    case .not(let part): return !holds(part, values)
    case .compare(let path, let comparison, .value(let constant), let options):
      return NaiveMatcher.compares(value(path, values), comparison, constant, options)
    case .compare(let path, let comparison, .expression(let other), let options):
      let (a, b) = (value(path, values), value(other, values))
      if a.isNaN && b.isNaN { return comparison == .equal }
      return NaiveMatcher.compares(a, comparison, b, options)
    case .between(let path, let low, let high):
      // Unlike `<= nil`, a range with a null bound matches nothing.
      return !low.isNull && !high.isNull
        && NaiveMatcher.compares(value(path, values), .greaterOrEqual, low, [])
        && NaiveMatcher.compares(value(path, values), .lessOrEqual, high, [])
    case .isIn(let path, let list, let options):
      return list.contains { NaiveMatcher.compares(value(path, values), .equal, $0, options) }
    case .match(let path, let match, .value(let constant), let options):
      return NaiveMatcher.looks(value(path, values), match, constant, options)
    case .match(let path, let match, .expression(let other), let options):
      return NaiveMatcher.looks(value(path, values), match, value(other, values), options)
    // The random trees have no list or map constants; see CollectionConstantTests and
    // MixedCollectionTests.
    case .compare(_, _, .collection, _), .match(_, _, .collection, _): return false
    case .relation(let path, .within, .shape(let shape)):
      guard case .point(let place) = value(path, values) else { return false }
      return NaiveMatcher.region(shape)
        .contains(longitude: place.longitude, latitude: place.latitude)
    // The random trees have no other spatial conditions; see SpatialQueryTests.
    case .relation, .distance: return false
    }
  }

  static func region(_ shape: Shape) -> Region {
    switch shape {
    case .circle(let circle): Region(circle)
    case .box(let box): Region(box)
    case .polygon(let polygon): polygon.region
    case .geometry: shape.region
    }
  }

  /// A null equals only null, NaN equals nothing, and neither has an order. `<= nil` and `>= nil`
  /// mean `== nil`.
  static func compares(
    _ a: Value, _ comparison: ComparisonOperator, _ b: Value, _ options: StringOptions
  ) -> Bool {
    if case .string(let text) = a, case .string(let other) = b, !options.isEmpty {
      let equal = fits(text, .equals, other, options)
      return comparison == .equal ? equal : !equal
    }
    switch comparison {
    case .equal: return a.equals(b)
    case .notEqual: return !a.equals(b)
    case .less: return a.order(to: b) == .less
    case .greater: return a.order(to: b) == .greater
    case .lessOrEqual:
      if b.isNull { return a.isNull }
      return a.order(to: b).map { $0 != .greater } ?? false
    case .greaterOrEqual:
      if b.isNull { return a.isNull }
      return a.order(to: b).map { $0 != .less } ?? false
    }
  }

  private struct Pattern: Hashable {
    let text: [UInt8]
    let options: StringOptions
  }

  private static let expressions = Mutex<[Pattern: RegularExpression?]>([:])

  /// A regular expression, made once for many rows; nil if it is not valid.
  private static func expression(_ text: String, _ options: StringOptions) -> RegularExpression? {
    let pattern = Pattern(text: Array(text.utf8), options: options)
    return expressions.withLock { known in
      if let expression = known[pattern] { return expression }
      if known.count > 500 { known.removeAll() }
      let expression = try? RegularExpression(text, options: options)
      known.updateValue(expression, forKey: pattern)
      return expression
    }
  }

  static func looks(
    _ a: Value, _ match: MatchOperator, _ b: Value, _ options: StringOptions
  ) -> Bool {
    switch (a, b) {
    case (.null, .null): return match == .like
    case (.string(let text), .string(let other)):
      if match == .like { return fits(text, .like, other, options) }
      if match == .search {
        return Array(text.utf8).withUnsafeBytes { TextSearch(other)?.matches($0) ?? false }
      }
      if match == .matches {
        let expression = expression(other, options)
        return Array(text.utf8).withUnsafeBytes { expression?.matches($0) ?? false }
      }
      if other.isEmpty { return false }
      if options.isEmpty { return contains(Array(text.utf8), match, Array(other.utf8)) }
      return TextMatcher.Operation(match).map { fits(text, $0, other, options) } ?? false
    case (.data(let bytes), .data(let other)):
      return !other.isEmpty && contains(bytes, match, other)
    default: return false
    }
  }

  /// Matches text. Folding and wildcards have their own tests and are trusted here.
  private static func fits(
    _ text: String, _ operation: TextMatcher.Operation, _ other: String, _ options: StringOptions
  ) -> Bool {
    Array(text.utf8).withUnsafeBytes {
      TextMatcher(operation, operand: other, options: options).matches($0)
    }
  }

  private static func contains(_ bytes: [UInt8], _ match: MatchOperator, _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    switch match {
    case .beginsWith: return Array(bytes.prefix(part.count)) == part
    case .endsWith: return Array(bytes.suffix(part.count)) == part
    default:
      return (0...bytes.count - part.count).contains {
        Array(bytes[$0..<$0 + part.count]) == part
      }
    }
  }
}
