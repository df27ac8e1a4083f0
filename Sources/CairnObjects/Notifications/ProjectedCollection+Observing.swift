import Dispatch

extension ProjectedCollection {
  /// Calls the block with the collection as it is, and from then on with what becomes of it.
  ///
  /// An element counts as modified when what it shows changes; the block is called when collections' observers are.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the objects behind it whose changes count as modifications instead; nil or none
  ///     for
  ///     the one that is shown.
  ///   - queue: a serial queue to call the block on, with the collection of a realm of that; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { $0.base.tracker(keyPaths) }, block)
  }

  /// Calls the block on an actor with the collection, and from then on with what becomes of it.
  ///
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
  ) async -> NotificationToken {
    await beObserved(
      on: actor, _isolation: _isolation, { $0.base.tracker(keyPaths) }, as: { $0 }, block)
  }
}
