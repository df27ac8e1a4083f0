/// What sections of results and each of them are to those who observe them.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {
  /// What the elements of a section are.
  associatedtype SectionElement: RealmCollectionValue
  /// What finds out what becomes of this; with key paths only changes of these properties count as modifications.
  func _tracked(_ keyPaths: [String]?) -> TrackedSections<Self>
}

extension SectionedResults: RealmSectionedResult {
  /// Whether the sections stay as they are, and may be read by any thread.
  public var isFrozen: Bool { sections.elements.isFrozen }

  /// The sections as they are now, for good: any thread may read them.
  public func freeze() -> sending SectionedResults {
    nonisolated(unsafe) let frozen =
      isFrozen ? self : SectionedResults(sections.following(sections.elements.freeze()))
    return frozen
  }

  /// The live sections for the caller's thread or actor; nil when the object was deleted whose collection is divided.
  /// Live ones themselves.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> SectionedResults? {
    if !isFrozen { return self }
    return sections.elements.thaw(_isolation: _isolation).map {
      SectionedResults(sections.following($0))
    }
  }

  public func _forAnyThread() -> SectionedResults { freeze() }

  public func _counterpart(in realm: Realm) -> SectionedResults? {
    sections.elements._counterpart(in: realm).map { SectionedResults(sections.following($0)) }
  }
}

extension ResultsSection: RealmSectionedResult {
  /// Whether the section stays as it is, and may be read by any thread.
  public var isFrozen: Bool { sections.elements.isFrozen }

  /// The section as it is now, for good: any thread may read it.
  public func freeze() -> sending ResultsSection {
    nonisolated(unsafe) let frozen =
      isFrozen ? self : ResultsSection(sections.following(sections.elements.freeze()), key)
    return frozen
  }

  /// The live section for the caller's thread or actor; nil when the object was deleted whose collection is divided. A live
  /// one itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> ResultsSection? {
    if !isFrozen { return self }
    return sections.elements.thaw(_isolation: _isolation).map {
      ResultsSection(sections.following($0), key)
    }
  }

  public func _forAnyThread() -> ResultsSection { freeze() }

  public func _counterpart(in realm: Realm) -> ResultsSection? {
    sections.elements._counterpart(in: realm).map { ResultsSection(sections.following($0), key) }
  }
}
