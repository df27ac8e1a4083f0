/// What became of a collection since its observer was told of it last.
///
/// All places that are told of together are those of one step: the old elements without those at `deletions`, and with the
/// new ones at `insertions`, are the new elements.
@frozen
public enum RealmCollectionChange<CollectionType> {
  /// The collection as it is at first.
  case initial(CollectionType)
  /// What is different.
  ///
  /// - `deletions`: places of the old collection whose elements left it.
  /// - `insertions`: places of the new collection whose elements came to it.
  /// - `modifications`: places of the old collection whose elements stayed and changed.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// The store could not be read; nothing follows.
  case error(any Error)
}

extension RealmCollectionChange: Sendable where CollectionType: Sendable {}

/// What became of a map since its observer was told of it last.
@frozen
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The map as it is at first.
  case initial(Collection)
  /// What is different: the keys that went, that came, and those under which there is something else.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// The store could not be read; nothing follows.
  case error(any Error)
}

extension RealmMapChange: Sendable where Collection: Sendable, Collection.Key: Sendable {}
