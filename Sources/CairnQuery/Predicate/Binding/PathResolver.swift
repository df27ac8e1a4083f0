import CairnStorage
import CairnValues

/// Resolves a property path in the classes that it passes through, step by step.
struct PathResolver {
  /// The class that the path begins at.
  private let start: TableSchema
  private let classes: StoreSchema
  private let components: [PropertyPath.Component]
  /// Whether the path is the right side of a condition, where a text may have been meant.
  private let isOperand: Bool
  private var resolved: ResolvedPath

  private init(
    _ components: [PropertyPath.Component], from start: TableSchema, in classes: StoreSchema,
    isOperand: Bool
  ) {
    self.components = components
    self.isOperand = isOperand
    self.start = start
    self.classes = classes
    resolved = ResolvedPath(table: start)
  }

  /// The path, resolved.
  ///
  /// - Parameter isOperand: Whether the path is the right side of a condition, where a text may have
  ///   been meant.
  /// - Throws: ``PathError`` for a property that the class does not have, and for a step behind
  ///   something that has nothing below it.
  static func resolve(
    _ components: [PropertyPath.Component], from start: TableSchema, in classes: StoreSchema,
    isOperand: Bool = false
  ) throws(PathError) -> ResolvedPath {
    var resolver = PathResolver(components, from: start, in: classes, isOperand: isOperand)
    for step in components.indices { try resolver.follow(step) }
    resolver.finishMap(step: components.count - 1)
    return resolver.resolved
  }

  private mutating func follow(_ step: Int) throws(PathError) {
    let component = components[step]
    switch component {
    case .property(let name):
      finishMap(step: step - 1)
      if enterPart(name) { return }
      guard case .object = resolved.end, let table = resolved.table else {
        throw notAnObject(step: step)
      }
      try enter(table, name: name, step: step)
    case .key, .index, .anyElement: try descend(component, step: step)
    case .allKeys, .allValues:
      guard case .map(let column) = resolved.end else {
        throw PathError(
          .typeMismatch, at: step,
          message: "'\(component.name)' is for maps; \(resolved.described) is not one.")
      }
      guard component == .allKeys else { return finishMap(step: step, isExplicit: true) }
      resolved.components.append(component)
      resolved.addCollectionStep(step, isExplicit: true)
      resolved.end = .keys(column)
    }
  }

  /// Resolves a part of a location, such as its latitude, to the computed column. Returns false if
  /// the class has no such column.
  private mutating func enterPart(_ name: String) -> Bool {
    guard case .column(let location) = resolved.end, location.type == .point,
      resolved.components.count == 1, case .property(let written)? = resolved.components.first,
      let column = start.column(named: "\(written).\(name)")
    else { return false }
    resolved.components = [.property(column.name)]
    resolved.end = .column(column)
    resolved.property = "\(start.name).\(column.name)"
    return true
  }

  /// Resolves a map without a subscript to all its values.
  private mutating func finishMap(step: Int, isExplicit: Bool = false) {
    guard case .map(let column) = resolved.end else { return }
    resolved.addCollectionStep(step, isExplicit: isExplicit)
    enter(column, as: .toMany(column), orEndAt: .elements(column))
  }

  /// Follows a property to the objects of its class. If the property has values, or the store does not
  /// have the class, the path ends there.
  private mutating func enter(
    _ column: ColumnSchema, as link: BoundPath.Link, orEndAt end: ResolvedPath.End
  ) {
    guard column.isLink, let target = column.target.flatMap({ classes.table(named: $0) }) else {
      resolved.end = end
      return
    }
    resolved.links.append(link)
    resolved.end = .object(column.type)
    resolved.table = target
  }

  // MARK: Properties

  private mutating func enter(_ table: TableSchema, name: String, step: Int) throws(PathError) {
    resolved.components.append(.property(name))
    resolved.location = nil
    guard let column = table.column(named: name) else { return try enterInverse(table, name, step) }
    resolved.property = "\(table.name).\(name)"
    switch column.collection {
    case .none:
      enter(column, as: .toOne(column), orEndAt: .column(column))
      if column.type == .embedded, case .object = resolved.end {
        resolved.location = table.point(for: column)
      }
    case .list, .set:
      resolved.addCollectionStep(step, isExplicit: false)
      enter(column, as: .toMany(column), orEndAt: .elements(column))
    case .map: resolved.end = .map(column)
    }
  }

  private mutating func enterInverse(
    _ table: TableSchema, _ name: String, _ step: Int
  ) throws(PathError) {
    guard let inverse = table.inverse(named: name),
      let origin = classes.table(named: inverse.origin)
    else {
      let message = Self.unknown(
        name, in: table, of: classes, behind: components[(step + 1)...], isOperand: isOperand)
      throw PathError(.unknownProperty, at: step, message: message)
    }
    resolved.property = "\(table.name).\(name)"
    resolved.addCollectionStep(step, isExplicit: false)
    resolved.links.append(.inverse(inverse))
    resolved.end = .object(.link)
    resolved.table = origin
  }

  /// The message for a property that a class does not have.
  ///
  /// - Parameter rest: The steps behind the property.
  static func unknown(
    _ name: String, in table: TableSchema, of classes: StoreSchema,
    behind rest: ArraySlice<PropertyPath.Component> = [], isOperand: Bool = false
  ) -> String {
    if name == Predicate.valueName {
      return
        "SELF alone is a value of a list or a set of values; for a property of '\(table.name)' "
        + "write SELF.property."
    }
    let message = "Property '\(name)' not found in object of type '\(table.name)'."
    let whole = ([name] + rest.map(\.name)).joined(separator: ".")
    if !rest.isEmpty, classes.property(named: whole, of: table) != nil {
      return "\(message) For the property '\(whole)' write `\(whole)` in backquotes."
    }
    let all = classes.propertyNames(of: table)
    if let nearest = NearestName.of(name, among: all) {
      return "\(message) Did you mean '\(nearest)'?"
    }
    if all.isEmpty { return "\(message) The class has no properties." }
    let shown = all.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    let more = all.count > 12 ? " and \(all.count - 12) more" : ""
    let hint = isOperand && rest.isEmpty ? " Text is written in quotes: '\(name)'." : ""
    return "\(message) There are \(shown)\(more).\(hint)"
  }

  private func notAnObject(step: Int) -> PathError {
    let text = PropertyName.text(of: components)
    let message =
      switch resolved.type {
      case .link, .embedded:
        "'\(text)' goes through \(resolved.described), whose class the store does not have."
      case .mixed:
        "'\(text)' goes through \(resolved.described); "
          + "write a key in brackets: ['\(components[step].name)']."
      case .point where start.column(named: "\(components[0].name).latitude") != nil:
        "'\(text)' is not a part of a location; its parts are latitude, longitude and altitude."
      default: "'\(text)' goes through \(resolved.described), which is not a link."
      }
    return PathError(.unsupported, at: step, message: message)
  }

  // MARK: Subscripts

  private mutating func descend(
    _ component: PropertyPath.Component, step: Int
  ) throws(PathError) {
    switch (resolved.end, component) {
    case (.map, .anyElement): finishMap(step: step, isExplicit: true)
    case (.map(let column), .key(let key)):
      resolved.components.append(component)
      enter(column, as: .entry(column, key: key), orEndAt: .entry(column, key: key))
    case (.map, _):
      throw PathError(
        .typeMismatch, at: step, message: "The subscript of a map is a key, as in ['k'].")
    case (_, .anyElement) where resolved.isCollection: resolved.makeLastExplicit()
    case (_, .anyElement) where resolved.isMixed:
      resolved.components.append(component)
      resolved.below.append(component)
      resolved.addCollectionStep(step, isExplicit: true)
    case (_, _) where resolved.isMixed && !resolved.isCollection: enterMixed(component)
    case (_, _) where resolved.isMixed && resolved.collectionSteps.last?.isExplicit == true:
      // Behind a collection of mixed values the path keeps the `[*]` that was written.
      if resolved.components.last != .anyElement { resolved.components.append(.anyElement) }
      enterMixed(component)
    default: throw PathError(.typeMismatch, at: step, message: noSubscript)
    }
  }

  private mutating func enterMixed(_ component: PropertyPath.Component) {
    resolved.components.append(component)
    resolved.below.append(component)
  }

  private var noSubscript: String {
    guard resolved.isCollection else {
      return "Only maps and mixed values have subscripts; \(resolved.described) has none."
    }
    let message = "Lists and sets have no subscripts; use ANY or ALL for their elements."
    return resolved.type == .mixed
      ? "\(message) Write a subscript of the elements behind [*]." : message
  }
}

/// An error in a property path.
struct PathError: Error {
  let kind: PredicateError.Kind
  /// The index of the step among the steps as written.
  let step: Int
  let message: String

  init(_ kind: PredicateError.Kind, at step: Int, message: String) {
    self.kind = kind
    self.step = step
    self.message = message
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
  /// The steps, without the redundant ones.
  var components: [PropertyPath.Component] = []
  /// The to-many steps.
  var collectionSteps: [CollectionStep] = []
  var links: [BoundPath.Link] = []
  /// The end of the path.
  var end: End
  /// The class of the objects behind the links.
  var table: TableSchema?
  /// The subscripts into the mixed values at the end.
  var below: [PropertyPath.Component] = []
  /// The hidden column of the location that the embedded object at the end describes.
  var location: ColumnSchema?
  /// The last property, as `Class.property`; for messages.
  var property = ""

  init(table: TableSchema) {
    self.table = table
    end = .object(.link)
  }

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
    /// Objects, by links or embedded. An empty path ends at the class itself.
    case object(ValueType)
    /// A whole map, if no subscript follows.
    case map(ColumnSchema)
    case column(ColumnSchema)
    case elements(ColumnSchema)
    case entry(ColumnSchema, key: String)
    case keys(ColumnSchema)
  }

  /// The type of the values at the end.
  var type: ValueType {
    switch end {
    case .object(let type): type
    case .keys: .string
    case .map(let column), .column(let column), .elements(let column), .entry(let column, _):
      column.type
    }
  }

  /// Whether the path ends at a mixed value.
  var isMixed: Bool {
    if case .map = end { false } else { type == .mixed }
  }

  /// The class of the objects at the end; nil for values.
  var endTable: TableSchema? {
    if case .object = end { table } else { nil }
  }

  /// Whether the path ends at a whole collection.
  var isCollection: Bool { collectionSteps.last?.index == components.count - 1 }

  /// The end of the path as messages show it.
  var described: String {
    "property '\(PropertyName.shown(components))' of type '\(type.name)'"
  }

  /// Marks the last step as one to many values.
  mutating func addCollectionStep(_ step: Int, isExplicit: Bool) {
    collectionSteps.append(
      CollectionStep(index: components.count - 1, step: step, isExplicit: isExplicit))
  }

  /// Applies a `[*]` behind a collection: it adds nothing to the path, but makes `ANY` explicit.
  mutating func makeLastExplicit() {
    guard let last = collectionSteps.popLast() else { return }
    collectionSteps.append(CollectionStep(index: last.index, step: last.step, isExplicit: true))
  }

  /// The path with its quantifier.
  func bound(_ quantifier: PropertyPath.Quantifier) -> BoundPath {
    let end: BoundPath.End =
      switch self.end {
      case .object: .object
      case .column(let column): .column(column)
      case .map(let column), .elements(let column): .elements(column)
      case .entry(let column, let key): .entry(column, key: key)
      case .keys(let column): .keys(column)
      }
    return BoundPath(
      quantifier, components: components, links: links, end: end, below: below, location: location)
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
