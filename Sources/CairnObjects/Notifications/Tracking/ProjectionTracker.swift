import CairnQuery
import CairnStorage

/// Finds what became of the properties that a projection shows.
final class ProjectionTracker<Shown: ProjectionObservable>: Tracker<ObjectChange<Shown>> {
  private let projection: Shown
  private let row: Row
  private let properties: [(property: ProjectionLayout.Property, paths: ObservedPaths)]

  init(_ projection: Shown, _ keyPaths: [String]) {
    self.projection = projection
    row = projection.rootObject.managedRow
    let all = ProjectionLayout.of(projection)?.properties ?? []
    let table = row.handle.table
    properties = ProjectionTracker.properties(named: keyPaths, among: all).map { property in
      (
        property,
        trapping { try ObservedPaths([property.fullPath.joined(separator: ".")], of: table) }
      )
    }
  }

  private static func properties(
    named names: [String], among all: [ProjectionLayout.Property]
  ) -> [ProjectionLayout.Property] {
    if names.isEmpty { return all.filter { !$0.path.isEmpty } }
    return names.map { name in
      guard let property = all.first(where: { $0.name == name }) else {
        programmingError("Property '\(name)' is no projected property of '\(Shown.self)'.")
      }
      return property
    }
  }

  /// What it shows is known to who observes it.
  override var hasBeginning: Bool { false }

  override func change(_ step: ObjectChanges) -> ObjectChange<Shown>? {
    guard row.isLive else {
      isOver = true
      return .deleted
    }
    let changes = properties.filter {
      step.modified(row.handle.name, $0.paths).contains(row.key)
    }.map { property, _ in
      PropertyChange(
        name: property.name, oldValue: row.shown(along: property.path[...], in: step.log.old),
        newValue: row.shown(along: property.path[...], in: step.log.new))
    }
    return changes.isEmpty ? nil : .change(projection, changes)
  }
}

extension Row {
  /// What stood at the end of a way in a state, as programs see it; nil for collections, and behind them.
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
