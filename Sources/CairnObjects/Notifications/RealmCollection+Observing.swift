import Dispatch

extension RealmCollection {
  /// Calls the block with the collection's present content, and then with its change after each
  /// write.
  ///
  ///     let token = realm.objects(Dog.self).where { $0.age > 2 }.observe { changes in
  ///       switch changes {
  ///       case .initial(let dogs): show(dogs)
  ///       case .update(let dogs, let deletions, let insertions, let modifications): …
  ///       case .error: break
  ///       }
  ///     }
  ///
  /// The block is called later, in the isolation of the realm: at the next turn of its main queue,
  /// dispatch queue or actor, when the realm is refreshed, or before it writes, but never within a
  /// write transaction. Several writes may be reported as one change.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes count as modifications, such as `"name"` or
  ///     `"toys.name"`, or `"toys.*"` for all properties of the last level; nil or empty for all,
  ///     including those of linked objects up to four levels away. Names that the class does not
  ///     have are programming errors.
  ///   - queue: a serial queue to call the block on, with the collection in a realm of that queue;
  ///     nil for the realm of the collection.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    subscribe(on: queue, { $0.tracker(keyPaths) }, block: block)
  }

  /// Calls the block on an actor with the collection in a realm of that actor, and then with each
  /// change.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose changes count as modifications; nil or empty for all.
  ///   - actor: the actor that the block runs on. The block receives it isolated.
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await subscribe(
      on: actor, _isolation: _isolation, { $0.tracker(keyPaths) }, as: { $0 }, block: block)
  }

  /// The collection's present content, followed by its changes, as an asynchronous sequence.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// The collection's changes, with only changes of the given properties as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    changeSequence({ $0.tracker(keyPaths) }, as: { $0 })
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Calls the block with the collection's present content, and then with each change. Only changes
  /// of the given properties count as modifications.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: PropertyNames.paths(of: keyPaths), on: queue, block)
  }

  /// Calls the block on an actor with the collection's present content, and then with each change.
  /// Only changes of the given properties count as modifications.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: PropertyNames.paths(of: keyPaths), on: actor, _isolation: _isolation, block)
  }

  /// The collection's changes, with only changes of the given properties as modifications.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) -> ChangeSequence<RealmCollectionChange<Self>> {
    changes(keyPaths: PropertyNames.paths(of: keyPaths))
  }
}

extension PropertyNames {
  /// The properties as dotted strings.
  package static func paths<Root: ObjectBase>(of keyPaths: [PartialKeyPath<Root>]) -> [String] {
    keyPaths.map { path(of: $0) }
  }
}

/// A change of a collection since its observer was last notified.
///
/// The indices of one change belong together: removing the elements at `deletions` from the old
/// elements, and then inserting the new ones at `insertions`, yields the new elements.
@frozen
public enum RealmCollectionChange<CollectionType> {
  /// The collection's initial content.
  case initial(CollectionType)
  /// The difference from the last notification.
  ///
  /// - `deletions`: old indices of elements that were removed.
  /// - `insertions`: new indices of elements that were inserted.
  /// - `modifications`: old indices of elements that remain and have changed.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The store could not be read. This is the last notification.
  case error(any Error)
}

extension RealmCollectionChange: Sendable where CollectionType: Sendable {}
