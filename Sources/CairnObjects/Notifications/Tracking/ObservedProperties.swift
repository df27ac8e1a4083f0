import CairnQuery
import CairnStorage
import CairnValues

/// Which properties of an object are observed.
enum ObservedProperties {
  /// All that it has itself.
  case own([ObservedProperty])
  /// Named by key paths: each with what lies behind it.
  case named([(property: ObservedProperty, paths: ObservedPaths)])

  init(_ keyPaths: [String]?, of object: ObjectBase) {
    let table = object.managedRow.handle.table
    guard let keyPaths, !keyPaths.isEmpty else {
      self = .own(table.schema.properties.map { ObservedProperty($0, of: object) })
      return
    }
    // All of them are checked before they are taken apart.
    trapping { _ = try ObservedPaths(keyPaths, of: table) }
    var grouped: [(first: String, paths: [String])] = []
    for path in keyPaths {
      let first = String(path.prefix { $0 != "." })
      let names = first == "*" ? table.schema.properties.map(\.name) : [first]
      for name in names {
        let path = first == "*" ? name : path
        if let place = grouped.firstIndex(where: { $0.first == name }) {
          grouped[place].paths.append(path)
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
        return (property, trapping { try ObservedPaths(paths, of: table) })
      })
  }

  func changes(_ row: Row, _ step: ObjectChanges) -> [PropertyChange] {
    switch self {
    case .own(let properties):
      let changed = step.modifiedProperties(row.handle.name, at: row.key).map(\.id)
      return properties.filter { $0.column.map { changed.contains($0.id) } ?? false }
        .filter { $0.isDifferent(row, step) }
        .map { $0.change(row, step) }
    case .named(let properties):
      return properties.filter { step.modified(row.handle.name, $0.paths).contains(row.key) }
        .map { $0.property.change(row, step) }
    }
  }
}

/// A property of an object that is observed.
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

  /// Whether the row holds something else now: what was set, and set back, is as it was.
  func isDifferent(_ row: Row, _ step: ObjectChanges) -> Bool {
    // A link in a mixed value may have lost its object, which what is stored does not say.
    guard let column, column.type != .mixed else { return true }
    return row.held(column, in: step.log.old) != row.held(column, in: step.log.new)
  }

  func change(_ row: Row, _ step: ObjectChanges) -> PropertyChange {
    guard let column, column.collection == .none else {
      return PropertyChange(name: name, oldValue: nil, newValue: nil)
    }
    return PropertyChange(
      name: name, oldValue: row.shown(column, in: step.log.old),
      newValue: row.shown(column, in: step.log.new))
  }
}

extension ObjectBase {
  /// What the program calls the property that a column is.
  fileprivate final func programName(of column: ColumnSchema) -> String {
    if self is DynamicObject { return column.name }
    return ObjectLayout.of(type(of: self)).properties.first { $0.columnName == column.name }?.name
      ?? column.name
  }
}

extension Row {
  /// What a property held in a state, without links that lead nowhere; nil where the row was not there.
  fileprivate func held(_ column: ColumnSchema, in state: Snapshot) -> [Value]? {
    let table = state.table(handle.table.schema)
    guard table.isLive(key), let column = table.schema.columns.first(where: { $0.id == column.id })
    else { return nil }
    guard column.target != nil else { return [table.value(column.position, at: key)] }
    guard column.collection != .none else {
      return [table.link(column.position, at: key).map { .int(Int64($0)) } ?? .null]
    }
    let links = table.collection(column, at: key)
    let target = table.target(of: column.position)
    return (0..<links.count).flatMap { place -> [Value] in
      let isThere = !links.isNull(at: place) && target?.isLive(Int(links.int(at: place))) == true
      guard column.collection == .map else { return isThere ? [links.value(at: place)] : [] }
      return [
        .string(String(decoding: links.key(at: place), as: UTF8.self)),
        isThere ? links.value(at: place) : .null,
      ]
    }
  }

  /// What a property held in a state, as programs see it; an object as it is now.
  func shown(_ column: ColumnSchema, in state: Snapshot) -> Any? {
    let table = state.table(handle.table.schema)
    guard table.isLive(key), let column = table.schema.columns.first(where: { $0.id == column.id })
    else { return nil }
    if let target = column.target {
      return table.link(column.position, at: key).flatMap { object(of: target, $0) }
    }
    let value = table.value(column.position, at: key)
    if case .link(let link) = value {
      return table.sibling(id: link.table).flatMap { object(of: $0.schema.name, link.key) }
    }
    return Bridge.any(value)
  }

  private func object(of name: String, _ key: Int) -> ObjectBase? {
    guard let handle = handle.session.handle(name) else { return nil }
    let type = handle.session.layout(named: name)?.type ?? DynamicObject.self
    return type.standing(at: Row(handle: handle, key: key))
  }
}
