import CairnStorage
import CairnValues

/// Conditions on a whole collection: its element count, and the count of elements that meet a
/// condition.
extension Binder {
  /// Resolves the path to the collection that an operator applies to: the last collection on the
  /// path. Without a quantifier it must be the only one.
  func collection(
    _ path: PropertyPath, operation: String, side: ConditionSide
  ) throws(PredicateError) -> ResolvedPath {
    let resolvedPath = try resolve(path.components, side: side)
    guard let last = resolvedPath.collectionSteps.last else {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message: "'\(operation)' needs a collection; \(resolvedPath.described) is not one.")
    }
    guard path.quantifier == .one else {
      guard resolvedPath.collectionSteps.count > 1 else {
        let isSubquery = operation == "SUBQUERY"
        throw needlessQuantifier(
          isSubquery ? "SUBQUERY(…).@count" : "\(path.with(.one)).\(operation)", side: side)
      }
      return resolvedPath
    }
    if let first = resolvedPath.collectionSteps.first, first.index < last.index {
      let whole = operation == "SUBQUERY" ? operation : "\(path).\(operation)"
      throw error(
        side, step: first.step, kind: .unsupported,
        message: missingQuantifier(resolvedPath, at: first.index, whole: whole))
    }
    return resolvedPath
  }

  mutating func count(
    _ path: PropertyPath, condition: PredicateNode?, side: ConditionSide
  ) throws(PredicateError) -> ResolvedExpression {
    if condition == nil, let length = try length(path, side: side) { return length }
    let resolvedPath = try collection(
      path, operation: condition == nil ? "@count" : "SUBQUERY", side: side)
    guard resolvedPath.isCollection else {
      throw error(
        side, step: nil, kind: .unsupported,
        message:
          "'\(condition == nil ? "@count" : "SUBQUERY")' applies to the collection itself, "
          + "not to properties below it: '\(collectionName(resolvedPath))'."
      )
    }
    // A map has as many keys as values.
    let counted =
      resolvedPath.components.last == .allKeys
      ? try resolve(Array(resolvedPath.components.dropLast()), side: side) : resolvedPath
    var inner: BoundNode?
    if let condition { inner = try subquery(condition, resolvedPath: resolvedPath, side: side) }
    if case .constant(true)? = inner { inner = nil }
    return ResolvedExpression(
      expression: .count(counted.bound(path.quantifier), where: inner), type: .int, table: nil,
      canBeNull: false, name: PropertyName.text(of: counted.components) + ".@count")
  }

  /// The length of a text or of data, as in `name.@count`; nil if the path ends at anything else.
  private func length(
    _ path: PropertyPath, side: ConditionSide
  ) throws(PredicateError) -> ResolvedExpression? {
    let resolvedPath = try resolve(path.components, side: side)
    guard resolvedPath.type == .string || resolvedPath.type == .data, !resolvedPath.isCollection
    else { return nil }
    let bound = resolvedPath.bound(try quantifier(of: path, resolvedPath, side: side))
    return ResolvedExpression(
      expression: .length(bound), type: .int, table: nil, canBeNull: true,
      name: PropertyName.shown(resolvedPath.components) + ".@count")
  }

  /// Binds the condition of a subquery to the class of the elements.
  private mutating func subquery(
    _ condition: PredicateNode, resolvedPath: ResolvedPath, side: ConditionSide
  ) throws(PredicateError) -> BoundNode {
    guard let table = resolvedPath.endTable else {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message: "SUBQUERY needs a collection of objects; "
          + "the elements of \(resolvedPath.described) are not objects.")
    }
    let (outer, outerPosition) = (schema, position)
    schema = table
    let bound = try bind(condition)
    (schema, position) = (outer, outerPosition)
    return bound
  }

  func collectionName(_ resolvedPath: ResolvedPath) -> String {
    PropertyName.text(of: collectionComponents(resolvedPath))
  }

  /// The steps up to the last collection. `@allKeys` is dropped, because a map has as many keys as
  /// values.
  private func collectionComponents(_ resolvedPath: ResolvedPath) -> [PropertyPath.Component] {
    let end = resolvedPath.collectionSteps.last?.index ?? resolvedPath.components.count - 1
    let components = resolvedPath.components[...end]
    return Array(components.last == .allKeys ? components.dropLast() : components)
  }
}

extension Binder {
  func aggregate(
    _ function: AggregateFunction, path: PropertyPath, below: PropertyPath?,
    side: ConditionSide
  ) throws(PredicateError) -> ResolvedExpression {
    let resolvedPath = try collection(path, operation: "@\(function.rawValue)", side: side)
    let end = try self.resolve(path.components + (below?.components ?? []), side: side)
    if end.collectionSteps.count > resolvedPath.collectionSteps.count,
      let collectionStep = end.collectionSteps.last
    {
      let second = PropertyName.text(of: Array(end.components[...collectionStep.index]))
      throw error(
        side, step: collectionStep.step, kind: .unsupported,
        message:
          "'@\(function.rawValue)' applies to one collection; '\(second)' is a second one."
      )
    }
    if end.endTable != nil {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message:
          "'@\(function.rawValue)' needs a property of the objects, "
          + "as in \(collectionName(end)).@\(function.rawValue).\(sample(end))."
      )
    }
    let index = end.collectionSteps.last?.index ?? 0
    let rest = Array(end.components[(index + 1)...])
    let collection = Array(end.components[...index])
    return ResolvedExpression(
      expression: .aggregate(function, end.bound(path.quantifier), depth: collection.count),
      type: try type(of: function, end, side: side), table: nil, canBeNull: function != .sum,
      name: PropertyName.text(of: collection) + ".@\(function.rawValue)"
        + PropertyName.text(of: rest, isBehind: true))
  }

  /// The name of a numeric property of the element class, used as the example in a message.
  private func sample(_ end: ResolvedPath) -> String {
    guard let table = end.endTable else { return "property" }
    let columns = classes.propertyNames(of: table).compactMap {
      classes.property(named: $0, of: table)
    }
    return columns.first { $0.collection == .none && $0.type.isNumeric }?.name ?? "property"
  }

  private func type(
    of function: AggregateFunction, _ end: ResolvedPath, side: ConditionSide
  ) throws(PredicateError) -> ValueType {
    if end.type == .date {
      if function == .min || function == .max { return .date }
      throw error(
        side, step: nil, kind: .typeMismatch,
        message: "Cannot sum or average date properties; '\(end.property)' has @min and @max.")
    }
    guard end.type.isNumeric || end.type == .mixed else {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message:
          "Operation '\(function.rawValue)' not supported for \(end.type.name) property "
          + "'\(end.property)'."
      )
    }
    switch (function, end.type) {
    case (.min, _), (.max, _): return end.type
    case (_, .decimal128), (_, .mixed): return .decimal128
    case (.sum, .int): return .int
    default: return .double
    }
  }
}
