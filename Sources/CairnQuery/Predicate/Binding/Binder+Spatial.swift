import CairnGeometry
import CairnStorage
import CairnValues

extension Binder {
  /// Binds `path GEOINTERSECTS operand` and the like.
  mutating func relation(
    _ path: PropertyPath, relation: SpatialRelation, operand: SpatialOperand
  ) throws(PredicateError) -> PredicateNode {
    let (left, right) = try sides(path, operand: operand, operation: relation.rawValue)
    return right.isEmpty ? .constant(false) : .relation(left, relation, right)
  }

  /// Binds `GEODISTANCE(path, operand) < distance` and the like.
  mutating func distance(
    _ path: PropertyPath, comparison: ComparisonOperator, operand: SpatialOperand,
    distance: Distance
  ) throws(PredicateError) -> PredicateNode {
    guard comparison.isOrder else {
      throw operandError(
        .unsupported,
        message: "A distance is compared by < <= > or >=, not by '\(comparison.rawValue)'.")
    }
    let (left, right) = try sides(path, operand: operand, operation: "GEODISTANCE")
    return right.isEmpty ? .constant(false) : .distance(left, comparison, right, distance)
  }

  /// Binds the two sides of a spatial condition.
  private mutating func sides(
    _ path: PropertyPath, operand: SpatialOperand, operation: String
  ) throws(PredicateError) -> (PropertyPath, SpatialOperand) {
    let resolvedPath = try resolve(path.components, side: .left)
    let quantifier = try quantifier(of: path, resolvedPath, side: .left)
    try check(resolvedPath, operation: operation, side: .left)
    let left = PropertyPath(quantifier, components: resolvedPath.components)
    switch operand {
    case .shape(let shape):
      do { try shape.validate() } catch {
        throw operandError(.shape, message: error.sentence)
      }
      return (left, operand)
    case .property(let other, let edges):
      return (left, .property(try property(other, left: left, operation: operation), edges: edges))
    }
  }

  /// Binds the property on the right side, which must be a single value.
  private mutating func property(
    _ path: PropertyPath, left: PropertyPath, operation: String
  ) throws(PredicateError) -> PropertyPath {
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
    return PropertyPath(resolvedPath.components)
  }

  /// Rejects an end of a path that is neither a location nor a geometry.
  private func check(
    _ resolvedPath: ResolvedPath, operation: String, side: ConditionSide
  ) throws(PredicateError) {
    let message: String
    switch (resolvedPath.type, resolvedPath.table) {
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
        "\(operation) needs a location or a geometry; \(describe(resolvedPath)) is not one."
    }
    throw error(side, step: nil, kind: .typeMismatch, message: message)
  }
}

extension SpatialOperand {
  /// Whether the operand is a shape without a point, to which nothing has a relation or a distance.
  fileprivate var isEmpty: Bool {
    if case .shape(let shape) = self { shape.isEmpty } else { false }
  }
}

extension Shape {
  /// Whether the shape is a geometry without a vertex.
  var isEmpty: Bool {
    if case .geometry(let geometry, _) = self { geometry.isEmpty } else { false }
  }
}
