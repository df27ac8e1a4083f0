import Dispatch

extension Map {
  /// Calls the block with the map's present content, and then with each change to its keys, at the
  /// same times as for other collections.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of objects in the map whose changes count as modifications; nil
  ///     or empty for all.
  ///   - queue: a serial queue to call the block on, with the map in a realm of that queue; nil for
  ///     the realm of the map.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { $0.tracker(keyPaths) }, block: block)
  }

  /// Calls the block on an actor with the map in a realm of that actor, and then with each change
  /// to its keys.
  ///
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation, { $0.tracker(keyPaths) }, as: { $0 }, block: block)
  }

  /// The map's present content, followed by the changes to its keys, as an asynchronous sequence.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<RealmMapChange<Map>> { changes(keyPaths: nil) }

  /// The changes to the map's keys, with only changes of the given properties of its objects as
  /// modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmMapChange<Map>> {
    changeSequence({ $0.tracker(keyPaths) }, as: { $0 })
  }
}

extension Map {
  /// Calls the block with the map's present content, and then with each change to its keys. Only
  /// changes of the given properties of its objects count as modifications.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == T? {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the map's present content, and then with each change to its
  /// keys. Only changes of the given properties of its objects count as modifications.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == T? {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}
