import CairnGeometry
import CairnValues

/// A node of the predicate tree. Every condition is two-valued, so that `not` always inverts it.
///
/// Each case documents its results for null and NaN; for constants, `Value.equals` and
/// `Value.order` define them. If a link on the path is null, the condition is evaluated for null.
/// ``Predicate/bound(to:in:)`` converts constants to the type of their property and removes
/// conditions that cannot hold.
package indirect enum PredicateNode: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  /// All of the conditions: two or more. The parser nests no `and` directly in another.
  case and([PredicateNode])
  /// Any of the conditions: two or more. The parser nests no `or` directly in another.
  case or([PredicateNode])
  /// The negation of a condition.
  case not(PredicateNode)
  /// `age > 5`, `weight > height`. An ordering with null or NaN on either side is false. `== null`
  /// matches nulls; `!= 5` matches everything but 5, including nulls and NaN. Between two
  /// properties, nulls are equal to one another, and so are NaNs.
  case compare(Expression, ComparisonOperator, Operand, StringOptions)
  /// `age BETWEEN {5, 10}`, including both ends.
  case between(Expression, Value, Value)
  /// `age IN {1, 2, nil}`: equal to one of the values. Nothing is in an empty list.
  case isIn(Expression, [Value], StringOptions)
  /// `name BEGINSWITH[c] 'a'` and the like, with a text, data or another property on the right. A
  /// null property matches nothing. An empty or null operand matches nothing, except that `LIKE ''`
  /// and `MATCHES ''` match the empty text, and `LIKE nil` matches null. `MATCHES` takes a constant.
  case match(Expression, MatchOperator, Operand, StringOptions)
  /// `area GEOINTERSECTS shape`, for a point, a geometry or an embedded object that is a location.
  /// Null and the empty geometry have no relation to anything. `ALL` over no values is false here.
  /// Some relations are those of planar edges, whatever the operand says (`SpatialRelation.isPlanar`).
  case relation(PropertyPath, SpatialRelation, SpatialOperand)
  /// `GEODISTANCE(area, shape) < 5km`: the distance on the sphere between the nearest points, with
  /// shortest paths as edges. Null and the empty geometry have no distance, and fail every
  /// comparison. `ALL` over no values is false here. The operator is an order.
  case distance(PropertyPath, ComparisonOperator, SpatialOperand, Distance)
}

/// A comparison operator.
package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The operator with the same meaning when the sides are swapped.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the operator compares an order, not equality.
  package var isOrder: Bool { self != .equal && self != .notEqual }
}

/// The string operators.
package enum MatchOperator: String, Hashable, Sendable, CaseIterable {
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  /// `*` matches any run of characters, `?` one code point. The pattern must match the whole text.
  case like = "LIKE"
  /// A regular expression, which must match the whole text.
  case matches = "MATCHES"
  /// A full-text search: every word of the operand, in any order. `-word` excludes a word, `word*` is
  /// a prefix, and `"a phrase"` matches these words in this order. Case and diacritics do not count.
  case search = "TEXT"

  /// Whether the operator takes a pattern, in which an empty text has a meaning.
  package var takesPattern: Bool { self == .like || self == .matches }

  /// Whether the operator reads a text of its own kind, so that data and other properties are not
  /// operands.
  package var takesConstantText: Bool { self == .matches || self == .search }
}

extension PredicateNode {
  /// The conjunction of the conditions. An `and` among them is flattened.
  package static func all(_ parts: [PredicateNode]) -> PredicateNode {
    if parts.count == 1 { return parts[0] }
    let flat = parts.flatMap { part in
      if case .and(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
  }

  /// The disjunction of the conditions. An `or` among them is flattened.
  package static func any(_ parts: [PredicateNode]) -> PredicateNode {
    if parts.count == 1 { return parts[0] }
    let flat = parts.flatMap { part in
      if case .or(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
  }

  /// The condition that a location lies in one of some boxes, or that a geometry reaches into one.
  package static func boxes(
    _ boxes: [GeoBox], on path: PropertyPath, isGeometry: Bool
  ) -> PredicateNode {
    let relation: SpatialRelation = isGeometry ? .intersects : .within
    return .any(boxes.map { .relation(path, relation, .shape(.box($0))) })
  }
}

extension Predicate {
  /// The conjunction of the predicates.
  package static func all(_ parts: [Predicate]) -> Predicate {
    parts.count == 1 ? parts[0] : Predicate(PredicateNode.all(parts.map(\.root)))
  }
}

/// The expression that a condition compares: a property, or a number computed from a collection.
package indirect enum Expression: Hashable, Sendable {
  /// `name`, `ANY dogs.age`.
  case path(PropertyPath)
  /// `dogs.@avg.age`, `scores.@max`: an aggregate of the elements of a collection, or of the values
  /// below each of them.
  ///
  /// Nulls and NaN are left out. Without values the sum is 0 and the others are null. In a bound
  /// predicate the path ends at the collection and `of` begins below it, wherever the text has the
  /// operator.
  case aggregate(AggregateFunction, PropertyPath, of: PropertyPath?)
  /// `dogs.@count`, or the length of a text or of data: `name.@count`. With a condition it is
  /// `SUBQUERY(dogs, $x, $x.age > 5).@count`, whose paths begin at an element.
  case count(PropertyPath, where: PredicateNode?)

  /// The property of that name on the object itself.
  package static func property(_ name: String) -> Expression { .path(PropertyPath(name)) }
}

extension Expression {
  /// The expression with another quantifier on its path.
  func with(_ quantifier: PropertyPath.Quantifier) -> Expression {
    switch self {
    case .path(let path): .path(path.with(quantifier))
    case .aggregate(let function, let path, let below):
      .aggregate(function, path.with(quantifier), of: below)
    case .count(let path, let condition): .count(path.with(quantifier), where: condition)
    }
  }

  /// The quantifier of the path.
  package var quantifier: PropertyPath.Quantifier {
    switch self {
    case .path(let path), .aggregate(_, let path, _), .count(let path, _): path.quantifier
    }
  }
}

/// The right side of a comparison.
package enum Operand: Hashable, Sendable {
  /// A constant.
  case value(Value)
  /// Another expression.
  case expression(Expression)
  /// A list or a map, for mixed values: `any == {1, 'x'}`.
  case collection(CollectionConstant)
}

/// The other side of a spatial condition.
package enum SpatialOperand: Hashable, Sendable {
  /// A constant. A shape with vertices says what joins them, and those of the stored geometry.
  case shape(Shape)
  /// Another property, and what joins the vertices of both. A distance ignores the edges; the
  /// parser makes them geodesic.
  case property(PropertyPath, edges: GeoPolygon.Edges)
}

/// The aggregates of a collection. The raw value is the name behind the `@`.
package enum AggregateFunction: String, Hashable, Sendable, CaseIterable {
  case min
  case max
  case sum
  case avg
}
