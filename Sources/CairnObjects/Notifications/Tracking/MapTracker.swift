import CairnQuery
import CairnStorage

extension Map {
  /// What finds out what becomes of the map. Key paths that lead nowhere are programming errors.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmMapChange<Map>> {
    guard let place else {
      programmingError(
        "This method may only be called on \(Map.self) instances retrieved from a Realm.")
    }
    return MapTracker(self, place, keyPaths)
  }
}

/// Finds what became of a map.
private final class MapTracker<Key: _MapKey, Value: RealmCollectionValue>:
  Tracker<RealmMapChange<Map<Key, Value>>>
{
  private let map: Map<Key, Value>
  private let place: CollectionPlace
  private let target: ClassHandle?
  private let paths: ObservedPaths
  /// The entries that were told of, where the older state does not give them: of a map in a mixed value.
  private var held: [MapKey: StoredElement] = [:]

  init(_ map: Map<Key, Value>, _ place: CollectionPlace, _ keyPaths: [String]?) {
    self.map = map
    self.place = place
    target = place.elements.target
    paths = target.map { ObservedPaths(keyPaths, of: $0, Value.self) } ?? .everything
  }

  override func begin() -> RealmMapChange<Map<Key, Value>>? {
    if !place.isProperty { held = place.entries }
    return .initial(map)
  }

  override func change(_ step: ObjectChanges) -> RealmMapChange<Map<Key, Value>>? {
    isOver = place.isInvalidated
    let changes = mapChanges(step)
    if changes.isEmpty { return nil }
    return .update(
      map, deletions: changes.deletions.map { Key(_mapKey: $0) },
      insertions: changes.insertions.map { Key(_mapKey: $0) },
      modifications: changes.modifications.map { Key(_mapKey: $0) })
  }

  private func mapChanges(_ step: ObjectChanges) -> MapChanges {
    let modified = target.map { step.modified($0.name, paths) } ?? KeyRuns()
    guard place.mayDiffer(step, target) || !modified.isEmpty else { return MapChanges() }
    guard case .property(_, let column) = place.site else { return heldChanges() }
    return place.mapChanges(step, column, target, modified)
  }

  private func heldChanges() -> MapChanges {
    let old = held
    held = place.isInvalidated ? [:] : place.entries
    return MapChanges(from: old, to: held)
  }
}

extension CollectionPlace {
  fileprivate var isProperty: Bool { if case .property = site { true } else { false } }

  /// What became of a map in a property of its own. What leads to an object that changed, or was deleted, is modified.
  fileprivate func mapChanges(
    _ step: ObjectChanges, _ column: ColumnSchema, _ target: ClassHandle?, _ modified: KeyRuns
  ) -> MapChanges {
    guard let old = stored(in: step.log.old, column) else { return MapChanges() }
    guard let new = stored(in: step.log.new, column) else {
      var changes = MapChanges()
      changes.deletions = (0..<old.collection.count).map(old.collection.keyText)
      return changes
    }
    let gone = target.map { step.log.changes(of: $0.name).deleted } ?? KeyRuns()
    return withExtendedLifetime((old, new)) {
      MapChanges(from: old.collection, to: new.collection) { place in
        guard target != nil, !new.collection.isNull(at: place) else { return false }
        let key = Int(new.collection.int(at: place))
        return modified.contains(key) || gone.contains(key)
      }
    }
  }

  /// The entries of a map now.
  fileprivate var entries: [MapKey: StoredElement] {
    let elements = elements
    let all = elements.all
    return Dictionary(
      uniqueKeysWithValues: (0..<elements.count).map { (MapKey(elements.key(at: $0)), all[$0]) })
  }
}

extension MapChanges {
  /// What makes one map of another.
  fileprivate init(from old: [MapKey: StoredElement], to new: [MapKey: StoredElement]) {
    self.init()
    deletions = old.keys.filter { new[$0] == nil }.texts
    insertions = new.keys.filter { old[$0] == nil }.texts
    modifications =
      new.filter { key, element in old[key].map { $0 != element } ?? false }.keys.texts
  }
}

extension Sequence<MapKey> {
  /// The keys in their order.
  fileprivate var texts: [String] {
    sorted { MapKey.order($0, $1) == .less }.map(\.text)
  }
}
