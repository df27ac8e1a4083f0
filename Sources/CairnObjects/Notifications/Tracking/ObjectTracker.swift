import CairnQuery
import CairnStorage

/// Finds what became of the properties of an object.
final class ObjectTracker<Shown>: Tracker<ObjectChange<Shown>> {
  private let shown: Shown
  private let row: Row
  private let properties: ObservedProperties

  /// - Parameter shown: what is handed to the observer.
  init<Observed: ObjectBase>(
    _ object: Observed, _ keyPaths: [String]?, _ shown: (Observed) -> Shown
  ) {
    self.shown = shown(object)
    row = object.managedRow
    properties = ObservedProperties(keyPaths, of: object)
  }

  /// What it shows is known to who observes it.
  override var hasBeginning: Bool { false }

  override func change(_ step: ObjectChanges) -> ObjectChange<Shown>? {
    guard row.isLive else {
      isOver = true
      return .deleted
    }
    let changes = properties.changes(row, step)
    return changes.isEmpty ? nil : .change(shown, changes)
  }
}
