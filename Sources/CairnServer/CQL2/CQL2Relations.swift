import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

// MARK: Spatial functions

extension CQL2Compiler {
  /// The relation of the predicate language for each function, such as `s_touches`. As there, a point
  /// on the boundary of a shape is within it.
  static let spatial = Dictionary(
    uniqueKeysWithValues: SpatialRelation.allCases.map { ("s_\($0.name)", $0) })

  /// The functions with a distance.
  static let distances: [String: ComparisonOperator] = [
    "s_dwithin": .lessOrEqual, "s_beyond": .greater,
  ]

  /// The condition for a spatial function; nil for another name.
  func spatial(
    _ name: String, _ arguments: [CQL2Term], term: CQL2Term, isNegated: Bool
  ) throws(PredicateError) -> PredicateNode? {
    if let relation = Self.spatial[name] {
      try require(arguments, count: 2, of: term)
      let sides = try sides(arguments)
      let node = PredicateNode.relation(
        sides.property.path, sides.isSwapped ? relation.inverse : relation, sides.other)
      return leaf(node, of: sides.properties, isNegated: isNegated)
    }
    guard let comparison = Self.distances[name] else { return nil }
    let sides = try sides(arguments.count < 3 ? arguments : Array(arguments[..<2]))
    let node = PredicateNode.distance(
      sides.property.path, comparison, sides.other, try distance(arguments, term: term))
    return leaf(node, of: sides.properties, isNegated: isNegated)
  }

  /// The two sides of a relation: a property, and what it is compared with.
  private struct Sides {
    let property: CQL2Property
    let other: SpatialOperand
    var isSwapped = false
    let properties: [CQL2Property]
  }

  private func sides(_ arguments: [CQL2Term]) throws(PredicateError) -> Sides {
    guard arguments.count == 2 else {
      throw error(
        "expected 2 geometries", at: arguments.first?.offset ?? 0, kind: .argument)
    }
    switch (arguments[0].content, arguments[1].content) {
    case (.property(let name), .shape(let shape)):
      let property = try spatialProperty(name, at: arguments[0].offset)
      return Sides(property: property, other: .shape(shape), properties: [property])
    case (.shape(let shape), .property(let name)):
      let property = try spatialProperty(name, at: arguments[1].offset)
      return Sides(
        property: property, other: .shape(shape), isSwapped: true, properties: [property])
    case (.property(let name), .property(let otherName)):
      let property = try spatialProperty(name, at: arguments[0].offset)
      let other = try spatialProperty(otherName, at: arguments[1].offset)
      return Sides(
        property: property, other: .property(other.path, edges: .planar),
        properties: [property, other])
    case (.property, _), (.shape, _):
      throw error("expected a property or a geometry", at: arguments[1].offset)
    default: throw error("expected a property or a geometry", at: arguments[0].offset)
    }
  }

  private func spatialProperty(
    _ name: String, at offset: Int
  ) throws(PredicateError) -> CQL2Property {
    let property = try property(name, at: offset)
    guard property.column.isSpatial else {
      throw error("'\(name)' is a \(property.column.typeName), not a geometry", at: offset)
    }
    return property
  }

  /// The third and the fourth argument: a number and its unit, metres if it is missing.
  private func distance(
    _ arguments: [CQL2Term], term: CQL2Term
  ) throws(PredicateError) -> Distance {
    guard arguments.count == 3 || arguments.count == 4 else {
      throw error(
        "expected two geometries, a number and a unit", at: term.offset, kind: .argument)
    }
    guard case .value(let value) = try operand(arguments[2]).content,
      let number = value.plainNumber
    else { throw error("expected a number", at: arguments[2].offset) }
    var unit = DistanceUnit.meters
    if arguments.count == 4 {
      guard case .text(let name) = arguments[3].content, let known = Self.unit(name) else {
        throw error(
          "expected one of the units \(DistanceUnit.names.joined(separator: ", "))",
          at: arguments[3].offset)
      }
      unit = known
    }
    guard let distance = unit.distance(number), distance.radians.isFinite else {
      throw error("a distance must not be negative", at: arguments[2].offset)
    }
    return distance
  }

  private static func unit(_ name: String) -> DistanceUnit? {
    DistanceUnit(name) ?? DistanceUnit.meant(by: name)
  }
}

extension Value {
  /// The value as a double; nil if it is not an int or a double.
  fileprivate var plainNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

// MARK: Temporal functions

extension CQL2Compiler {
  /// An end of one of the two intervals of a temporal function.
  enum End {
    case firstStart
    case firstEnd
    case secondStart
    case secondEnd
  }

  /// A comparison of two ends.
  struct EndRelation {
    let left: End
    let comparison: ComparisonOperator
    let right: End
    /// Whether the relation is the alternative to the ones before it, instead of joining them.
    var isAlternative = false
  }

  private static func relation(
    _ left: End, _ comparison: ComparisonOperator, _ right: End
  ) -> EndRelation {
    EndRelation(left: left, comparison: comparison, right: right)
  }

  /// The functions as comparisons of ends, which must all hold. An instant is an interval whose ends
  /// are equal.
  static let temporal: [String: [EndRelation]] = [
    "t_after": [relation(.firstStart, .greater, .secondEnd)],
    "t_before": [relation(.firstEnd, .less, .secondStart)],
    "t_contains": [
      relation(.firstStart, .less, .secondStart), relation(.firstEnd, .greater, .secondEnd),
    ],
    "t_disjoint": [
      relation(.firstStart, .greater, .secondEnd),
      EndRelation(
        left: .firstEnd, comparison: .less, right: .secondStart, isAlternative: true),
    ],
    "t_during": [
      relation(.firstStart, .greater, .secondStart), relation(.firstEnd, .less, .secondEnd),
    ],
    "t_equals": [
      relation(.firstStart, .equal, .secondStart), relation(.firstEnd, .equal, .secondEnd),
    ],
    "t_finishedby": [
      relation(.firstStart, .less, .secondStart), relation(.firstEnd, .equal, .secondEnd),
    ],
    "t_finishes": [
      relation(.firstStart, .greater, .secondStart), relation(.firstEnd, .equal, .secondEnd),
    ],
    "t_intersects": [
      relation(.firstStart, .lessOrEqual, .secondEnd),
      relation(.firstEnd, .greaterOrEqual, .secondStart),
    ],
    "t_meets": [relation(.firstEnd, .equal, .secondStart)],
    "t_metby": [relation(.firstStart, .equal, .secondEnd)],
    "t_overlappedby": [
      relation(.firstStart, .greater, .secondStart), relation(.firstStart, .less, .secondEnd),
      relation(.firstEnd, .greater, .secondEnd),
    ],
    "t_overlaps": [
      relation(.firstStart, .less, .secondStart), relation(.firstEnd, .greater, .secondStart),
      relation(.firstEnd, .less, .secondEnd),
    ],
    "t_startedby": [
      relation(.firstStart, .equal, .secondStart), relation(.firstEnd, .greater, .secondEnd),
    ],
    "t_starts": [
      relation(.firstStart, .equal, .secondStart), relation(.firstEnd, .less, .secondEnd),
    ],
  ]

  /// The condition for a temporal function.
  func temporal(
    _ relations: [EndRelation], _ arguments: [CQL2Term], isNegated: Bool
  ) throws(PredicateError) -> PredicateNode {
    let (first, second) = (try ends(arguments[0]), try ends(arguments[1]))
    func term(_ end: End) -> CQL2Term {
      switch end {
      case .firstStart: first.start
      case .firstEnd: first.end
      case .secondStart: second.start
      case .secondEnd: second.end
      }
    }
    let operations = relations.map { relation in
      CQL2Term(
        content: .operation(
          relation.comparison == .equal ? "=" : relation.comparison.rawValue,
          [term(relation.left), term(relation.right)]),
        offset: arguments[0].offset)
    }
    let isAlternative = relations.contains(where: \.isAlternative)
    let whole = CQL2Term(
      content: .operation(isAlternative ? "or" : "and", operations),
      offset: arguments[0].offset)
    return try condition(whole, isNegated: isNegated)
  }

  /// The ends of an instant or an interval; an open end is infinitely far.
  private func ends(_ term: CQL2Term) throws(PredicateError) -> (start: CQL2Term, end: CQL2Term) {
    func infinite(_ seconds: Double) -> CQL2Term {
      CQL2Term(content: .instant(seconds), offset: term.offset)
    }
    switch term.content {
    case .instant: return (term, term)
    case .interval(let start, let end):
      for case .property(let name)? in [start?.content, end?.content] {
        try requireDate(name, at: term.offset)
      }
      return (start ?? infinite(-.infinity), end ?? infinite(.infinity))
    case .property(let name):
      try requireDate(name, at: term.offset)
      return (term, term)
    default: throw error("expected a date, a time or an interval", at: term.offset)
    }
  }

  private func requireDate(_ name: String, at offset: Int) throws(PredicateError) {
    let property = try property(name, at: offset)
    guard property.column.type == .date, property.column.collection == .none else {
      throw error("'\(name)' is a \(property.column.typeName), not a date", at: offset)
    }
  }
}
