import CairnObjects
import Foundation

/// What became of sections of results, or of one section, since the observer was told of them last.
///
/// An index path is the place of a section and the place in the section.
@frozen
public enum SectionedResultsChange<Collection: RealmSectionedResult> {
  /// The sections as they are at first.
  case initial(Collection)
  /// What is different.
  ///
  /// - `deletions`: old places of elements that left their section; not those of sections that are deleted.
  /// - `insertions`: new places of elements that came, also in sections that are inserted.
  /// - `modifications`: old places of elements that stayed and changed.
  /// - `sectionsToInsert`: new places of sections that came.
  /// - `sectionsToDelete`: old places of sections that went.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

extension SectionedResultsChange: Sendable where Collection: Sendable {}

extension SectionedResultsChange {
  /// What the library tells, in Foundation's words.
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
  fileprivate init(_ place: SectionChanges.Place) { self = [place.section, place.element] }
}
