import CairnGeometry
import CairnStorage
import CairnValues

extension Binder {
  /// Binds `path GEOINTERSECTS operand` and the like.
  func relation(
    _ path: PropertyPath, relation: SpatialRelation, operand: SpatialOperand
  ) throws(PredicateError) -> BoundNode {
    try spatial(path, .relation(relation), operand: operand, operation: relation.rawValue)
  }

  /// Binds `GEODISTANCE(path, operand) < distance` and the like.
  func distance(
    _ path: PropertyPath, comparison: ComparisonOperator, operand: SpatialOperand,
    distance: Distance
  ) throws(PredicateError) -> BoundNode {
    guard comparison.isOrder else {
      throw operandError(
        .unsupported,
        message: "A distance is compared by < <= > or >=, not by '\(comparison.rawValue)'.")
    }
    return try spatial(
      path, .distance(comparison, distance), operand: operand, operation: "GEODISTANCE")
  }

  /// Binds the two sides of a spatial condition.
  private func spatial(
    _ path: PropertyPath, _ condition: SpatialCondition, operand: SpatialOperand, operation: String
  ) throws(PredicateError) -> BoundNode {
    let resolvedPath = try resolve(path.components, side: .left)
    let quantifier = try quantifier(of: path, resolvedPath, side: .left)
    try check(resolvedPath, operation: operation, side: .left)
    let left = resolvedPath.bound(quantifier)
    switch operand {
    case .shape(let written):
      let shape = try compared(written, condition: condition)
      do { try shape.validate() } catch {
        throw operandError(.shape, message: error.sentence)
      }
      // An empty shape has no relation to anything, and no distance from it.
      return shape.isEmpty ? .constant(false) : .spatial(left, condition, shape)
    case .property(let other, let edges):
      let right = try property(other, left: left, operation: operation)
      return .spatialPair(left, condition, right, edges: condition.isPlanar ? .planar : edges)
    }
  }

  /// The shape with the edges that a condition compares.
  private func compared(
    _ shape: Shape, condition: SpatialCondition
  ) throws(PredicateError) -> Shape {
    guard case .relation(let relation) = condition else { return shape }
    do { return try relation.compared(shape) } catch {
      throw operandError(error.kind, message: error.message)
    }
  }

  /// Binds the property on the right side, which must be a single value.
  private func property(
    _ path: PropertyPath, left: BoundPath, operation: String
  ) throws(PredicateError) -> BoundPath {
    let resolvedPath = try resolve(path.components, side: .right)
    guard path.quantifier == .one, resolvedPath.collectionSteps.isEmpty else {
      if left.quantifier != .one || path.quantifier != .one {
        throw operandError(
          .unsupported, message: "Comparing two collection columns is not permitted.")
      }
      _ = try quantifier(of: path, resolvedPath, side: .right)
      throw operandError(
        .unsupported, message: "A property with many values belongs on the left, behind ANY or ALL."
      )
    }
    try check(resolvedPath, operation: operation, side: .right)
    return resolvedPath.bound(.one)
  }

  /// Rejects an end of a path that is neither a location nor a geometry.
  private func check(
    _ resolvedPath: ResolvedPath, operation: String, side: ConditionSide
  ) throws(PredicateError) {
    let message: String
    switch (resolvedPath.type, resolvedPath.endTable) {
    case (.point, _), (.geometry, _), (.lineString, _), (.polygon, _): return
    case (.embedded, let table?) where table.isLocation: return
    case (.embedded, let table?):
      message =
        "Property '\(PropertyName.text(of: resolvedPath.components))' links to data in the wrong "
        + "format for a \(operation == "GEOWITHIN" ? "geoWithin" : operation) query: class "
        + "'\(table.name)' would need a string 'type' and a list of doubles 'coordinates'."
    case (.link, let table?):
      message =
        "A \(operation) query can only operate on a link to an embedded class "
        + "but '\(table.name)' is at the top level."
    default:
      message =
        "\(operation) needs a location or a geometry; \(resolvedPath.described) is not one."
    }
    throw error(side, step: nil, kind: .typeMismatch, message: message)
  }
}

extension SpatialRelation {
  /// A shape with the edges that the relation compares.
  func compared(_ shape: Shape) throws(PredicateError) -> Shape {
    guard isPlanar else { return shape }
    guard let planar = shape.withPlanarEdges else {
      throw PredicateError(
        .unsupported,
        message:
          "\(rawValue) compares in the plane of longitude and latitude, where a circle has no "
          + "outline; use a polygon.")
    }
    guard !shape.crossesAntimeridian else {
      throw PredicateError(
        .shape,
        message:
          "\(rawValue) compares in the plane of longitude and latitude, where no edge crosses "
          + "the antimeridian; cut the shape at longitude 180.")
    }
    return planar
  }
}

extension Shape {
  /// Whether the shape is a geometry without a vertex.
  var isEmpty: Bool {
    if case .geometry(let geometry, _) = self { geometry.isEmpty } else { false }
  }
}
