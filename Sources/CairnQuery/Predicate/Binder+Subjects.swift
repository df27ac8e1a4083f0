import CairnStorage
import CairnValues

extension Binder {
  /// The subject with every path followed.
  mutating func target(
    _ subject: Subject, _ side: SideOfCondition = .subject
  ) throws(PredicateError) -> Target {
    switch subject {
    case .path(let path): return try target(path, side)
    case .aggregate(let function, let path, let below):
      return try aggregate(function, path, below, side)
    case .count(let path, let condition): return try count(path, condition, side)
    }
  }

  private func target(
    _ path: PropertyPath, _ side: SideOfCondition
  ) throws(PredicateError) -> Target {
    let destination = try destination(path.components, side)
    let quantifier = try quantifier(of: path, destination, side)
    return Target(
      subject: .path(PropertyPath(quantifier, destination.components)), type: destination.type,
      table: destination.table, canBeNull: true, name: PropertyName.shown(destination.components))
  }

  /// A condition on many values says which of them it speaks of; `[*]` and `@allKeys` do so by themselves.
  func quantifier(
    of path: PropertyPath, _ destination: Destination, _ side: SideOfCondition
  ) throws(PredicateError) -> PropertyPath.Quantifier {
    guard path.quantifier == .one else {
      if destination.many.isEmpty { throw needlessQuantifier("\(path.with(.one))", side) }
      return path.quantifier
    }
    if let many = destination.many.first(where: { !$0.isExplicit }) {
      throw error(
        side, many.step, .unsupported, missingQuantifier(destination, many.place, "\(path)"))
    }
    return destination.many.isEmpty ? .one : .any
  }

  private func missingQuantifier(
    _ destination: Destination, _ place: Int, _ whole: String
  ) -> String {
    let collection = PropertyName.text(of: Array(destination.components[...place]))
    let cure =
      whole.hasPrefix("SUBQUERY")
      ? "write one SUBQUERY inside the other"
      : "write ANY \(whole), ALL \(whole), or a number such as \(collection).@count"
    return
      "Key paths that include a collection property must use aggregate operations: '\(collection)' holds "
      + "many; \(cure)."
  }

  /// The error for ANY, ALL or a value IN what is one value, or one number of a single collection.
  private func needlessQuantifier(
    _ whole: String, _ side: SideOfCondition
  ) -> PredicateError {
    error(
      side, nil, .unsupported,
      "Aggregate operations can only be used on key paths that include an collection property: "
        + "'\(whole)' is one value, compared without ANY, ALL, NONE and value IN.")
  }

  // MARK: Collections

  /// The way to the collection that an operator is asked of, and how many of its steps were its own.
  private func collection(
    _ path: PropertyPath, _ operation: String, _ side: SideOfCondition
  ) throws(PredicateError) -> Destination {
    let destination = try destination(path.components, side)
    guard let last = destination.many.last else {
      throw error(
        side, nil, .typeMismatch,
        "'\(operation)' asks a collection; \(words(destination)) is none.")
    }
    guard path.quantifier == .one else {
      guard destination.many.count > 1 else {
        throw needlessQuantifier("\(path.with(.one)).\(operation)", side)
      }
      return destination
    }
    if let first = destination.many.first, first.place < last.place {
      let whole = operation == "SUBQUERY" ? operation : "\(path).\(operation)"
      throw error(
        side, first.step, .unsupported, missingQuantifier(destination, first.place, whole))
    }
    return destination
  }

  private mutating func count(
    _ path: PropertyPath, _ condition: Node?, _ side: SideOfCondition
  ) throws(PredicateError) -> Target {
    let destination = try collection(path, condition == nil ? "@count" : "SUBQUERY", side)
    guard destination.isCollection else {
      throw error(
        side, nil, .unsupported,
        "'\(condition == nil ? "@count" : "SUBQUERY")' is asked of the collection itself, not of what lies below it: '\(collectionName(destination))'."
      )
    }
    let bound = PropertyPath(path.quantifier, collectionComponents(destination))
    var inner: Node?
    if let condition { inner = try subquery(condition, destination, side) }
    let name = PropertyName.text(of: bound.components) + ".@count"
    return Target(
      subject: .count(bound, where: inner == .constant(true) ? nil : inner), type: .int, table: nil,
      canBeNull: false, name: name)
  }

  /// The condition of a subquery, held against the class of the elements.
  private mutating func subquery(
    _ condition: Node, _ destination: Destination, _ side: SideOfCondition
  ) throws(PredicateError) -> Node {
    guard let table = destination.table else {
      throw error(
        side, nil, .typeMismatch,
        "SUBQUERY asks a collection of objects; the elements of \(words(destination)) are none.")
    }
    let (outer, outerLeaf) = (schema, leaf)
    schema = table
    let bound = try bind(condition)
    (schema, leaf) = (outer, outerLeaf)
    return bound
  }

  private func collectionName(_ destination: Destination) -> String {
    PropertyName.text(of: collectionComponents(destination))
  }

  /// The steps up to the last collection; the keys of a map are as many as its values.
  private func collectionComponents(_ destination: Destination) -> [PropertyPath.Component] {
    let end = destination.many.last?.place ?? destination.components.count - 1
    let components = destination.components[...end]
    return Array(components.last == .allKeys ? components.dropLast() : components)
  }

  // MARK: Aggregates

  private func aggregate(
    _ function: AggregateFunction, _ path: PropertyPath, _ below: PropertyPath?,
    _ side: SideOfCondition
  ) throws(PredicateError) -> Target {
    let destination = try collection(path, "@\(function.rawValue)", side)
    let end = try self.destination(path.components + (below?.components ?? []), side)
    if end.many.count > destination.many.count, let many = end.many.last {
      throw error(
        side, many.step, .unsupported,
        "'@\(function.rawValue)' goes through one collection; '\(PropertyName.text(of: Array(end.components[...many.place])))' is a second."
      )
    }
    if end.table != nil && (end.type == .link || end.type == .embedded) {
      throw error(
        side, nil, .typeMismatch,
        "'@\(function.rawValue)' asks for a property of the objects, as in \(collectionName(end)).@\(function.rawValue).\(sample(end))."
      )
    }
    let place = end.many.last?.place ?? 0
    let rest = Array(end.components[(place + 1)...])
    let collection = PropertyPath(path.quantifier, Array(end.components[...place]))
    let subject = Subject.aggregate(
      function, collection, of: rest.isEmpty ? nil : PropertyPath(rest))
    return Target(
      subject: subject, type: try type(of: function, end, side), table: nil,
      canBeNull: function != .sum,
      name: PropertyName.text(of: collection.components) + ".@\(function.rawValue)"
        + (rest.isEmpty ? "" : "." + PropertyName.text(of: rest)))
  }

  /// The name of a property that an aggregate of the objects could ask for.
  private func sample(_ end: Destination) -> String {
    guard let table = end.table else { return "property" }
    let columns = classes.propertyNames(of: table).compactMap {
      classes.property(named: $0, of: table)
    }
    return columns.first { $0.collection == .none && $0.type.isNumeric }?.name ?? "property"
  }

  private func type(
    of function: AggregateFunction, _ end: Destination, _ side: SideOfCondition
  ) throws(PredicateError) -> ValueType {
    let words = words(end)
    if end.type == .date {
      if function == .min || function == .max { return .date }
      throw error(
        side, nil, .typeMismatch,
        "Cannot sum or average date properties; \(words) has @min and @max.")
    }
    guard end.type.isNumeric || end.type == .mixed else {
      throw error(
        side, nil, .typeMismatch, "Operation '\(function.rawValue)' not supported for \(words).")
    }
    switch (function, end.type) {
    case (.min, _), (.max, _): return end.type
    case (_, .decimal128), (_, .mixed): return .decimal128
    case (.sum, .int): return .int
    default: return .double
    }
  }

  // MARK: Errors

  /// What messages call the end of a path.
  func words(_ destination: Destination) -> String {
    let name = PropertyName.shown(destination.components)
    return "property '\(name)' of type '\(destination.type.name)'"
  }

  func error(
    _ side: SideOfCondition, _ step: Int?, _ kind: PredicateError.Kind, _ message: String
  ) -> PredicateError {
    let place = side == .subject ? leaf?.subject : leaf?.operand
    return PredicateError(
      kind, message, text: source?.text ?? "",
      offset: place.map { place in step.map { place.step($0) } ?? place.start })
  }
}
