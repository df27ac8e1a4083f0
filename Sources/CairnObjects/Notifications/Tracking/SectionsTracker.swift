import CairnQuery

/// Finds what became of sections, or of one of them.
final class SectionsTracker<Shown, Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  Tracker<SectionedChange<Shown>>
{
  private let shown: Shown
  private let sections: Sections<Key, Element>
  private let elements: SequenceTracker
  /// The one section that is observed; nil for all.
  private let only: Key?
  private var layout = SectionLayout<Key>()

  init(
    _ shown: Shown, _ sections: Sections<Key, Element>, only: Key? = nil, _ keyPaths: [String]?
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
    // Every element is asked for its section: only where one may have another.
    if changes.isEmpty, !elements.isTouched(step) { return nil }
    layout = present
    var found = old.changes(to: layout, changes)
    if let only {
      found = found.of(old.keys.firstIndex(of: only), layout.keys.firstIndex(of: only))
    }
    return found.isEmpty ? nil : .update(shown, found)
  }

  private var present: SectionLayout<Key> {
    elements.isOver ? SectionLayout() : SectionLayout(sections.all.map { ($0.key, $0.places) })
  }
}

/// How sections are observed: opaque to programs.
public struct TrackedSections<Shown> {
  package let tracker: Tracker<SectionedChange<Shown>>
}

extension SectionedResults {
  public func _tracked(_ keyPaths: [String]?) -> TrackedSections<SectionedResults> {
    TrackedSections(tracker: SectionsTracker(self, sections, keyPaths))
  }
}

extension ResultsSection {
  public func _tracked(_ keyPaths: [String]?) -> TrackedSections<ResultsSection> {
    TrackedSections(tracker: SectionsTracker(self, sections, only: key, keyPaths))
  }
}
