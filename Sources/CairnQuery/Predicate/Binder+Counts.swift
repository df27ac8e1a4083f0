import CairnStorage
import CairnValues

/// Collections as a whole: how many elements they have, and how many meet a condition.
extension Binder {
  /// The way to the collection that an operator is asked of: the last on the path, and without a
  /// quantifier the only one.
  func collection(
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
        let isSubquery = operation == "SUBQUERY"
        throw needlessQuantifier(
          isSubquery ? "SUBQUERY(…).@count" : "\(path.with(.one)).\(operation)", side)
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

  mutating func count(
    _ path: PropertyPath, _ condition: Node?, _ side: SideOfCondition
  ) throws(PredicateError) -> Target {
    if condition == nil, let length = try length(path, side) { return length }
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

  /// `name.@count`: the length of a text or of data; nil where the path ends at something else.
  private func length(
    _ path: PropertyPath, _ side: SideOfCondition
  ) throws(PredicateError) -> Target? {
    let destination = try destination(path.components, side)
    guard case .value(let type) = destination.end, type == .string || type == .data,
      !destination.isCollection
    else { return nil }
    let bound = PropertyPath(
      try quantifier(of: path, destination, side), destination.components)
    return Target(
      subject: .count(bound, where: nil), type: .int, table: nil, canBeNull: true,
      name: PropertyName.shown(destination.components) + ".@count")
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

  func collectionName(_ destination: Destination) -> String {
    PropertyName.text(of: collectionComponents(destination))
  }

  /// The steps up to the last collection; the keys of a map are as many as its values.
  private func collectionComponents(_ destination: Destination) -> [PropertyPath.Component] {
    let end = destination.many.last?.place ?? destination.components.count - 1
    let components = destination.components[...end]
    return Array(components.last == .allKeys ? components.dropLast() : components)
  }
}
