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
    let all = ProjectionLayout.of(projection)?.properties ?? []
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
      return all.filter { !$0.path.isEmpty }.map { ($0, [$0.fullPath.joined(separator: ".")]) }
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
    let changes = properties.filter {
      step.modified(row.handle.name, paths: $0.paths).contains(row.key)
    }.map { property, _ in
      PropertyChange(
        name: property.name,
        oldValue: property.wrapper.shown(row.shown(along: property.path[...], in: step.log.old)),
        newValue: Bridge.unwrapped(
          property.wrapper.read(property.pointer(in: projection), object: projection.rootObject)))
    }
    return changes.isEmpty ? nil : .change(projection, changes)
  }
}

extension Row {
  /// The stored value at the end of a path in a snapshot; nil for collections and for paths through
  /// them.
  fileprivate func shown(along path: ArraySlice<String>, in state: Snapshot) -> Any? {
    guard let name = path.first, let column = handle.table.schema.column(named: name),
      column.collection == .none
    else { return nil }
    let value = shown(column, in: state)
    let rest = path.dropFirst()
    if rest.isEmpty { return value }
    return (value as? ObjectBase)?.row?.shown(along: rest, in: state)
  }
}
