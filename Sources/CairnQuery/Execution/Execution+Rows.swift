import CairnGeometry
import CairnStorage
import CairnValues

extension Execution {
  /// The result's keys in order, without running further than they are taken; they must be taken
  /// while the snapshot lives.
  package func makeCursor() -> KeyCursor { KeyCursor(self) }

  /// Metres on the sphere from the point that the result is ordered by to the location of a row;
  /// nil when it is ordered otherwise, or the row has no location.
  package func distance(of key: Int) -> Double? {
    plan.finalOrder?.first.radians(key).map { $0 * Sphere.radius }
  }

  /// Whether one row is among those that match, whatever the steps behind the predicate say.
  package func matches(_ key: Int) -> Bool {
    guard table.isLive(key), plan.source?.contains(key) ?? true else { return false }
    for filter in plan.filters where !filter.holds(key, workspace) { return false }
    return true
  }
}
