import CairnQuery
import CairnStorage

/// Finds what became of the elements of a collection, whatever holds them.
class SequenceTracker {
  /// Whether the object is gone whose collection it is: after that nothing more becomes of it.
  var isOver: Bool { false }

  /// Takes note of the elements as they are.
  func begin() throws {}

  /// Whether anything happened to the elements that somebody may see, whatever is observed.
  func isTouched(_ step: ObjectChanges) -> Bool { true }

  /// What became of them, up to the present state.
  func changes(_ step: ObjectChanges) throws -> Changes { Changes() }
}

extension RealmCollection {
  /// What finds out what becomes of the collection. Key paths that lead nowhere are programming errors.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmCollectionChange<Self>> {
    CollectionTracker(self, stored.elementTracker(keyPaths))
  }
}

extension Results {
  /// What finds out what becomes of the elements.
  func elementTracker(_ keyPaths: [String]?) -> SequenceTracker {
    switch content {
    case .objects(let found):
      let paths = ObservedPaths(keyPaths, of: found.handle, Element.self)
      if let place = found.wholeCollectionPlace { return LinksTracker(place, found.handle, paths) }
      return QueryTracker(found, paths)
    case .values(let values):
      if let keyPaths, !keyPaths.isEmpty {
        programmingError("Key paths name properties of objects, and '\(Element.self)' is none.")
      }
      if let stored = StoredValuesTracker(values) { return stored }
      return ValuesTracker(values)
    }
  }
}

extension ObservedPaths {
  /// What key paths of a program name, of objects or of projections of them; nil or none for everything. A mistake in
  /// them is a programming error.
  init(_ keyPaths: [String]?, of handle: ClassHandle, _ element: Any.Type) {
    guard let keyPaths, !keyPaths.isEmpty else {
      self = .everything
      return
    }
    let table = handle.table
    self = trapping {
      try ObservedPaths(keyPaths.map { PropertyKeyPath($0, of: element).text }, of: table)
    }
  }
}

/// Finds what became of a collection.
private final class CollectionTracker<Collection: RealmCollection>:
  Tracker<RealmCollectionChange<Collection>>
{
  private let collection: Collection
  private let elements: SequenceTracker

  init(_ collection: Collection, _ elements: SequenceTracker) {
    self.collection = collection
    self.elements = elements
  }

  override func begin() throws -> RealmCollectionChange<Collection>? {
    try elements.begin()
    isOver = elements.isOver
    return .initial(collection)
  }

  override func change(_ step: ObjectChanges) throws -> RealmCollectionChange<Collection>? {
    let changes = try elements.changes(step)
    isOver = elements.isOver
    if changes.isEmpty { return nil }
    return .update(
      collection, deletions: changes.deletions, insertions: changes.insertions,
      modifications: changes.modifications)
  }
}
