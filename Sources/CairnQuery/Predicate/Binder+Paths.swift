import CairnStorage
import CairnValues

extension Binder {
  /// Which side of a condition a path stands on: where its mistakes are shown.
  enum SideOfCondition {
    case subject
    case operand
  }

  /// Follows a path from the class.
  func destination(
    _ components: [PropertyPath.Component], _ side: SideOfCondition
  ) throws(PredicateError) -> Destination {
    var destination = Destination(end: .object(schema, .link))
    for step in components.indices {
      try follow(components, step, side, &destination)
    }
    finishMap(&destination, components.count - 1)
    return destination
  }

  private func follow(
    _ components: [PropertyPath.Component], _ step: Int, _ side: SideOfCondition,
    _ destination: inout Destination
  ) throws(PredicateError) {
    let component = components[step]
    switch component {
    case .property(let name):
      finishMap(&destination, step - 1)
      guard case .object(let table, _) = destination.end else {
        throw notAnObject(components, step, side, destination)
      }
      try enter(table, name, components, step, side, &destination)
    case .key, .index, .anyElement:
      try descend(component, step, side, &destination)
    case .allKeys, .allValues:
      guard case .map = destination.end else {
        throw error(
          side, step, .typeMismatch,
          "'\(component.name)' is for maps; \(words(destination)) is none.")
      }
      guard component == .allKeys else { return finishMap(&destination, step, isExplicit: true) }
      destination.components.append(component)
      destination.many.append(
        .init(place: destination.components.count - 1, step: step, isExplicit: true))
      destination.end = .value(.string)
    }
  }

  /// A map without a subscript is all of its values.
  private func finishMap(
    _ destination: inout Destination, _ step: Int, isExplicit: Bool = false
  ) {
    guard case .map(let column) = destination.end else { return }
    destination.many.append(
      .init(place: destination.components.count - 1, step: step, isExplicit: isExplicit))
    destination.end = end(of: column)
  }

  /// What a property of that type leads to; a class that the store does not have has no properties.
  private func end(of column: ColumnSchema) -> Destination.End {
    guard column.type == .link || column.type == .embedded else { return .value(column.type) }
    guard let table = column.target.flatMap({ classes.table(named: $0) }) else {
      return .value(column.type)
    }
    return .object(table, column.type)
  }

  // MARK: Properties

  private func enter(
    _ table: TableSchema, _ name: String, _ components: [PropertyPath.Component], _ step: Int,
    _ side: SideOfCondition, _ destination: inout Destination
  ) throws(PredicateError) {
    destination.components.append(.property(name))
    let place = destination.components.count - 1
    guard let column = classes.property(named: name, of: table) else {
      throw error(
        side, step, .unknownProperty, unknown(name, in: table, Array(components[step...]), side))
    }
    destination.property = "\(table.name).\(name)"
    switch column.collection {
    case .none: destination.end = end(of: column)
    case .list, .set:
      destination.many.append(.init(place: place, step: step, isExplicit: false))
      destination.end = end(of: column)
    case .map: destination.end = .map(column)
    }
  }

  private func unknown(
    _ name: String, in table: TableSchema, _ rest: [PropertyPath.Component],
    _ side: SideOfCondition
  ) -> String {
    let message = "Property '\(name)' not found in object of type '\(table.name)'."
    let whole = rest.map(\.name).joined(separator: ".")
    if rest.count > 1, classes.property(named: whole, of: table) != nil {
      return "\(message) For the property '\(whole)' write `\(whole)` in backquotes."
    }
    let all = classes.propertyNames(of: table)
    if let nearest = NearestName.of(name, among: all) {
      return "\(message) Did you mean '\(nearest)'?"
    }
    if all.isEmpty { return "\(message) It has none." }
    let shown = all.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    let text = side == .operand && rest.count == 1 ? " A text stands in quotes: '\(name)'." : ""
    return
      "\(message) There are \(shown)\(all.count > 12 ? " and \(all.count - 12) more" : "").\(text)"
  }

  private func notAnObject(
    _ components: [PropertyPath.Component], _ step: Int, _ side: SideOfCondition,
    _ destination: Destination
  ) -> PredicateError {
    let text = PropertyName.text(of: components)
    let message =
      switch destination.type {
      case .link, .embedded:
        "'\(text)' goes through \(words(destination)), whose class the store does not have."
      case .mixed:
        "'\(text)' goes through \(words(destination)); what it holds under a name is asked for in brackets: ['\(components[step].name)']."
      default: "'\(text)' goes through \(words(destination)), which is no link."
      }
    return error(side, step, .unsupported, message)
  }

  // MARK: Subscripts

  private func descend(
    _ component: PropertyPath.Component, _ step: Int, _ side: SideOfCondition,
    _ destination: inout Destination
  ) throws(PredicateError) {
    switch (destination.end, component) {
    case (.map, .anyElement): finishMap(&destination, step, isExplicit: true)
    case (.map(let column), .key):
      destination.components.append(component)
      destination.end = end(of: column)
    case (.map, _):
      throw error(side, step, .typeMismatch, "A map is asked by its keys, as in ['k'].")
    case (_, .anyElement) where destination.isCollection: destination.makeLastExplicit()
    case (.value(.mixed), .anyElement):
      destination.components.append(component)
      destination.many.append(
        .init(place: destination.components.count - 1, step: step, isExplicit: true))
    case (.value(.mixed), _) where !destination.isCollection:
      destination.components.append(component)
    case (.value(.mixed), _) where destination.many.last?.isExplicit == true:
      if destination.components.last != .anyElement { destination.components.append(.anyElement) }
      destination.components.append(component)
    default:
      throw error(side, step, .typeMismatch, noSubscript(destination))
    }
  }

  private func noSubscript(_ destination: Destination) -> String {
    guard destination.isCollection else {
      return "There are no subscripts on \(words(destination)), only on maps and mixed values."
    }
    let message = "Lists and sets have no subscripts; ask ANY or ALL of their elements."
    return destination.type == .mixed
      ? "\(message) A subscript of the elements stands behind [*]." : message
  }
}

extension PropertyPath.Component {
  /// What messages call the step.
  var name: String {
    switch self {
    case .property(let name): name
    case .key(let key): key
    case .index(let index): "[\(index)]"
    case .anyElement: "[*]"
    case .allKeys: "@allKeys"
    case .allValues: "@allValues"
    }
  }
}
