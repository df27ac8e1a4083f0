import CairnGeometry
import CairnStorage
import CairnValues

extension Predicate {
  /// The predicate as it is asked of a class: checked, with every constant of its property's kind.
  ///
  /// In the result every path fits its class, and every constant compares with what it leads to: a text
  /// that is an ISO date has become a date, a number for a decimal property a decimal, 0 and 1 for a flag a
  /// flag; constants for mixed values stay as they are; an object that is in no store equals nothing. What no
  /// row or every row meets because of its constant alone has become `.constant`: orders with null or NaN,
  /// empty operands of string operators. `<= nil` and `>= nil` have become `== nil`. Of conditions on many
  /// such as `ALL dogs.age > nil` there remains whether there is anything, which is said as
  /// `ALL dogs.age IN {}`.
  ///
  /// - A path with the quantifier `.one` passes no collection, any other passes at least one. `map['k']`,
  ///   `any[0]` and `any['k']` are single values; `[*]` and `@allKeys` without a quantifier have become `.any`.
  /// - A map by itself means its values: `@allValues`, and `[*]` behind a collection, are left out, but for
  ///   `[*]` in front of a further subscript: `list[*]['k']`.
  /// - The path of an aggregate or count ends at its collection (the last of several, where it has a
  ///   quantifier); what the text had between collection and operator has moved into `of`.
  /// - The right side of a condition has no quantifier.
  /// - `within` ends at a point, or at an embedded object in the shape of a GeoJSON point.
  ///
  /// - Throws: `PredicateError` with the place: a property that is not there, a value of the wrong type, an
  ///   operator that the type does not have, a collection without a quantifier, a polygon that breaks a rule.
  package func bound(
    to schema: TableSchema, in classes: @autoclosure () -> Schema
  ) throws(PredicateError) -> Predicate {
    if isBound(to: schema) { return self }
    var binder = Binder(schema: schema, classes: classes(), source: source)
    return Predicate(try binder.bind(root), source: source)
  }

  /// Whether it fits the class as it stands, as far as that is seen at a glance: the commonest question takes about
  /// as long as its binding would.
  private func isBound(to schema: TableSchema) -> Bool {
    switch root {
    case .constant: return true
    case .within(let path, let shape):
      guard let name = path.name, let column = schema.column(named: name), column.type == .point,
        column.collection == .none
      else { return false }
      do { try shape.validate() } catch { return false }
      return true
    default: return false
    }
  }

  /// The same for a class that stands alone: the only one that its links can lead to is itself.
  package func bound(to schema: TableSchema) throws(PredicateError) -> Predicate {
    try bound(to: schema, in: Schema(tables: [schema]))
  }
}

/// Walks a predicate and holds it against a class.
struct Binder {
  /// The class that paths begin at; inside a subquery that of its elements.
  var schema: TableSchema
  let classes: Schema
  let source: PredicateSource?
  /// The number of conditions passed so far, to find their places.
  private var passed = 0
  var leaf: PredicateSource.Leaf?

  init(schema: TableSchema, classes: Schema, source: PredicateSource?) {
    self.schema = schema
    self.classes = classes
    self.source = source
  }

  mutating func bind(_ node: Node) throws(PredicateError) -> Node {
    switch node {
    case .constant: return node
    case .not(let part):
      let bound = try bind(part)
      if case .constant(let value) = bound { return .constant(!value) }
      return .not(bound)
    case .and(let parts): return try bindAll(parts)
    case .or(let parts): return try bindAny(parts)
    default:
      leaf = source.flatMap { $0.leaves.indices ~= passed ? $0.leaves[passed] : nil }
      passed += 1
      return try bindCondition(node)
    }
  }

  private mutating func bindAll(_ parts: [Node]) throws(PredicateError) -> Node {
    var bound: [Node] = []
    for part in parts { bound.append(try bind(part)) }
    if bound.contains(.constant(false)) { return .constant(false) }
    return .all(bound.filter { $0 != .constant(true) })
  }

  private mutating func bindAny(_ parts: [Node]) throws(PredicateError) -> Node {
    var bound: [Node] = []
    for part in parts { bound.append(try bind(part)) }
    if bound.contains(.constant(true)) { return .constant(true) }
    return .any(bound.filter { $0 != .constant(false) })
  }

  // MARK: Errors

  func pathError(_ kind: PredicateError.Kind, _ message: String) -> PredicateError {
    error(.subject, nil, kind, message)
  }

  func operandError(_ kind: PredicateError.Kind, _ message: String) -> PredicateError {
    error(.operand, nil, kind, message)
  }
}
