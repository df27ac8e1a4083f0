import CairnQuery
import CairnStorage
import CairnValues

/// A tracker of the changes of an object's properties.
final class ObjectTracker<Shown>: Tracker<ObjectChange<Shown>> {
  private let shown: Shown
  private let row: Row
  private let properties: ObservedProperties

  /// - Parameter shown: converts the object to the value that the observer receives.
  init<Observed: ObjectBase>(
    _ object: Observed, keyPaths: [String]?, shown: (Observed) -> Shown
  ) {
    self.shown = shown(object)
    row = object.managedRow
    properties = ObservedProperties(keyPaths, of: object)
  }

  /// False, because the observer already has the object.
  override var hasBeginning: Bool { false }

  override func begin() -> ObjectChange<Shown>? { nil }

  override func change(_ step: ObjectChanges) -> ObjectChange<Shown>? {
    guard row.isLive else {
      isOver = true
      return .deleted
    }
    let changes = properties.changes(row, step: step)
    return changes.isEmpty ? nil : .change(shown, changes)
  }
}

/// The observed properties of an object.
enum ObservedProperties {
  /// All properties of the object itself.
  case own([ObservedProperty])
  /// Properties named by key paths, each with the paths that continue from it.
  case named([(property: ObservedProperty, paths: ObservedPaths)])

  init(_ keyPaths: [String]?, of object: ObjectBase) {
    let table = object.managedRow.handle.table
    guard let keyPaths, !keyPaths.isEmpty else {
      self = .own(table.schema.properties.map { ObservedProperty($0, of: object) })
      return
    }
    // Check all key paths before splitting them.
    orFatal { _ = try ObservedPaths(keyPaths, of: table) }
    var grouped: [(first: String, paths: [String])] = []
    for path in keyPaths {
      let first = String(path.prefix { $0 != "." })
      let names = first == "*" ? table.schema.properties.map(\.name) : [first]
      for name in names {
        let path = first == "*" ? name : path
        if let index = grouped.firstIndex(where: { $0.first == name }) {
          grouped[index].paths.append(path)
        } else {
          grouped.append((name, [path]))
        }
      }
    }
    self = .named(
      grouped.map { first, paths in
        let property =
          table.schema.column(named: first).map { ObservedProperty($0, of: object) }
          ?? ObservedProperty(inverse: first)
        return (property, orFatal { try ObservedPaths(paths, of: table) })
      })
  }

  func changes(_ row: Row, step: ObjectChanges) -> [PropertyChange] {
    switch self {
    case .own(let properties):
      let changed = step.modifiedProperties(row.handle.name, at: row.key).map(\.id)
      return properties.filter { $0.column.map { changed.contains($0.id) } ?? false }
        .map { $0.change(row, step: step) }
    case .named(let properties):
      return properties.filter { step.modified(row.handle.name, paths: $0.paths).contains(row.key) }
        .map { $0.property.change(row, step: step) }
    }
  }
}

/// An observed property of an object.
struct ObservedProperty {
  let name: String
  /// Nil for an inverse property.
  let column: ColumnSchema?

  init(_ column: ColumnSchema, of object: ObjectBase) {
    self.column = column
    name = object.programName(of: column)
  }

  init(inverse name: String) {
    self.name = name
    column = nil
  }

  func change(_ row: Row, step: ObjectChanges) -> PropertyChange {
    guard let column, column.collection == .none else {
      return PropertyChange(name: name, oldValue: nil, newValue: nil)
    }
    return PropertyChange(
      name: name, oldValue: row.shown(column, in: step.log.old),
      newValue: row.shown(column, in: step.log.new))
  }
}

extension ObjectBase {
  /// The program's name for the property of a column.
  fileprivate final func programName(of column: ColumnSchema) -> String {
    if self is DynamicObject { return column.name }
    return ObjectLayout.of(type(of: self)).properties.first { $0.columnName == column.name }?.name
      ?? column.name
  }
}

extension Row {
  /// The value of a property in a snapshot in the program's type; a linked object is in its present
  /// state.
  func shown(_ column: ColumnSchema, in state: Snapshot) -> Any? {
    let table = state.table(handle.table.schema)
    guard table.isLive(key), let column = table.schema.columns.first(where: { $0.id == column.id })
    else { return nil }
    if let target = column.target {
      return table.link(column.position, at: key).flatMap { object(of: target, $0) }
    }
    let value = table.value(column.position, at: key)
    guard column.type == .mixed else { return Bridge.any(value) }
    return mixed(value, in: table)
  }

  /// The content of a mixed value in the program's type; nil for a collection in it.
  private func mixed(_ value: Value, in table: Table) -> Any? {
    guard case .value(let content)? = value.element else { return nil }
    guard case .link(let link) = content else { return Bridge.any(content) }
    return table.sibling(id: link.table).flatMap { object(of: $0.schema.name, link.key) }
  }

  private func object(of name: String, _ key: Int) -> ObjectBase? {
    guard let handle = handle.session.handle(name) else { return nil }
    let type = handle.session.layout(named: name)?.type ?? DynamicObject.self
    return type.instance(at: Row(handle: handle, key: key))
  }
}
