import Dispatch

extension ProjectionObservable {
  /// Calls the block with the projected properties that change, and when the object is deleted.
  ///
  /// The block is called at the same times as those of objects.
  ///
  /// - Parameters:
  ///   - keyPaths: the observed projected properties; empty for all. Other names are programming
  ///     errors.
  ///   - queue: a serial queue to call the block on, with a projection of the object in a realm of
  ///     that queue; nil for the realm of the object.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe(
    keyPaths: [String] = [], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { ProjectionTracker($0, keyPaths: keyPaths) }, block: block)
  }

  /// Calls the block when one of the given projected properties changes, and when the object is
  /// deleted.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: Self.names(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the projected properties that change, and when the object is
  /// deleted.
  ///
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<A: Actor>(
    keyPaths: [String] = [], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation, { ProjectionTracker($0, keyPaths: keyPaths) }, as: { $0 },
      block: block)
  }

  /// Calls the block on an actor when one of the given projected properties changes, and when the
  /// object is deleted.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: Self.names(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// The changes of the projection, as an asynchronous sequence, which ends when the object is
  /// deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: []) }

  /// The changes of the given projected properties, as an asynchronous sequence, which ends when
  /// the object is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]) -> ChangeSequence<ObjectChange<Self>> {
    changeSequence({ ProjectionTracker($0, keyPaths: keyPaths) }, as: { $0 })
  }

  /// The names of the projected properties that key paths lead to.
  static func names(of keyPaths: [PartialKeyPath<Self>]) -> [String] {
    let layout = (self as? any AnyProjection.Type)?.layout
    return keyPaths.map { keyPath in
      let trace = KeyPathTracer.Trace()
      _ = Self(projecting: KeyPathTracer.recorder(Root.self, trace: trace))[keyPath: keyPath]
      guard let property = layout?.properties.first(where: { $0.path == trace.names }) else {
        programmingError("The key path of '\(Self.self)' does not lead to a projected property.")
      }
      return property.name
    }
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Calls the block with the collection's present content, and then with each change. Only changes
  /// of the given projected properties count as modifications.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: Element.names(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the collection's present content, and then with each change.
  /// Only changes of the given projected properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: Element.names(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}
