import CairnQuery
import CairnStorage

/// A tracker of the changes of projected properties.
final class ProjectionTracker<Shown: ProjectionObservable>: Tracker<ObjectChange<Shown>> {
  private let projection: Shown
  private let row: Row
  private let properties: [(property: ProjectionLayout.Property, paths: ObservedPaths)]

  init(_ projection: Shown, keyPaths: [String]) {
    self.projection = projection
    row = projection.rootObject.managedRow
    let layout = ProjectionLayout.of(projection)
    layout?.requireStored()
    let all = layout?.properties ?? []
    let table = row.handle.table
    properties = ProjectionTracker.observed(keyPaths, among: all).map { property, paths in
      (property, orFatal { try ObservedPaths(paths, of: table) })
    }
  }

  /// The observed projected properties, with the paths to their values. A name is that of a
  /// projected property, or a key path of the underlying objects.
  private static func observed(
    _ names: [String], among all: [ProjectionLayout.Property]
  ) -> [(property: ProjectionLayout.Property, paths: [String])] {
    if names.isEmpty {
      return all.map { ($0, [$0.fullPath.joined(separator: ".")]) }
    }
    var observed: [(property: ProjectionLayout.Property, paths: [String])] = []
    for name in names {
      let found = properties(named: name, among: all)
      if found.isEmpty {
        programmingError("No projected property of '\(Shown.self)' is called or shows '\(name)'.")
      }
      for (property, path) in found {
        if let index = observed.firstIndex(where: { $0.property.name == property.name }) {
          observed[index].paths.append(path)
        } else {
          observed.append((property, [path]))
        }
      }
    }
    return observed
  }

  private static func properties(
    named name: String, among all: [ProjectionLayout.Property]
  ) -> [(property: ProjectionLayout.Property, path: String)] {
    if let property = all.first(where: { $0.name == name }) {
      return [(property, property.fullPath.joined(separator: "."))]
    }
    let first = KeyPathText.split(name).name
    return all.filter { $0.path.first == first }.map { ($0, name) }
  }

  /// False, because the observer already has the projection.
  override var hasBeginning: Bool { false }

  override func begin() -> ObjectChange<Shown>? { nil }

  override func change(_ step: ObjectChanges) -> ObjectChange<Shown>? {
    guard row.isLive else {
      isOver = true
      return .deleted
    }
    let changed = properties.filter {
      step.modified(row.handle.name, paths: $0.paths).contains(row.key)
    }
    if changed.isEmpty { return nil }
    let old = OldObject(projection.rootObject, in: step.log.old)
    return .change(
      projection,
      changed.map { property, _ in
        let pointer = property.pointer(in: projection)
        return PropertyChange(
          name: property.name, oldValue: old?.value(of: property, pointer: pointer),
          newValue: Bridge.unwrapped(
            property.wrapper.read(pointer, object: projection.rootObject)))
      })
  }
}

/// The state of an observed object before a change.
private struct OldObject {
  private let row: Row
  private let snapshot: Snapshot
  private let object: ObjectBase

  /// Returns nil if the snapshot does not have the object.
  init?(_ present: ObjectBase, in snapshot: Snapshot) {
    row = present.managedRow
    self.snapshot = snapshot
    let frozen = row.handle.session.observers.frozen(snapshot, of: row.handle.session)
    guard let handle = frozen.handle(row.handle.name), handle.isLive(row.key) else { return nil }
    object = type(of: present).instance(at: Row(handle: handle, key: row.key))
  }

  /// The value that the projection showed: an object in its present state, as in the changes of
  /// objects; nil for a collection, and for another value that holds an object.
  func value(of property: ProjectionLayout.Property, pointer: UnsafeMutableRawPointer) -> Any? {
    guard let value = Bridge.unwrapped(property.wrapper.read(pointer, object: object)) else {
      return nil
    }
    switch value {
    case let mixed as AnyRealmValue: return present(mixed)
    case is any ThreadConfined: return row.linked(along: property.path[...], in: snapshot)
    case is any _DynamicValue: return value
    default: return Self.holdsObject(value, depth: 4) ? nil : value
    }
  }

  private func present(_ mixed: AnyRealmValue) -> AnyRealmValue? {
    switch mixed {
    case .object(let old):
      let counterpart = old.row.flatMap { old in
        row.handle.session.handle(old.handle.name).map { Row(handle: $0, key: old.key) }
      }
      return counterpart.map { .object(type(of: old).instance(at: $0)) }
    case .list, .dictionary: return nil
    default: return mixed
    }
  }

  /// Whether a value of the program's own type holds an object of the old snapshot, which would keep
  /// the snapshot alive.
  private static func holdsObject(_ value: Any, depth: Int) -> Bool {
    if value is any ThreadConfined || value is AnyRealmValue { return true }
    return depth > 0
      && Mirror(reflecting: value).children.contains { holdsObject($0.value, depth: depth - 1) }
  }
}

extension Row {
  /// The object at the end of a path of links in a snapshot; nil if the path leads to or through a
  /// collection.
  fileprivate func linked(along path: ArraySlice<String>, in state: Snapshot) -> ObjectBase? {
    guard let name = path.first, let column = handle.table.schema.column(named: name),
      column.collection == .none, let object = shown(column, in: state) as? ObjectBase
    else { return nil }
    let rest = path.dropFirst()
    return rest.isEmpty ? object : object.row?.linked(along: rest, in: state)
  }
}
