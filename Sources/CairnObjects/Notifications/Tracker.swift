import CairnQuery
import CairnStorage
import CairnSystem

/// A tracker, which computes the changes of something in a session from one snapshot to the next.
package class Tracker<Change: ObservedChange> {
  /// Whether no more changes can follow.
  final var isOver = false

  /// Whether the observer is notified of the initial snapshot. It is, unless it already has what it
  /// observes.
  var hasBeginning: Bool { true }

  /// Returns the notification of the initial snapshot; nil if `hasBeginning` is false.
  func begin() throws -> Change? { requireOverride() }

  /// Returns the change; nil if nothing changed.
  ///
  /// - Parameter step: the changes of the store since the last snapshot. The session shows the
  ///   snapshot after them.
  func change(_ step: ObjectChanges) throws -> Change? { requireOverride() }
}

/// A notification that observers receive.
package protocol ObservedChange {
  /// The notification that the store could not be read; nil if the type has no case for it.
  static func failure(_ error: any Error) -> Self?
  /// The notification that the observed object no longer exists; nil if the type has no case for
  /// it.
  static var disappearance: Self? { get }
}

extension RealmCollectionChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
  package static var disappearance: Self? { nil }
}

extension RealmMapChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
  package static var disappearance: Self? { nil }
}

extension ObjectChange: ObservedChange {
  package static func failure(_ error: any Error) -> Self? { .error(error) }
  package static var disappearance: Self? { .deleted }
}

/// A tracker of the changes of a collection's elements, independent of the collection's type.
protocol SequenceTracker: AnyObject {
  /// Whether the object that owns the collection was deleted, so that no more changes can follow.
  var isOver: Bool { get }

  /// Stores the initial elements.
  func begin() throws

  /// Whether a step may have changed anything visible of the elements, whichever properties are
  /// observed.
  func isTouched(_ step: ObjectChanges) -> Bool

  /// Returns the changes of the elements up to the present snapshot.
  func changes(_ step: ObjectChanges) throws -> Changes
}

extension SequenceTracker {
  /// True, so that the elements are compared.
  func isTouched(_ step: ObjectChanges) -> Bool { true }
}

extension RealmCollection {
  /// Returns a tracker of the collection's changes. Invalid key paths are programming errors.
  func tracker(_ keyPaths: [String]?) -> Tracker<RealmCollectionChange<Self>> {
    CollectionTracker(self, elements: stored.elementTracker(keyPaths))
  }
}

extension Results {
  /// Returns a tracker of the elements' changes.
  func elementTracker(_ keyPaths: [String]?) -> any SequenceTracker {
    switch content {
    case .objects(let found):
      let paths = ObservedPaths(keyPaths, of: found.handle, element: Element.self)
      if let reference = found.wholeCollectionReference {
        return LinksTracker(reference, target: found.handle, paths: paths)
      }
      return QueryTracker(found, paths: paths)
    case .values(let values):
      if let keyPaths, !keyPaths.isEmpty {
        programmingError(
          "Key paths name properties of objects, and '\(Element.self)' is not a class of objects.")
      }
      if let stored = StoredValuesTracker(values) { return stored }
      return ValuesTracker(values)
    }
  }
}

extension ObservedPaths {
  /// Creates the paths that a program's key paths name, on objects or projections of them; nil or
  /// empty for everything. Invalid key paths are programming errors.
  init(_ keyPaths: [String]?, of handle: ClassHandle, element: Any.Type) {
    guard let keyPaths, !keyPaths.isEmpty else {
      self = .everything
      return
    }
    let table = handle.table
    self = orFatal {
      try ObservedPaths(keyPaths.map { PropertyKeyPath($0, of: element).text }, of: table)
    }
  }
}

/// A tracker of the changes of a collection.
private final class CollectionTracker<Collection: RealmCollection>:
  Tracker<RealmCollectionChange<Collection>>
{
  private let collection: Collection
  private let elements: any SequenceTracker

  init(_ collection: Collection, elements: any SequenceTracker) {
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
