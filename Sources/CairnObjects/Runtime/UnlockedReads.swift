import CairnStorage

/// The check of what a session reads from a store whose lock file it cannot write.
///
/// Other processes do not know which snapshot the session reads, and may reuse its pages.
struct UnlockedReads {
  /// The error of a snapshot that the session has left since the last check.
  private var fault: StoreError?
  /// The version whose reads were reported as unreliable.
  private var reported: UInt64?

  /// Notes whether what was read from a snapshot was reliable up to now, as the session reads
  /// another one from now on.
  mutating func leave(_ snapshot: Snapshot) {
    guard fault == nil, snapshot.version != reported else { return }
    do { try snapshot.requireKept() } catch { fault = error }
  }

  /// Throws if anything that was read since the last check may be wrong.
  ///
  /// - Parameter snapshot: The snapshot that the session reads, if it has one.
  mutating func check(_ snapshot: Snapshot?) throws(StoreError) {
    if let snapshot {
      do { try snapshot.requireKept() } catch {
        (reported, fault) = (snapshot.version, nil)
        throw error
      }
    }
    if let earlier = fault {
      fault = nil
      throw earlier
    }
  }
}

extension Realm {
  /// Throws if objects and results may have had wrong values since the last call, because the store
  /// was written while this realm read it without its lock file.
  ///
  /// A process without the permission to write the lock file reads a store unprotected:
  /// writers in other processes do not wait for it, and the second commit after the snapshot of the
  /// realm may change what the realm reads. Call this after the last read and before you use what
  /// was read. If it throws, call ``refresh()`` and read again. A realm that uses the lock file
  /// never throws here, and the call then costs next to nothing.
  ///
  /// ```swift
  /// let total: Int = realm.objects(City.self).sum(of: \.population)
  /// try realm.checkReads()
  /// ```
  ///
  /// For a frozen realm, the check is of its one snapshot.
  ///
  /// - Throws: `Realm.Error` with the code `fileAccess`.
  public func checkReads() throws {
    let session = checked
    do {
      if session.isFrozen {
        try session.snapshot.requireKept()
      } else {
        try session.unlockedReads?.check(session.state.snapshot)
      }
    } catch { throw Realm.Error(.fileAccess, description: error.message) }
  }
}
