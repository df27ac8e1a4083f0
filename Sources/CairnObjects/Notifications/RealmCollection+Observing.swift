import Dispatch

extension RealmCollection {
  /// Calls the block with the collection as it is, and from then on with what becomes of it after each write.
  ///
  ///     let token = realm.objects(Dog.self).where { $0.age > 2 }.observe { changes in
  ///       switch changes {
  ///       case .initial(let dogs): show(dogs)
  ///       case .update(let dogs, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is called by the owner of the realm, later: at the next turn of its main queue, queue or actor, when the realm
  /// is refreshed, or before it writes; never within a write transaction. Several writes may come as one change.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes count as modifications, such as `"name"` or `"toys.name"`, `"toys.*"`
  ///     for all of the last level; nil or none for all, and those of linked objects up to four levels away. Names that
  ///     the class does not have are programming errors.
  ///   - queue: a serial queue to call the block on, with the collection of a realm of that; nil for here.
  /// - Returns: what the calls last as long as.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    beObserved(on: queue, { $0.tracker(keyPaths) }, block)
  }

  /// Calls the block on an actor with the collection as a realm of that has it, and from then on with what becomes of it.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes count as modifications; nil or none for all.
  ///   - actor: where the block runs, which it is given isolated.
  /// - Returns: what the calls last as long as.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await beObserved(on: actor, _isolation: _isolation, { $0.tracker(keyPaths) }, as: { $0 }, block)
  }

  /// The collection as it is, and then what becomes of it, one change after the other.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// The same, where only changes of these properties count as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    beFollowed({ $0.tracker(keyPaths) }, as: { $0 })
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Calls the block with the collection, and then with what becomes of it, where only changes of these properties count as
  /// modifications.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the collection, and then with what becomes of it, where only changes of these
  /// properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// The collection, and then what becomes of it, where only changes of these properties count as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) -> ChangeSequence<RealmCollectionChange<Self>> {
    changes(keyPaths: PropertyNames.paths(of: keyPaths))
  }
}

extension PropertyNames {
  /// The properties as text.
  package static func paths<Root: ObjectBase>(of keyPaths: [PartialKeyPath<Root>]) -> [String] {
    keyPaths.map { path(of: $0) }
  }
}
