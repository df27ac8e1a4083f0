import CairnQuery
import CairnStorage

extension Map {
  /// Returns a tracker of the map's changes. Invalid key paths are programming errors.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmMapChange<Map>> {
    guard let reference else {
      programmingError(
        "This method may only be called on \(Map.self) instances retrieved from a Realm.")
    }
    return MapTracker(self, reference: reference, keyPaths: keyPaths)
  }
}

/// A tracker of the changes of a map.
private final class MapTracker<Key: _MapKey, Value: RealmCollectionValue>:
  Tracker<RealmMapChange<Map<Key, Value>>>
{
  private let map: Map<Key, Value>
  private let reference: CollectionReference
  private let target: ClassHandle?
  private let paths: ObservedPaths
  /// The entries of the last notification, kept for a map in a mixed value because the older
  /// snapshot cannot return it.
  private var lastEntries: [MapKey: StoredElement] = [:]

  init(_ map: Map<Key, Value>, reference: CollectionReference, keyPaths: [String]?) {
    self.map = map
    self.reference = reference
    target = reference.elements.target
    paths = target.map { ObservedPaths(keyPaths, of: $0, element: Value.self) } ?? .everything
  }

  override func begin() -> RealmMapChange<Map<Key, Value>>? {
    if !reference.isProperty { lastEntries = reference.entries }
    return .initial(map)
  }

  override func change(_ step: ObjectChanges) -> RealmMapChange<Map<Key, Value>>? {
    isOver = reference.isInvalidated
    let changes = mapChanges(step)
    if changes.isEmpty { return nil }
    return .update(
      map, deletions: changes.deletions.map { Key(_mapKey: $0) },
      insertions: changes.insertions.map { Key(_mapKey: $0) },
      modifications: changes.modifications.map { Key(_mapKey: $0) })
  }

  private func mapChanges(_ step: ObjectChanges) -> MapChanges {
    let modified = target.map { step.modified($0.name, paths: paths) } ?? KeyRangeSet()
    guard reference.mayDiffer(step, target: target) || !modified.isEmpty else {
      return MapChanges()
    }
    guard case .property(_, let column) = reference.site else { return entryChanges() }
    return reference.mapChanges(step, column: column, target: target, modified: modified)
  }

  private func entryChanges() -> MapChanges {
    let old = lastEntries
    lastEntries = reference.isInvalidated ? [:] : reference.entries
    return MapChanges(from: old, to: lastEntries)
  }
}

extension CollectionReference {
  fileprivate var isProperty: Bool { if case .property = site { true } else { false } }

  /// The changes of a map in a property. A link to an object that was changed or deleted counts as
  /// modified.
  fileprivate func mapChanges(
    _ step: ObjectChanges, column: ColumnSchema, target: ClassHandle?, modified: KeyRangeSet
  ) -> MapChanges {
    guard let old = stored(in: step.log.old, column) else { return MapChanges() }
    guard let new = stored(in: step.log.new, column) else {
      var changes = MapChanges()
      changes.deletions = (0..<old.collection.count).map(old.collection.keyText)
      return changes
    }
    let deleted = target.map { step.log.changes(of: $0.name).deleted } ?? KeyRangeSet()
    return withExtendedLifetime((old, new)) {
      MapChanges(from: old.collection, to: new.collection) { index in
        guard target != nil, !new.collection.isNull(at: index) else { return false }
        let key = Int(new.collection.int(at: index))
        return modified.contains(key) || deleted.contains(key)
      }
    }
  }

  /// The present entries of a map.
  fileprivate var entries: [MapKey: StoredElement] {
    let elements = elements
    let all = elements.all
    return Dictionary(
      uniqueKeysWithValues: (0..<elements.count).map { (MapKey(elements.key(at: $0)), all[$0]) })
  }
}

extension MapChanges {
  /// Creates the changes from one map to another.
  fileprivate init(from old: [MapKey: StoredElement], to new: [MapKey: StoredElement]) {
    self.init()
    deletions = old.keys.filter { new[$0] == nil }.texts
    insertions = new.keys.filter { old[$0] == nil }.texts
    modifications =
      new.filter { key, element in old[key].map { $0 != element } ?? false }.keys.texts
  }
}

extension Sequence<MapKey> {
  /// The keys in sorted order.
  fileprivate var texts: [String] {
    sorted { MapKey.order($0, b: $1) == .less }.map(\.text)
  }
}
