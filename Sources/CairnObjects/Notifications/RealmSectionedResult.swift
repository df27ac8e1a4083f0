/// The common interface of sectioned results and of a single section, used for freezing and
/// observing.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {
  /// The type of the elements in a section.
  associatedtype SectionElement: RealmCollectionValue
  /// Returns the tracker that computes the changes. With key paths, only changes of those
  /// properties count as modifications.
  func _tracked(_ keyPaths: [String]?) -> TrackedSections<Self>
}

extension SectionedResults: RealmSectionedResult {
  /// Whether the sections are immutable, so that any thread may read them.
  public var isFrozen: Bool { sections.elements.isFrozen }

  /// Returns an immutable copy of the sections, which any thread may read.
  public func freeze() -> sending SectionedResults {
    sendingFrozen(
      isFrozen ? self : SectionedResults(sections.following(sections.elements.freeze())))
  }

  /// Returns the live sections for the caller's thread or actor, or nil if they divide a collection
  /// of an object that was deleted. Live sections return themselves.
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
  /// Whether the section is immutable, so that any thread may read it.
  public var isFrozen: Bool { sections.elements.isFrozen }

  /// Returns an immutable copy of the section, which any thread may read.
  public func freeze() -> sending ResultsSection {
    sendingFrozen(
      isFrozen ? self : ResultsSection(sections.following(sections.elements.freeze()), key: key))
  }

  /// Returns the live section for the caller's thread or actor, or nil if it divides a collection
  /// of an object that was deleted. A live section returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> ResultsSection? {
    if !isFrozen { return self }
    return sections.elements.thaw(_isolation: _isolation).map {
      ResultsSection(sections.following($0), key: key)
    }
  }

  public func _forAnyThread() -> ResultsSection { freeze() }

  public func _counterpart(in realm: Realm) -> ResultsSection? {
    sections.elements._counterpart(in: realm).map {
      ResultsSection(sections.following($0), key: key)
    }
  }
}
