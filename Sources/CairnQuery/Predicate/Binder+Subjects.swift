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

  func missingQuantifier(
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
  func needlessQuantifier(
    _ whole: String, _ side: SideOfCondition
  ) -> PredicateError {
    error(
      side, nil, .unsupported,
      "Aggregate operations can only be used on key paths that include an collection property: "
        + "'\(whole)' is one value, compared without ANY, ALL, NONE and value IN.")
  }

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
