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
        message: "'\(operation)' needs a collection; \(describe(resolvedPath)) is not one.")
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
    let bound = PropertyPath(path.quantifier, components: collectionComponents(resolvedPath))
    var inner: PredicateNode?
    if let condition { inner = try subquery(condition, resolvedPath: resolvedPath, side: side) }
    let name = PropertyName.text(of: bound.components) + ".@count"
    return ResolvedExpression(
      expression: .count(bound, where: inner == .constant(true) ? nil : inner), type: .int,
      table: nil,
      canBeNull: false, name: name)
  }

  /// The length of a text or of data, as in `name.@count`; nil if the path ends at anything else.
  private func length(
    _ path: PropertyPath, side: ConditionSide
  ) throws(PredicateError) -> ResolvedExpression? {
    let resolvedPath = try resolve(path.components, side: side)
    guard case .value(let type) = resolvedPath.end, type == .string || type == .data,
      !resolvedPath.isCollection
    else { return nil }
    let bound = PropertyPath(
      try quantifier(of: path, resolvedPath, side: side), components: resolvedPath.components)
    return ResolvedExpression(
      expression: .count(bound, where: nil), type: .int, table: nil, canBeNull: true,
      name: PropertyName.shown(resolvedPath.components) + ".@count")
  }

  /// Binds the condition of a subquery to the class of the elements.
  private mutating func subquery(
    _ condition: PredicateNode, resolvedPath: ResolvedPath, side: ConditionSide
  ) throws(PredicateError) -> PredicateNode {
    guard let table = resolvedPath.table else {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message: "SUBQUERY needs a collection of objects; "
          + "the elements of \(describe(resolvedPath)) are not objects.")
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
    if end.table != nil && (end.type == .link || end.type == .embedded) {
      throw error(
        side, step: nil, kind: .typeMismatch,
        message:
          "'@\(function.rawValue)' needs a property of the objects, "
          + "as in \(collectionName(end)).@\(function.rawValue).\(sample(end))."
      )
    }
    let index = end.collectionSteps.last?.index ?? 0
    let rest = Array(end.components[(index + 1)...])
    let collection = PropertyPath(path.quantifier, components: Array(end.components[...index]))
    let expression = Expression.aggregate(
      function, collection, of: rest.isEmpty ? nil : PropertyPath(rest))
    return ResolvedExpression(
      expression: expression, type: try type(of: function, end, side: side), table: nil,
      canBeNull: function != .sum,
      name: PropertyName.text(of: collection.components) + ".@\(function.rawValue)"
        + PropertyName.text(of: rest, isBehind: true))
  }

  /// The name of a numeric property of the element class, used as the example in a message.
  private func sample(_ end: ResolvedPath) -> String {
    guard let table = end.table else { return "property" }
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
