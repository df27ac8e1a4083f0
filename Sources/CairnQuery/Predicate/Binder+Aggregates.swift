import CairnStorage
import CairnValues

extension Binder {
  func aggregate(
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
        + PropertyName.text(of: rest, isBehind: true))
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
    if end.type == .date {
      if function == .min || function == .max { return .date }
      throw error(
        side, nil, .typeMismatch,
        "Cannot sum or average date properties; '\(end.property)' has @min and @max.")
    }
    guard end.type.isNumeric || end.type == .mixed else {
      throw error(
        side, nil, .typeMismatch,
        "Operation '\(function.rawValue)' not supported for \(end.type.name) property '\(end.property)'."
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
