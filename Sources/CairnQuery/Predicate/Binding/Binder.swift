import CairnGeometry
import CairnStorage
import CairnValues

/// A predicate that is bound to a class: queries run it without further checks.
///
/// Only ``Predicate/bound(to:in:)`` creates one, so each predicate is checked and converted once.
package struct BoundPredicate: Sendable {
  /// The root of the bound tree.
  package let root: BoundNode

  fileprivate init(_ root: BoundNode) {
    self.root = root
  }

  /// The conjunction of predicates that are bound to the same class.
  package static func all(_ parts: [BoundPredicate]) -> BoundPredicate {
    BoundPredicate(BoundNode.all(parts.map(\.root)))
  }
}

extension BoundPredicate: CustomStringConvertible {
  /// The condition in the predicate language.
  package var description: String { root.description }
}

extension BoundPredicate: Equatable {
  /// Whether two predicates that are bound to the same class are the same condition.
  package static func == (a: BoundPredicate, b: BoundPredicate) -> Bool {
    a.root.written == b.root.written
  }
}

extension Predicate {
  /// Binds the predicate to a class: checks it, and converts each constant to the type of its
  /// property.
  ///
  /// A text that is an ISO date becomes a date, a number for a decimal property a decimal, and 0 or 1
  /// for a flag a flag; constants for mixed values are unchanged. An unmanaged object equals nothing.
  /// A condition whose constant alone decides it becomes `.constant`. `<= nil` and `>= nil` become
  /// `== nil`. `ALL dogs.age > nil`, which holds only if there are no values, becomes
  /// `ALL dogs.age IN {}`.
  ///
  /// - Throws: ``PredicateError`` with the offset, for an unknown property, a value of the wrong
  ///   type, an operator that the type does not support, a collection without a quantifier, or a
  ///   polygon that breaks a rule.
  package func bound(
    to schema: TableSchema, in classes: @autoclosure () -> StoreSchema
  ) throws(PredicateError) -> BoundPredicate {
    if let root = simple(for: schema) { return BoundPredicate(root) }
    var binder = Binder(schema: schema, classes: classes(), source: source)
    return BoundPredicate(try binder.bind(root))
  }

  /// The bound form of a constant, or of a relation of a property to a shape; nil for other
  /// predicates. The short way is worthwhile, because the most frequent query takes only about as long
  /// as the binder would.
  private func simple(for schema: TableSchema) -> BoundNode? {
    switch root {
    case .constant(let value): return .constant(value)
    // A shape that needs other edges is converted and checked in full.
    case .relation(let path, let relation, .shape(let shape)) where !relation.isPlanar:
      guard let name = path.name, let column = schema.column(named: name),
        column.type == .point || column.type.isGeometry, column.collection == .none, !shape.isEmpty
      else { return nil }
      do { try shape.validate() } catch { return nil }
      return .spatial(BoundPath(name, column: column), .relation(relation), shape)
    default: return nil
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
  /// The side of a condition that a path is on. Error messages point at that side.
  enum ConditionSide {
    case left
    case right
  }

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

  mutating func bind(_ node: PredicateNode) throws(PredicateError) -> BoundNode {
    switch node {
    case .constant(let value): return .constant(value)
    case .not(let part):
      let bound = try bind(part)
      if case .constant(let value) = bound { return .constant(!value) }
      return .not(bound)
    case .and(let parts): return .all(try bind(parts))
    case .or(let parts): return .any(try bind(parts))
    default:
      position = source.flatMap { $0.positions.indices ~= passed ? $0.positions[passed] : nil }
      passed += 1
      return try bindCondition(node)
    }
  }

  private mutating func bind(_ parts: [PredicateNode]) throws(PredicateError) -> [BoundNode] {
    var bound: [BoundNode] = []
    for part in parts { bound.append(try bind(part)) }
    return bound
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
      expression: .path(resolvedPath.bound(quantifier)), type: resolvedPath.type,
      table: resolvedPath.endTable, canBeNull: true,
      name: PropertyName.shown(resolvedPath.components))
  }

  /// Resolves a path that begins at the class.
  func resolve(
    _ components: [PropertyPath.Component], side: ConditionSide
  ) throws(PredicateError) -> ResolvedPath {
    do throws(PathError) {
      return try PathResolver.resolve(
        components, from: schema, in: classes, isOperand: side == .right)
    } catch {
      throw self.error(side, step: error.step, kind: error.kind, message: error.message)
    }
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
  let expression: BoundExpression
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
  var never: BoundNode {
    expression.path.quantifier == .all ? .values(expression, .isIn([], [])) : .constant(false)
  }

  /// A condition that is always met. It is true, except that ANY is not met where there are no
  /// values.
  var always: BoundNode {
    guard expression.path.quantifier == .any else { return .constant(true) }
    return .not(.values(expression.with(.all), .isIn([], [])))
  }
}
