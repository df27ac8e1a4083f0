import CairnGeometry
import CairnStorage
import CairnValues

/// A predicate that is bound to a class: queries run it without further checks.
///
/// Only ``Predicate/bound(to:in:)`` creates one, so each predicate is checked and converted once.
package struct BoundPredicate: Hashable, Sendable {
  /// The root of the predicate tree, in the form that ``Predicate/bound(to:in:)`` describes.
  package let root: PredicateNode

  fileprivate init(_ root: PredicateNode) {
    self.root = root
  }

  /// The conjunction of predicates that are bound to the same class.
  package static func all(_ parts: [BoundPredicate]) -> BoundPredicate {
    BoundPredicate(Binder.conjunction(parts.map(\.root)))
  }
}

extension BoundPredicate: CustomStringConvertible {
  /// The condition in the predicate language.
  package var description: String { PredicatePrinter.text(of: root) }
}

extension Predicate {
  /// Binds the predicate to a class: checks it, and converts each constant to the type of its
  /// property.
  ///
  /// In the result every path resolves in the class, and every constant is comparable with the
  /// values at the end of its path. A text that is an ISO date has become a date, a number for a
  /// decimal property a decimal, and 0 or 1 for a flag a flag. Constants for mixed values are
  /// unchanged. An unmanaged object equals nothing. A condition whose constant alone decides it
  /// has become `.constant`: orderings with null or NaN, empty operands of string operators.
  /// `<= nil` and `>= nil` have become `== nil`. A condition on many values such as
  /// `ALL dogs.age > nil` holds only if there are no values; it has become `ALL dogs.age IN {}`.
  ///
  /// - A path with the quantifier `.one` passes through no collection; any other passes through at
  ///   least one. `map['k']`, `any[0]` and `any['k']` are single values. `[*]` and `@allKeys`
  ///   without a quantifier have become `.any`.
  /// - A bare map means its values. `@allValues`, and `[*]` behind a collection, are dropped,
  ///   except for `[*]` in front of a further subscript: `list[*]['k']`.
  /// - The path of an aggregate or count ends at its collection (the last of several, if it has a
  ///   quantifier). The steps between collection and operator have moved into `of`.
  /// - The right side of a condition has no quantifier.
  /// - The sides of a relation or a distance end at a point, at a geometry, or at an embedded object
  ///   in the shape of a GeoJSON point.
  ///
  /// - Throws: ``PredicateError`` with the offset, for an unknown property, a value of the wrong
  ///   type, an operator that the type does not support, a collection without a quantifier, or a
  ///   polygon that breaks a rule.
  package func bound(
    to schema: TableSchema, in classes: @autoclosure () -> StoreSchema
  ) throws(PredicateError) -> BoundPredicate {
    if needsNoChange(for: schema) { return BoundPredicate(root) }
    var binder = Binder(schema: schema, classes: classes(), source: source)
    return BoundPredicate(try binder.bind(root))
  }

  /// Whether a quick check shows that binding would not change the predicate. The check is
  /// worthwhile, because the most frequent query takes only about as long as its binding would.
  private func needsNoChange(for schema: TableSchema) -> Bool {
    switch root {
    case .constant: return true
    case .relation(let path, _, .shape(let shape)):
      guard let name = path.name, let column = schema.column(named: name),
        column.type == .point || column.type.isGeometry, column.collection == .none, !shape.isEmpty
      else { return false }
      do { try shape.validate() } catch { return false }
      return true
    default: return false
    }
  }

  /// Binds the predicate to a class that is the only one in its schema: its links can lead only to
  /// itself.
  package func bound(to schema: TableSchema) throws(PredicateError) -> BoundPredicate {
    try bound(to: schema, in: StoreSchema(tables: [schema]))
  }
}

/// Walks a predicate and binds each condition to a class.
struct Binder {
  /// The class that paths begin at. Inside a subquery it is the class of the elements.
  var schema: TableSchema
  let classes: StoreSchema
  let source: PredicateSource?
  /// The number of conditions passed, which is the index of the next condition's offsets.
  private var passed = 0
  var position: PredicateSource.ConditionPosition?

  init(schema: TableSchema, classes: StoreSchema, source: PredicateSource?) {
    self.schema = schema
    self.classes = classes
    self.source = source
  }

  mutating func bind(_ node: PredicateNode) throws(PredicateError) -> PredicateNode {
    switch node {
    case .constant: return node
    case .not(let part):
      let bound = try bind(part)
      if case .constant(let value) = bound { return .constant(!value) }
      return .not(bound)
    case .and(let parts): return try bindAll(parts)
    case .or(let parts): return try bindAny(parts)
    default:
      position = source.flatMap { $0.positions.indices ~= passed ? $0.positions[passed] : nil }
      passed += 1
      return try bindCondition(node)
    }
  }

  private mutating func bindAll(_ parts: [PredicateNode]) throws(PredicateError) -> PredicateNode {
    var bound: [PredicateNode] = []
    for part in parts { bound.append(try bind(part)) }
    return Self.conjunction(bound)
  }

  /// The conjunction of bound conditions, without constant parts.
  fileprivate static func conjunction(_ bound: [PredicateNode]) -> PredicateNode {
    if bound.contains(.constant(false)) { return .constant(false) }
    return .all(bound.filter { $0 != .constant(true) })
  }

  private mutating func bindAny(_ parts: [PredicateNode]) throws(PredicateError) -> PredicateNode {
    var bound: [PredicateNode] = []
    for part in parts { bound.append(try bind(part)) }
    if bound.contains(.constant(true)) { return .constant(true) }
    return .any(bound.filter { $0 != .constant(false) })
  }

  // MARK: Errors

  func pathError(_ kind: PredicateError.Kind, message: String) -> PredicateError {
    error(.left, step: nil, kind: kind, message: message)
  }

  func operandError(_ kind: PredicateError.Kind, message: String) -> PredicateError {
    error(.right, step: nil, kind: kind, message: message)
  }
}

extension Binder {
  /// The expression with every path resolved.
  mutating func resolve(
    _ expression: Expression, side: ConditionSide = .left
  ) throws(PredicateError) -> ResolvedExpression {
    switch expression {
    case .path(let path): return try resolve(path, side: side)
    case .aggregate(let function, let path, let below):
      return try aggregate(function, path: path, below: below, side: side)
    case .count(let path, let condition): return try count(path, condition: condition, side: side)
    }
  }

  private func resolve(
    _ path: PropertyPath, side: ConditionSide
  ) throws(PredicateError) -> ResolvedExpression {
    let resolvedPath = try resolve(path.components, side: side)
    let quantifier = try quantifier(of: path, resolvedPath, side: side)
    return ResolvedExpression(
      expression: .path(PropertyPath(quantifier, components: resolvedPath.components)),
      type: resolvedPath.type,
      table: resolvedPath.table, canBeNull: true, name: PropertyName.shown(resolvedPath.components))
  }

  /// The quantifier of a bound path. A condition on many values needs an explicit one, except that
  /// `[*]` and `@allKeys` imply `ANY`.
  func quantifier(
    of path: PropertyPath, _ resolvedPath: ResolvedPath, side: ConditionSide
  ) throws(PredicateError) -> PropertyPath.Quantifier {
    guard path.quantifier == .one else {
      if resolvedPath.collectionSteps.isEmpty {
        throw needlessQuantifier("\(path.with(.one))", side: side)
      }
      return path.quantifier
    }
    if let collectionStep = resolvedPath.collectionSteps.first(where: { !$0.isExplicit }) {
      throw error(
        side, step: collectionStep.step, kind: .unsupported,
        message: missingQuantifier(resolvedPath, at: collectionStep.index, whole: "\(path)"))
    }
    return resolvedPath.collectionSteps.isEmpty ? .one : .any
  }

  func missingQuantifier(
    _ resolvedPath: ResolvedPath, at index: Int, whole: String
  ) -> String {
    let collection = PropertyName.text(of: Array(resolvedPath.components[...index]))
    let suggestion =
      whole.hasPrefix("SUBQUERY")
      ? "write one SUBQUERY inside the other"
      : "write ANY \(whole), ALL \(whole), or a number such as \(collection).@count"
    return
      "Key paths that include a collection property must use aggregate operations: "
      + "'\(collection)' is a collection; \(suggestion)."
  }

  /// The error for ANY, ALL or value IN on a single value, or on one number of a single collection.
  func needlessQuantifier(
    _ whole: String, side: ConditionSide
  ) -> PredicateError {
    error(
      side, step: nil, kind: .unsupported,
      message:
        "Aggregate operations can only be used on key paths that include an collection property: "
        + "'\(whole)' is one value; compare it without ANY, ALL, NONE and value IN.")
  }

  /// The end of a path as messages show it.
  func describe(_ resolvedPath: ResolvedPath) -> String {
    let name = PropertyName.shown(resolvedPath.components)
    return "property '\(name)' of type '\(resolvedPath.type.name)'"
  }

  func error(
    _ side: ConditionSide, step: Int?, kind: PredicateError.Kind, message: String
  ) -> PredicateError {
    let path = side == .left ? position?.left : position?.right
    return PredicateError(
      kind, message: message, text: source?.text ?? "",
      offset: path.map { path in step.map { path.step($0) } ?? path.start })
  }
}

/// A resolved expression, with the properties of its values.
struct ResolvedExpression {
  let expression: Expression
  /// The type of the values; `.mixed` for mixed values, whatever they contain.
  let type: ValueType
  /// The class of values that are objects.
  let table: TableSchema?
  /// Whether the value can be null. A count and a sum are never null.
  let canBeNull: Bool
  /// The path as messages show it.
  let name: String

  /// The expression as messages show it.
  var typedName: String {
    if case .path = expression { return "property '\(name)' of type '\(type.name)'" }
    return "'\(name)' of type '\(type.name)'"
  }

  /// A condition that is never met. It is false, except that ALL is met where there are no values.
  var never: PredicateNode {
    expression.quantifier == .all ? .isIn(expression, [], []) : .constant(false)
  }

  /// A condition that is always met. It is true, except that ANY is not met where there are no
  /// values.
  var always: PredicateNode {
    guard expression.quantifier == .any else { return .constant(true) }
    return .not(.isIn(expression.with(.all), [], []))
  }
}
