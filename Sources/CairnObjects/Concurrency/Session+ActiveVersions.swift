import CairnStorage

extension Session {
  /// Drops a transaction whose commit would leave more states than the configuration allows.
  ///
  /// - Throws: `Realm.Error` then.
  func checkActiveVersions(_ open: WriteTransaction) throws {
    guard let most = configuration.maximumNumberOfActiveVersions else { return }
    // The session goes on to what it commits: the state that it comes from does not count.
    shownSnapshot = nil
    let count = open.activeVersionCount
    guard count > most else { return }
    open.rollback()
    throw Realm.Error(
      .fail,
      "Number of active versions (\(count)) in the Realm exceeded the limit of \(most): somebody still reads an old "
        + "state. Let go of frozen objects, refresh realms of bare threads, or raise maximumNumberOfActiveVersions.")
  }
}

extension Realm {
  /// How many states of the store there are from the oldest that anybody holds, in any process, to the newest, both
  /// counted. Where it goes on growing somebody holds an old state, and the file grows.
  public var numberOfActiveVersions: UInt {
    let held = checked.store.heldVersions()
    guard let oldest = held.first, let newest = try? checked.store.snapshot().version else {
      return 1
    }
    return UInt(newest - min(oldest, newest) + 1)
  }
}
