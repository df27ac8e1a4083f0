import CairnGeometry
import CairnValues

/// A condition that is bound to a class: its paths are resolved, and each constant is comparable with
/// the values at the end of its path.
///
/// ``PredicateNode`` documents the results for null and NaN.
package indirect enum BoundNode: Sendable {
  case constant(Bool)
  /// All of the conditions: two or more, none of them an `and` or a constant.
  case and([BoundNode])
  /// Any of the conditions: two or more, none of them an `or` or a constant.
  case or([BoundNode])
  case not(BoundNode)
  /// A condition on the values of an expression.
  case values(BoundExpression, ValueCondition)
  /// A condition on two expressions of one row. The right one has a single value.
  case pair(BoundExpression, PairCondition, BoundExpression)
  /// Whether a mixed value is, or is not, equal to a list or a map.
  case collection(BoundPath, CollectionConstant, isEqual: Bool)
  /// A condition on a location or a geometry and a shape that is not empty.
  case spatial(BoundPath, SpatialCondition, Shape)
  /// A condition on two locations or geometries of one row. The right one is a single value.
  case spatialPair(BoundPath, SpatialCondition, BoundPath, edges: GeoPolygon.Edges)
}

/// A condition on each value of an expression, with constants.
package enum ValueCondition: Hashable, Sendable {
  case compare(ComparisonOperator, Value, StringOptions)
  /// Both ends are included.
  case between(Value, Value)
  case isIn([Value], StringOptions)
  /// The constant is a text, or data for an operator without patterns.
  case match(MatchOperator, Value, StringOptions)
}

/// A condition on two values of one row.
package enum PairCondition: Hashable, Sendable {
  case compare(ComparisonOperator, StringOptions)
  case match(MatchOperator, StringOptions)
}

/// A condition on two locations or geometries.
package enum SpatialCondition: Hashable, Sendable {
  case relation(SpatialRelation)
  /// The distance on the sphere is compared by an order.
  case distance(ComparisonOperator, Distance)
}

extension SpatialCondition {
  /// Whether both sides have planar edges, whatever their kind of edges.
  var isPlanar: Bool { if case .relation(let relation) = self { relation.isPlanar } else { false } }
}

/// The expression that a bound condition compares.
package indirect enum BoundExpression: Sendable {
  case path(BoundPath)
  /// The length of the text or the data at the end of a path.
  case length(BoundPath)
  /// The number of elements of the collection at the end of a path, or of those that meet a condition.
  case count(BoundPath, where: BoundNode?)
  /// An aggregate of the values of a path that passes through a collection.
  ///
  /// - `depth`: The number of steps to the last collection; the others lead from its elements to the
  ///   values.
  case aggregate(AggregateFunction, BoundPath, depth: Int)

  /// The path to the values, or to the collection that is counted.
  package var path: BoundPath {
    switch self {
    case .path(let path), .length(let path), .count(let path, _), .aggregate(_, let path, _): path
    }
  }

  /// The expression with another quantifier on its path.
  func with(_ quantifier: PropertyPath.Quantifier) -> BoundExpression {
    switch self {
    case .path(let path): .path(path.with(quantifier))
    case .length(let path): .length(path.with(quantifier))
    case .count(let path, let condition): .count(path.with(quantifier), where: condition)
    case .aggregate(let function, let path, let depth):
      .aggregate(function, path.with(quantifier), depth: depth)
    }
  }
}

extension BoundNode {
  /// The conjunction of bound conditions, without constant parts.
  static func all(_ parts: [BoundNode]) -> BoundNode {
    var flat: [BoundNode] = []
    for part in parts {
      switch part {
      case .constant(true): break
      case .constant(false): return .constant(false)
      case .and(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
  }

  /// The disjunction of bound conditions, without constant parts.
  static func any(_ parts: [BoundNode]) -> BoundNode {
    var flat: [BoundNode] = []
    for part in parts {
      switch part {
      case .constant(false): break
      case .constant(true): return .constant(true)
      case .or(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
  }
}

// MARK: The condition as it is written

extension BoundNode: CustomStringConvertible {
  /// The condition in the predicate language.
  package var description: String { PredicatePrinter.text(of: written) }
}

extension BoundNode {
  /// The condition as a predicate tree, which binds to the same condition.
  package var written: PredicateNode {
    switch self {
    case .constant(let value): .constant(value)
    case .and(let parts): .and(parts.map(\.written))
    case .or(let parts): .or(parts.map(\.written))
    case .not(let part): .not(part.written)
    case .values(let expression, let condition): condition.written(on: expression.written)
    case .pair(let left, .compare(let comparison, let options), let right):
      .compare(left.written, comparison, .expression(right.written), options)
    case .pair(let left, .match(let match, let options), let right):
      .match(left.written, match, .expression(right.written), options)
    case .collection(let path, let constant, let isEqual):
      .compare(.path(path.written), isEqual ? .equal : .notEqual, .collection(constant), [])
    case .spatial(let path, let condition, let shape):
      condition.written(on: path.written, .shape(shape))
    case .spatialPair(let path, let condition, let other, let edges):
      condition.written(on: path.written, .property(other.written, edges: edges))
    }
  }
}

extension ValueCondition {
  fileprivate func written(on expression: Expression) -> PredicateNode {
    switch self {
    case .compare(let comparison, let value, let options):
      .compare(expression, comparison, .value(value), options)
    case .between(let low, let high): .between(expression, low, high)
    case .isIn(let values, let options): .isIn(expression, values, options)
    case .match(let match, let value, let options):
      .match(expression, match, .value(value), options)
    }
  }
}

extension SpatialCondition {
  fileprivate func written(on path: PropertyPath, _ operand: SpatialOperand) -> PredicateNode {
    switch self {
    case .relation(let relation): .relation(path, relation, operand)
    case .distance(let comparison, let distance): .distance(path, comparison, operand, distance)
    }
  }
}

extension BoundExpression {
  /// The expression as a part of a predicate tree.
  var written: Expression {
    switch self {
    case .path(let path): return .path(path.written)
    case .length(let path): return .count(path.written, where: nil)
    case .count(let path, let condition): return .count(path.written, where: condition?.written)
    case .aggregate(let function, let path, let depth):
      let (collection, below) = path.split(at: depth)
      return .aggregate(
        function, PropertyPath(path.quantifier, components: collection),
        of: below.isEmpty ? nil : PropertyPath(below))
    }
  }
}

extension BoundPath {
  /// The first steps and the others.
  func split(
    at depth: Int
  ) -> (first: [PropertyPath.Component], rest: [PropertyPath.Component]) {
    (Array(components.prefix(depth)), Array(components.dropFirst(depth)))
  }
}
