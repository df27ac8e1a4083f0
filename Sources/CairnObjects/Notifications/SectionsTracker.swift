import CairnQuery

/// A tracker of the changes of all sections, or of one of them.
final class SectionsTracker<Shown, Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  Tracker<SectionedChange<Shown>>
{
  private let shown: Shown
  private let sections: Sections<Key, Element>
  private let elements: any SequenceTracker
  /// The one section that is observed; nil for all.
  private let only: Key?
  private var layout = SectionLayout<Key>()

  init(
    _ shown: Shown, sections: Sections<Key, Element>, only: Key? = nil, keyPaths: [String]?
  ) {
    self.shown = shown
    self.sections = sections
    self.only = only
    elements = sections.elements.elementTracker(keyPaths)
  }

  override func begin() throws -> SectionedChange<Shown>? {
    try elements.begin()
    isOver = elements.isOver
    layout = present
    return .initial(shown)
  }

  override func change(_ step: ObjectChanges) throws -> SectionedChange<Shown>? {
    let old = layout
    let changes = try elements.changes(step)
    isOver = elements.isOver
    // Computing the section of every element is expensive, so it happens only if one may have
    // changed.
    if changes.isEmpty, !elements.isTouched(step) { return nil }
    layout = present
    var found = old.changes(to: layout, changes)
    if let only {
      found = found.of(old.keys.firstIndex(of: only), new: layout.keys.firstIndex(of: only))
    }
    return found.isEmpty ? nil : .update(shown, found)
  }

  private var present: SectionLayout<Key> {
    elements.isOver ? SectionLayout() : SectionLayout(sections.all.map { ($0.key, $0.indexes) })
  }
}

/// A tracker of sections, opaque to programs.
public struct TrackedSections<Shown> {
  package let tracker: Tracker<SectionedChange<Shown>>
}

extension SectionedResults {
  public func _tracked(_ keyPaths: [String]?) -> TrackedSections<SectionedResults> {
    TrackedSections(tracker: SectionsTracker(self, sections: sections, keyPaths: keyPaths))
  }
}

extension ResultsSection {
  public func _tracked(_ keyPaths: [String]?) -> TrackedSections<ResultsSection> {
    TrackedSections(
      tracker: SectionsTracker(self, sections: sections, only: key, keyPaths: keyPaths))
  }
}

/// The difference between old and new sections. It is exact: remove the sections at
/// `sectionsToDelete` from the old sections, and the elements at `deletions` from the others; then
/// insert new sections at `sectionsToInsert` and the elements at `insertions`. The result is the
/// new sections.
package struct SectionChanges: Equatable {
  /// The position of an element: the index of its section, and its index in the section.
  package struct Position: Hashable, Comparable {
    package let section: Int
    package let element: Int

    package static func < (a: Position, b: Position) -> Bool {
      (a.section, a.element) < (b.section, b.element)
    }
  }

  /// Old positions, except those in deleted sections.
  package var deletions: [Position] = []
  /// New positions, including those in inserted sections.
  package var insertions: [Position] = []
  /// Old positions.
  package var modifications: [Position] = []
  /// New indices of sections.
  package var sectionsToInsert: [Int] = []
  /// Old indices of sections.
  package var sectionsToDelete: [Int] = []

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// The changes of one section, given its old and its new index.
  func of(_ old: Int?, new: Int?) -> SectionChanges {
    var part = SectionChanges()
    part.deletions = deletions.filter { $0.section == old }
    part.insertions = insertions.filter { $0.section == new }
    part.modifications = modifications.filter { $0.section == old }
    part.sectionsToInsert = sectionsToInsert.filter { $0 == new }
    part.sectionsToDelete = sectionsToDelete.filter { $0 == old }
    return part
  }
}

/// A change of all sections, or of one.
package enum SectionedChange<Collection>: ObservedChange {
  case initial(Collection)
  case update(Collection, SectionChanges)

  package static func failure(_ error: any Error) -> Self? { nil }
  package static var disappearance: Self? { nil }
}

/// The division of results into sections.
struct SectionLayout<Key: Hashable> {
  /// The keys of the sections.
  let keys: [Key]
  /// The position in the sections of each element, by its index in the results.
  let positions: [SectionChanges.Position]

  init() {
    keys = []
    positions = []
  }

  init(_ sections: [(key: Key, indexes: [Int])]) {
    keys = sections.map(\.key)
    let blank = SectionChanges.Position(section: 0, element: 0)
    var positions = Array(repeating: blank, count: sections.reduce(0) { $0 + $1.indexes.count })
    for (number, section) in sections.enumerated() {
      for (element, index) in section.indexes.enumerated() {
        positions[index] = SectionChanges.Position(section: number, element: element)
      }
    }
    self.positions = positions
  }

  /// The changes of the sections, given the changes of the elements.
  func changes(to new: SectionLayout, _ changes: Changes) -> SectionChanges {
    var found = SectionChanges()
    let successors = sectionSuccessors(new, found: &found)
    let deleted = Set(changes.deletions)
    let modified = Set(changes.modifications)
    var stayed = Set<Int>()
    for index in positions.indices where !deleted.contains(index) {
      let now = changes.newIndex(ofOld: index)
      // An element that moved to another section is deleted from the old one and inserted into the
      // new one.
      guard successors[positions[index].section] == new.positions[now].section else { continue }
      if modified.contains(index) {
        // So does, as in Realm, a changed element that has another index in its section.
        guard positions[index].element == new.positions[now].element else { continue }
        found.modifications.append(positions[index])
      }
      stayed.insert(now)
    }
    let removed = changes.deletedOrMoved(positions.count, stayed: stayed)
    found.deletions = removed.map { positions[$0] }
      .filter { successors[$0.section] != nil }.sorted()
    found.insertions = new.positions.indices.filter { !stayed.contains($0) }.map {
      new.positions[$0]
    }
    .sorted()
    found.modifications.sort()
    return found
  }

  /// The new index of each remaining section, by its old index. The other sections are deleted, and
  /// inserted again if they reappear.
  private func sectionSuccessors(
    _ new: SectionLayout, found: inout SectionChanges
  ) -> [Int: Int] {
    let changes = Changes(from: keys, to: new.keys, pairs: false)
    found.sectionsToDelete = changes.deletions
    found.sectionsToInsert = changes.insertions
    let deleted = Set(changes.deletions)
    var successors: [Int: Int] = [:]
    for index in keys.indices where !deleted.contains(index) {
      successors[index] = changes.newIndex(ofOld: index)
    }
    return successors
  }
}

extension Changes {
  /// The old indices of elements that were deleted, or that did not remain in their sections.
  fileprivate func deletedOrMoved(_ count: Int, stayed: Set<Int>) -> [Int] {
    let deleted = Set(deletions)
    return (0..<count).filter { deleted.contains($0) || !stayed.contains(newIndex(ofOld: $0)) }
  }
}
