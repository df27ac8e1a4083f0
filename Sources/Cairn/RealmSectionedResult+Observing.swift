import CairnObjects
import Dispatch

extension RealmSectionedResult {
  /// Calls the block with the sections, or the section, at first, and from then on with what becomes of it.
  ///
  /// It is called when observers of the results are.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes count as modifications; nil or none for all.
  ///   - queue: a serial queue to call the block on, with that of a realm of the queue; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { $0._tracked(keyPaths).tracker }) { block(SectionedResultsChange($0)) }
  }

  /// Calls the block on an actor with the sections, or the section, at first, and from then on with what becomes of it.
  ///
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await beObserved(
      on: actor, _isolation: _isolation, { $0._tracked(keyPaths).tracker },
      as: { SectionedResultsChange($0) }, block)
  }

  /// What becomes of it, one change after the other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<SectionedResultsChange<Self>> { changes(keyPaths: nil) }

  /// The same, where only changes of these properties count as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<SectionedResultsChange<Self>> {
    beFollowed({ $0._tracked(keyPaths).tracker }, as: { SectionedResultsChange($0) })
  }
}

extension RealmSectionedResult where SectionElement: ObjectBase {
  /// Calls the block with the sections, or the section, at first, and then with what becomes of it, where only changes of these properties count
  /// as modifications.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the sections, or the section, at first, and then with what becomes of it, where only changes of these
  /// properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}
