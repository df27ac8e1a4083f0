import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// Compiles the nodes of a filter to a condition on a class.
///
/// CQL2 has three truth values, the condition two: a comparison with a null is neither true nor
/// false in CQL2. So a node is compiled to the condition that it is true or, negated, to the
/// condition that it is false, and both exclude the rows in which it is neither.
struct CQL2Compiler {
  let text: String
  let collection: Collection

  func error(
    _ message: String, at offset: Int, kind: PredicateError.Kind = .typeMismatch
  ) -> PredicateError {
    PredicateError(kind, message: message, text: text, offset: offset)
  }

  // MARK: Logic

  /// The condition that a node is true, or that it is false.
  func condition(_ term: CQL2Term, isNegated: Bool) throws(PredicateError) -> PredicateNode {
    switch term.content {
    case .bool(let flag): return .constant(flag != isNegated)
    case .property:
      let operand = try operand(term)
      guard case .property(let property) = operand.content, property.column.type == .bool else {
        throw error("expected a condition", at: term.offset)
      }
      return .compare(.path(property.path), .equal, .value(.bool(!isNegated)), [])
    case .operation(let name, let arguments):
      return try operation(name, arguments, term: term, isNegated: isNegated)
    case .number, .text, .instant, .interval, .shape, .list:
      throw error("expected a condition", at: term.offset)
    }
  }

  private func operation(
    _ name: String, _ arguments: [CQL2Term], term: CQL2Term, isNegated: Bool
  ) throws(PredicateError) -> PredicateNode {
    switch name {
    case "and", "or":
      guard !arguments.isEmpty else { throw error("expected conditions", at: term.offset) }
      var parts: [PredicateNode] = []
      for argument in arguments { parts.append(try condition(argument, isNegated: isNegated)) }
      return (name == "and") != isNegated ? .all(parts) : .any(parts)
    case "not":
      try require(arguments, count: 1, of: term)
      return try condition(arguments[0], isNegated: !isNegated)
    case "isnull":
      try require(arguments, count: 1, of: term)
      return try isNull(arguments[0], isNegated: isNegated)
    case "between":
      try require(arguments, count: 3, of: term)
      let (value, low, high) = (arguments[0], arguments[1], arguments[2])
      let parts = [
        CQL2Term(content: .operation(">=", [value, low]), offset: term.offset),
        CQL2Term(content: .operation("<=", [value, high]), offset: term.offset),
      ]
      return try operation("and", parts, term: term, isNegated: isNegated)
    case "in":
      try require(arguments, count: 2, of: term)
      return try membership(arguments[0], list: arguments[1], isNegated: isNegated)
    case "like":
      try require(arguments, count: 2, of: term)
      return try like(arguments[0], pattern: arguments[1], isNegated: isNegated)
    default: break
    }
    if let comparison = Self.comparisons[name] {
      try require(arguments, count: 2, of: term)
      return try compare(arguments[0], comparison, arguments[1], isNegated: isNegated)
    }
    if let condition = try spatial(name, arguments, term: term, isNegated: isNegated) {
      return condition
    }
    if let relations = Self.temporal[name] {
      try require(arguments, count: 2, of: term)
      return try temporal(relations, arguments, isNegated: isNegated)
    }
    if Arithmetic.operators.contains(name) || Self.folding[name] != nil {
      throw error("expected a condition", at: term.offset)
    }
    let hint = NearestName.of(name, among: Array(CQL2.functions)).map { "; did you mean \($0)?" }
    throw error(
      "the operator or function '\(name)' is not available here\(hint ?? "")", at: term.offset,
      kind: .unsupported)
  }

  func require(
    _ arguments: [CQL2Term], count: Int, of term: CQL2Term
  ) throws(PredicateError) {
    guard arguments.count == count else {
      throw error(
        "expected \(count) argument\(count == 1 ? "" : "s"), found \(arguments.count)",
        at: term.offset, kind: .argument)
    }
  }

  /// The condition that a comparison of properties is true, or that it is false.
  ///
  /// - Parameters:
  ///   - node: The comparison. It does not hold for nulls unless `holdsForNull`.
  ///   - properties: Its properties.
  func leaf(
    _ node: PredicateNode, of properties: [CQL2Property], holdsForNull: Bool = false,
    isNegated: Bool
  ) -> PredicateNode {
    guard isNegated || holdsForNull else { return node }
    let guards = properties.filter(\.isNullable).map { property in
      PredicateNode.compare(.path(property.path), .notEqual, .value(.null), [])
    }
    return .all([isNegated ? .not(node) : node] + guards)
  }

  // MARK: Comparisons

  private static let comparisons: [String: ComparisonOperator] = [
    "=": .equal, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater,
    ">=": .greaterOrEqual,
  ]

  private func isNull(_ term: CQL2Term, isNegated: Bool) throws(PredicateError) -> PredicateNode {
    guard case .property(let property) = try operand(term, isOfAnyType: true).content else {
      return .constant(isNegated)
    }
    return .compare(.path(property.path), isNegated ? .notEqual : .equal, .value(.null), [])
  }

  private func compare(
    _ left: CQL2Term, _ comparison: ComparisonOperator, _ right: CQL2Term, isNegated: Bool
  ) throws(PredicateError) -> PredicateNode {
    let (a, b) = (try operand(left), try operand(right))
    let options = a.options.union(b.options)
    switch (a.content, b.content) {
    case (.property(let property), .value(let value)):
      let constant = try constant(value, for: property, at: right.offset)
      return leaf(
        node(property, comparison, constant, options: options), of: [property],
        holdsForNull: comparison == .notEqual, isNegated: isNegated)
    case (.value(let value), .property(let property)):
      let constant = try constant(value, for: property, at: left.offset)
      return leaf(
        node(property, comparison.mirrored, constant, options: options), of: [property],
        holdsForNull: comparison == .notEqual, isNegated: isNegated)
    case (.property(let x), .property(let y)):
      guard x.isComparable(with: y) else {
        throw error(
          "a \(x.column.type.name) cannot be compared with a \(y.column.type.name)",
          at: right.offset)
      }
      return leaf(
        .compare(.path(x.path), comparison, .expression(.path(y.path)), options), of: [x, y],
        holdsForNull: true, isNegated: isNegated)
    case (.value(let x), .value(let y)):
      return .constant(
        try holds(x, comparison, y, options: options, at: right.offset) != isNegated)
    }
  }

  /// The comparison of a property with a constant. False comes before true, which predicates do not
  /// order.
  private func node(
    _ property: CQL2Property, _ comparison: ComparisonOperator, _ constant: Value,
    options: StringOptions
  ) -> PredicateNode {
    let path = Expression.path(property.path)
    guard case .bool(let flag) = constant, comparison != .equal, comparison != .notEqual else {
      return .compare(path, comparison, .value(constant), options)
    }
    let selected = [false, true].filter { value in
      switch comparison {
      case .less: !value && flag
      case .lessOrEqual: !value || flag
      case .greater: value && !flag
      default: value || !flag
      }
    }
    switch selected.count {
    case 0: return .constant(false)
    case 1: return .compare(path, .equal, .value(.bool(selected[0])), [])
    default:
      return property.isNullable
        ? .compare(path, .notEqual, .value(.null), []) : .constant(true)
    }
  }

  /// Whether a comparison of constants holds.
  private func holds(
    _ x: Value, _ comparison: ComparisonOperator, _ y: Value, options: StringOptions,
    at offset: Int
  ) throws(PredicateError) -> Bool {
    guard options.isEmpty, let order = x.order(to: y) else {
      throw error("these two values cannot be compared", at: offset)
    }
    return switch comparison {
    case .equal: order == .equal
    case .notEqual: order != .equal
    case .less: order == .less
    case .lessOrEqual: order != .greater
    case .greater: order == .greater
    case .greaterOrEqual: order != .less
    }
  }

  private func membership(
    _ term: CQL2Term, list: CQL2Term, isNegated: Bool
  ) throws(PredicateError) -> PredicateNode {
    guard case .list(let items) = list.content else {
      throw error("expected a list", at: list.offset)
    }
    guard !items.isEmpty else { throw error("the list is empty", at: list.offset) }
    func anyEqual() throws(PredicateError) -> PredicateNode {
      let equalities = items.map { item in
        CQL2Term(content: .operation("=", [term, item]), offset: item.offset)
      }
      return try operation("or", equalities, term: list, isNegated: isNegated)
    }
    let left = try operand(term)
    var (values, options): ([Value], StringOptions) = ([], left.options)
    guard case .property(let property) = left.content else { return try anyEqual() }
    for item in items {
      let operand = try operand(item)
      guard case .value(let value) = operand.content else { return try anyEqual() }
      options.formUnion(operand.options)
      values.append(try constant(value, for: property, at: item.offset))
    }
    return leaf(
      .isIn(.path(property.path), values, options), of: [property], isNegated: isNegated)
  }

  private func like(
    _ term: CQL2Term, pattern: CQL2Term, isNegated: Bool
  ) throws(PredicateError) -> PredicateNode {
    let (left, right) = (try operand(term), try operand(pattern))
    guard case .property(let property) = left.content, property.column.type == .string else {
      throw error("LIKE is for a property with text", at: term.offset)
    }
    guard case .value(.string(let text)) = right.content else {
      throw error("expected a pattern", at: pattern.offset)
    }
    let options = left.options.union(right.options)
    let node = LikePattern(text).condition(on: .path(property.path), options: options)
    return leaf(node, of: [property], isNegated: isNegated)
  }
}
