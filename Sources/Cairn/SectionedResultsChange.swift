import CairnObjects
import Dispatch
import Foundation

/// A change of sectioned results, or of a single section, since the last notification.
///
/// An index path consists of the index of a section and the index within that section.
@frozen
public enum SectionedResultsChange<Collection: RealmSectionedResult> {
  /// The sections at the time of the registration.
  case initial(Collection)
  /// The differences from the previous notification.
  ///
  /// - `deletions`: The old index paths of elements that left their section, except those in
  ///   deleted sections.
  /// - `insertions`: The new index paths of inserted elements, including those in inserted
  ///   sections.
  /// - `modifications`: The old index paths of elements that changed but stayed in their section.
  /// - `sectionsToInsert`: The new indexes of inserted sections.
  /// - `sectionsToDelete`: The old indexes of deleted sections.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

extension SectionedResultsChange: Sendable where Collection: Sendable {}

extension SectionedResultsChange {
  /// Converts a change of the library to Foundation's types.
  init(_ change: SectionedChange<Collection>) {
    switch change {
    case .initial(let collection): self = .initial(collection)
    case .update(let collection, let changes):
      self = .update(
        collection, deletions: changes.deletions.map { IndexPath($0) },
        insertions: changes.insertions.map { IndexPath($0) },
        modifications: changes.modifications.map { IndexPath($0) },
        sectionsToInsert: IndexSet(changes.sectionsToInsert),
        sectionsToDelete: IndexSet(changes.sectionsToDelete))
    }
  }
}

extension IndexPath {
  fileprivate init(_ position: SectionChanges.Position) {
    self = [position.section, position.element]
  }
}

extension RealmSectionedResult {
  /// Registers a block that receives the current sections, or section, and then each change.
  ///
  /// The block is called at the same times as the observers of results.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count as modifications. With nil or an empty array,
  ///     all properties count.
  ///   - queue: The serial queue on which the block is called with an instance from that queue's
  ///     realm, or nil for the caller's thread or actor.
  ///   - block: Receives the initial state and the changes.
  /// - Returns: A token; the block is called as long as the token is held.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { $0._tracked(keyPaths).tracker }) { block(SectionedResultsChange($0)) }
  }

  /// Registers a block that an actor calls with the current sections, or section, and then with
  /// each change.
  ///
  /// - Returns: A token; the block is called as long as the token is held.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation, { $0._tracked(keyPaths).tracker },
      as: { SectionedResultsChange($0) }, block: block)
  }

  /// An asynchronous sequence of the changes.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<SectionedResultsChange<Self>> { changes(keyPaths: nil) }

  /// Returns an asynchronous sequence of the changes in which only changes of the given properties
  /// count as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<SectionedResultsChange<Self>> {
    changeSequence({ $0._tracked(keyPaths).tracker }, as: { SectionedResultsChange($0) })
  }
}

extension RealmSectionedResult where SectionElement: ObjectBase {
  /// Registers a block that receives the current sections, or section, and then each change. Only
  /// changes of the given properties count as modifications.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Registers a block that an actor calls with the current sections, or section, and then with
  /// each change. Only changes of the given properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}

extension SectionedResults {
  /// The element at an index path of two indexes: the section, and the element within the section.
  public subscript(indexPath: IndexPath) -> SectionElement {
    guard indexPath.count == 2 else {
      programmingError("An index path into sections has two indexes, not \(indexPath.count).")
    }
    return self[indexPath[0]][indexPath[1]]
  }
}
