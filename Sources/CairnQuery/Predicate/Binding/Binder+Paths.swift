import CairnStorage
import CairnValues

extension Binder {
  /// The side of a condition that a path is on. Error messages point at that side.
  enum ConditionSide {
    case left
    case right
  }

  /// Resolves a path that begins at the class.
  func resolve(
    _ components: [PropertyPath.Component], side: ConditionSide
  ) throws(PredicateError) -> ResolvedPath {
    var resolvedPath = ResolvedPath(end: .object(schema, .link))
    for step in components.indices {
      try follow(components, step: step, side: side, resolvedPath: &resolvedPath)
    }
    finishMap(&resolvedPath, step: components.count - 1)
    return resolvedPath
  }

  private func follow(
    _ components: [PropertyPath.Component], step: Int, side: ConditionSide,
    resolvedPath: inout ResolvedPath
  ) throws(PredicateError) {
    let component = components[step]
    switch component {
    case .property(let name):
      finishMap(&resolvedPath, step: step - 1)
      if enterPart(name, &resolvedPath) { return }
      guard case .object(let table, _) = resolvedPath.end else {
        throw notAnObject(components, step: step, side: side, resolvedPath: resolvedPath)
      }
      try enter(
        table, name: name, components: components, step: step, side: side,
        resolvedPath: &resolvedPath)
    case .key, .index, .anyElement:
      try descend(component, step: step, side: side, resolvedPath: &resolvedPath)
    case .allKeys, .allValues:
      guard case .map = resolvedPath.end else {
        throw error(
          side, step: step, kind: .typeMismatch,
          message: "'\(component.name)' is for maps; \(describe(resolvedPath)) is not one.")
      }
      guard component == .allKeys else {
        return finishMap(&resolvedPath, step: step, isExplicit: true)
      }
      resolvedPath.components.append(component)
      resolvedPath.collectionSteps.append(
        .init(index: resolvedPath.components.count - 1, step: step, isExplicit: true))
      resolvedPath.end = .value(.string)
    }
  }

  /// Resolves a part of a location, such as its latitude, to the computed column. Returns false if
  /// the class has no such column.
  private func enterPart(_ name: String, _ resolvedPath: inout ResolvedPath) -> Bool {
    guard case .value(.point) = resolvedPath.end, !resolvedPath.isCollection,
      resolvedPath.components.count == 1,
      case .property(let location)? = resolvedPath.components.first,
      let column = schema.column(named: "\(location).\(name)")
    else { return false }
    resolvedPath.components = [.property(column.name)]
    resolvedPath.end = .value(column.type)
    resolvedPath.property = "\(schema.name).\(column.name)"
    return true
  }

  /// Resolves a map without a subscript to all its values.
  private func finishMap(
    _ resolvedPath: inout ResolvedPath, step: Int, isExplicit: Bool = false
  ) {
    guard case .map(let column) = resolvedPath.end else { return }
    resolvedPath.collectionSteps.append(
      .init(index: resolvedPath.components.count - 1, step: step, isExplicit: isExplicit))
    resolvedPath.end = end(of: column)
  }

  /// The end of a path at that property. If the store does not have the target class, the end is a
  /// plain value without properties.
  private func end(of column: ColumnSchema) -> ResolvedPath.End {
    guard column.type == .link || column.type == .embedded else { return .value(column.type) }
    guard let table = column.target.flatMap({ classes.table(named: $0) }) else {
      return .value(column.type)
    }
    return .object(table, column.type)
  }

  // MARK: Properties

  private func enter(
    _ table: TableSchema, name: String, components: [PropertyPath.Component], step: Int,
    side: ConditionSide, resolvedPath: inout ResolvedPath
  ) throws(PredicateError) {
    resolvedPath.components.append(.property(name))
    let index = resolvedPath.components.count - 1
    guard let column = classes.property(named: name, of: table) else {
      throw error(
        side, step: step, kind: .unknownProperty,
        message: unknown(name, in: table, rest: Array(components[step...]), side: side))
    }
    resolvedPath.property = "\(table.name).\(name)"
    switch column.collection {
    case .none: resolvedPath.end = end(of: column)
    case .list, .set:
      resolvedPath.collectionSteps.append(.init(index: index, step: step, isExplicit: false))
      resolvedPath.end = end(of: column)
    case .map: resolvedPath.end = .map(column)
    }
  }

  private func unknown(
    _ name: String, in table: TableSchema, rest: [PropertyPath.Component],
    side: ConditionSide
  ) -> String {
    if name == Predicate.valueName {
      return
        "SELF alone is a value of a list or a set of values; for a property of '\(table.name)' "
        + "write SELF.property."
    }
    let message = "Property '\(name)' not found in object of type '\(table.name)'."
    let whole = rest.map(\.name).joined(separator: ".")
    if rest.count > 1, classes.property(named: whole, of: table) != nil {
      return "\(message) For the property '\(whole)' write `\(whole)` in backquotes."
    }
    let all = classes.propertyNames(of: table)
    if let nearest = NearestName.of(name, among: all) {
      return "\(message) Did you mean '\(nearest)'?"
    }
    if all.isEmpty { return "\(message) The class has no properties." }
    let shown = all.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    let text = side == .right && rest.count == 1 ? " Text is written in quotes: '\(name)'." : ""
    return
      "\(message) There are \(shown)\(all.count > 12 ? " and \(all.count - 12) more" : "").\(text)"
  }

  private func notAnObject(
    _ components: [PropertyPath.Component], step: Int, side: ConditionSide,
    resolvedPath: ResolvedPath
  ) -> PredicateError {
    let text = PropertyName.text(of: components)
    let message =
      switch resolvedPath.type {
      case .link, .embedded:
        "'\(text)' goes through \(describe(resolvedPath)), whose class the store does not have."
      case .mixed:
        "'\(text)' goes through \(describe(resolvedPath)); "
          + "write a key in brackets: ['\(components[step].name)']."
      case .point where schema.column(named: "\(components[0].name).latitude") != nil:
        "'\(text)' is not a part of a location; its parts are latitude, longitude and altitude."
      default: "'\(text)' goes through \(describe(resolvedPath)), which is not a link."
      }
    return error(side, step: step, kind: .unsupported, message: message)
  }

  // MARK: Subscripts

  private func descend(
    _ component: PropertyPath.Component, step: Int, side: ConditionSide,
    resolvedPath: inout ResolvedPath
  ) throws(PredicateError) {
    switch (resolvedPath.end, component) {
    case (.map, .anyElement): finishMap(&resolvedPath, step: step, isExplicit: true)
    case (.map(let column), .key):
      resolvedPath.components.append(component)
      resolvedPath.end = end(of: column)
    case (.map, _):
      throw error(
        side, step: step, kind: .typeMismatch,
        message: "The subscript of a map is a key, as in ['k'].")
    case (_, .anyElement) where resolvedPath.isCollection: resolvedPath.makeLastExplicit()
    case (.value(.mixed), .anyElement):
      resolvedPath.components.append(component)
      resolvedPath.collectionSteps.append(
        .init(index: resolvedPath.components.count - 1, step: step, isExplicit: true))
    case (.value(.mixed), _) where !resolvedPath.isCollection:
      resolvedPath.components.append(component)
    case (.value(.mixed), _) where resolvedPath.collectionSteps.last?.isExplicit == true:
      if resolvedPath.components.last != .anyElement { resolvedPath.components.append(.anyElement) }
      resolvedPath.components.append(component)
    default:
      throw error(side, step: step, kind: .typeMismatch, message: noSubscript(resolvedPath))
    }
  }

  private func noSubscript(_ resolvedPath: ResolvedPath) -> String {
    guard resolvedPath.isCollection else {
      return "Only maps and mixed values have subscripts; \(describe(resolvedPath)) has none."
    }
    let message = "Lists and sets have no subscripts; use ANY or ALL for their elements."
    return resolvedPath.type == .mixed
      ? "\(message) Write a subscript of the elements behind [*]." : message
  }
}

extension PropertyPath.Component {
  /// The step as messages show it.
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

/// The end of a path whose class is known, and the steps to it.
struct ResolvedPath {
  /// The steps, without the redundant ones: `@allValues`, and `[*]` on a collection.
  var components: [PropertyPath.Component] = []
  /// The to-many steps.
  var collectionSteps: [CollectionStep] = []
  /// The end of the path.
  var end: End
  /// The last property, as `Class.property`; for messages.
  var property = ""

  /// A step that leads to many values.
  struct CollectionStep {
    /// The index among the kept steps.
    let index: Int
    /// The index among the steps as written in the text.
    let step: Int
    /// Whether the step itself means `ANY`. `[*]` and `@allKeys` do; a bare collection does not.
    let isExplicit: Bool
  }

  /// The end of a path.
  enum End {
    /// Objects of a class. An empty path ends at the class itself.
    case object(TableSchema, ValueType)
    /// A whole map, if no subscript follows; the type is that of its values.
    case map(ColumnSchema)
    case value(ValueType)
  }

  /// The type of the values at the end.
  var type: ValueType {
    switch end {
    case .object(_, let type), .value(let type): type
    case .map(let column): column.type
    }
  }

  /// The class of the objects at the end.
  var table: TableSchema? {
    if case .object(let table, _) = end { table } else { nil }
  }

  /// Whether the path ends at a whole collection.
  var isCollection: Bool { collectionSteps.last?.index == components.count - 1 }

  /// Applies a `[*]` behind a collection: it adds nothing to the path, but makes `ANY` explicit.
  mutating func makeLastExplicit() {
    guard let last = collectionSteps.popLast() else { return }
    collectionSteps.append(CollectionStep(index: last.index, step: last.step, isExplicit: true))
  }
}

/// The properties that a predicate can name.
extension StoreSchema {
  /// The property of that name. An inverse property appears as a list of links to its origin.
  func property(named name: String, of table: TableSchema) -> ColumnSchema? {
    if let column = table.column(named: name) { return column }
    guard let inverse = table.inverse(named: name) else { return nil }
    return ColumnSchema(
      id: .max, name: inverse.name, type: .link, collection: .list, target: inverse.origin,
      position: .max)
  }

  /// The names of all properties, followed by those of the inverse properties.
  func propertyNames(of table: TableSchema) -> [String] {
    table.properties.map(\.name) + table.inverses.map(\.name)
  }
}
