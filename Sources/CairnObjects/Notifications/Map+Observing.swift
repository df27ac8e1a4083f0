import Dispatch

extension Map {
  /// Calls the block with the map as it is, and from then on with the keys that change, when collections' observers are
  /// called too.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of objects in the map whose changes count as modifications; nil or none for all.
  ///   - queue: a serial queue to call the block on, with the map of a realm of that; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { $0.tracker(keyPaths) }, block)
  }

  /// Calls the block on an actor with the map as a realm of that has it, and from then on with the keys that change.
  ///
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await beObserved(on: actor, _isolation: _isolation, { $0.tracker(keyPaths) }, as: { $0 }, block)
  }

  /// The map as it is, and then the keys that change, one change after the other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<RealmMapChange<Map>> { changes(keyPaths: nil) }

  /// The same, where only changes of these properties of objects in the map count as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmMapChange<Map>> {
    beFollowed({ $0.tracker(keyPaths) }, as: { $0 })
  }
}

extension Map {
  /// Calls the block with the map, and then with the keys that change, where only changes of these properties of its objects
  /// count as modifications.
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == T? {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the map, and then with the keys that change, where only changes of these properties of
  /// its objects count as modifications.
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == T? {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}
