import CairnGeometry
import CairnValues

// MARK: Relations

extension Parser {
  /// Reads `[planar]` or `[geodesic]` behind the operator of a relation.
  mutating func readEdges(
    of relation: SpatialRelation
  ) throws(PredicateError) -> GeoPolygon.Edges? {
    guard token.is(.openBracket) else { return relation.isPlanar ? .planar : nil }
    let position = token.range.lowerBound
    let edges = try readEdges()
    guard edges == .planar || !relation.isPlanar else {
      throw error(
        "\(relation.rawValue) compares in the plane of longitude and latitude; leave [geodesic] out.",
        kind: .unsupported, at: position)
    }
    return edges
  }

  /// Assembles `area GEOINTERSECTS shape`. The left side of the node is a property, so the sides of
  /// some conditions are swapped.
  mutating func relation(
    _ condition: inout Condition, relation: SpatialRelation
  ) throws(PredicateError) -> PredicateNode {
    var relation = relation
    if condition.right.isQuantified || condition.left.shape != nil {
      swap(&condition.left, &condition.right)
      positions[condition.number] = positions[condition.number].mirrored
      relation = relation.inverse
    }
    guard case .expression(let expression) = condition.left.content else {
      throw leftError(condition)
    }
    guard case .path(let path) = expression else {
      throw error(
        "\(relation.rawValue) needs a location or a geometry on its left.",
        at: condition.left.position.start)
    }
    guard condition.options.isEmpty else {
      throw operandError(condition, message: "\(relation.rawValue) takes no options.")
    }
    return .relation(path, relation, try operand(condition, relation: relation))
  }

  private func operand(
    _ condition: Condition, relation: SpatialRelation
  ) throws(PredicateError) -> SpatialOperand {
    if case .expression(.path(let path)) = condition.right.content {
      return .property(path, edges: condition.edges ?? .geodesic)
    }
    guard let shape = condition.right.shape else {
      throw operandError(
        condition,
        message: "\(relation.rawValue) takes a shape, such as geoCircle, geoBox, geoPolygon or "
          + "geometry('…'), or a property.")
    }
    guard condition.edges == nil || relation.isPlanar else {
      throw operandError(
        condition,
        message: "A shape says itself what joins its vertices, as in geoPolygon[planar](…); "
          + "\(relation.rawValue)[planar] goes with two properties.")
    }
    return .shape(shape)
  }
}

extension Side {
  /// The side as a constant shape. The vertices of a geometry without a kind of edges are joined by
  /// shortest paths on the sphere.
  var shape: Shape? {
    switch content {
    case .shape(let shape): shape
    case .value(.point(let position)): .point(position)
    case .value(.geometry(let bytes)): .geometry(Geometry(packed: bytes), edges: .geodesic)
    default: nil
    }
  }
}

// MARK: Distances

extension Parser {
  /// Reads `GEODISTANCE(area, geoPoint([8, 50]))`.
  mutating func readDistance() throws(PredicateError) -> Side {
    let position = PredicateSource.SidePosition(start: token.range.lowerBound)
    try advance()
    try require(.open, context: "behind GEODISTANCE")
    let first = try readSide("a property or a shape")
    try require(.comma, context: "between the two sides of GEODISTANCE")
    let second = try readSide("a property or a shape")
    try require(.close, context: "behind the two sides of GEODISTANCE")
    return Side(.distance(first, second), position: position)
  }

  /// Reads the operator and the length behind `GEODISTANCE(…)`.
  mutating func readDistanceCondition(
    _ first: Side, second: Side, number: Int
  ) throws(PredicateError) -> PredicateNode {
    let operation = try readDistanceOperator()
    let distance = try readLength(.distance)
    let isSwapped = second.isQuantified || first.shape != nil
    if isSwapped && (first.isQuantified || second.shape != nil) {
      throw error(
        "GEODISTANCE needs a property, and only one side may have ANY, ALL or NONE.",
        at: second.position.start)
    }
    let (left, right) = isSwapped ? (second, first) : (first, second)
    positions[number] = PredicateSource.ConditionPosition(
      left: left.position, right: right.position)
    guard case .expression(.path(let path)) = left.content else {
      throw error(
        "GEODISTANCE measures between a property and a shape or another property.",
        at: left.position.start)
    }
    let operand: SpatialOperand
    if case .expression(.path(let other)) = right.content {
      operand = .property(other, edges: .geodesic)
    } else if let shape = right.shape {
      operand = .shape(shape)
    } else {
      throw error(
        "GEODISTANCE measures between a property and a shape or another property.",
        at: right.position.start)
    }
    let node = PredicateNode.distance(path, operation, operand, distance)
    return left.isNegated || right.isNegated ? .not(node) : node
  }

  private mutating func readDistanceOperator() throws(PredicateError) -> ComparisonOperator {
    let position = token.range.lowerBound
    guard case .sign(let sign) = token.kind, let operation = ComparisonOperator(sign) else {
      if token.keyword == .between {
        throw error(
          "A distance is compared by < <= > or >=; "
            + "join two conditions with AND for a range of distances.",
          kind: .unsupported)
      }
      throw unexpected("< <= > or >= behind GEODISTANCE(…)")
    }
    guard operation.isOrder else {
      throw error(
        "A distance is compared by < <= > or >=; "
          + "shapes at a distance of 0 are found by GEOINTERSECTS.",
        kind: .unsupported, at: position)
    }
    try advance()
    return operation
  }
}
