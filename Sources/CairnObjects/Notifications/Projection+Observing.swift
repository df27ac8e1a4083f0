import Dispatch

extension ProjectionObservable {
  /// Calls the block with the projected properties whose objects' properties change, and when the object is deleted.
  ///
  /// It is called when objects' observers are.
  ///
  /// - Parameters:
  ///   - keyPaths: the projected properties that are told of; none for all. Other names are programming errors.
  ///   - queue: a serial queue to call the block on, with the projection of an object of a realm of that; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe(
    keyPaths: [String] = [], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { ProjectionTracker($0, keyPaths) }, block)
  }

  /// Calls the block when one of these projected properties changes, and when the object is deleted.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: Self.names(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the projected properties that change, and when the object is deleted.
  ///
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor>(
    keyPaths: [String] = [], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await beObserved(
      on: actor, _isolation: _isolation, { ProjectionTracker($0, keyPaths) }, as: { $0 }, block)
  }

  /// Calls the block on an actor when one of these projected properties changes, and when the object is deleted.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: Self.names(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// What becomes of what is projected, one change after the other; ends when the object is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: []) }

  /// The changes of these projected properties, one after the other; ends when the object is deleted.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]) -> ChangeSequence<ObjectChange<Self>> {
    beFollowed({ ProjectionTracker($0, keyPaths) }, as: { $0 })
  }

  /// The names of the projected properties that key paths lead to.
  static func names(of keyPaths: [PartialKeyPath<Self>]) -> [String] {
    let layout = (self as? any AnyProjection.Type)?.layout
    return keyPaths.map { keyPath in
      let trail = KeyPathTracer.Trail()
      _ = Self(projecting: KeyPathTracer.recorder(Root.self, trail))[keyPath: keyPath]
      guard let property = layout?.properties.first(where: { $0.path == trail.names }) else {
        programmingError("The key path of '\(Self.self)' leads to no projected property.")
      }
      return property.name
    }
  }
}

extension RealmCollection where Element: ProjectionObservable {
  /// Calls the block with the collection, and then with what becomes of it, where only changes of these projected properties
  /// count as modifications.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: Element.names(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the collection, and then with what becomes of it, where only changes of these
  /// projected properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: Element.names(of: keyPaths), on: actor, _isolation: _isolation, block)
  }
}
