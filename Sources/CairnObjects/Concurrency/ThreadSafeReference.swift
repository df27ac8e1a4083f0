import CairnStorage
import CairnValues

/// Takes an object or a collection of a realm to another thread, queue or actor, where the realm of that resolves it.
///
///     let reference = ThreadSafeReference(to: dog)
///     Task.detached {
///       let realm = try await Realm.open()
///       guard let dog = realm.resolve(reference) else { return }
///     }
///
/// Until it is resolved or let go of it keeps old pages of the file from being used again. A frozen object, which stays
/// as it is, may be sent without one.
public struct ThreadSafeReference<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable: what is held is frozen, and under a lock.
  private let held: Mutex<Confined?>

  /// A reference to something in a realm. Something in no realm is a programming error, and so is what was deleted, and
  /// what the open write transaction added.
  public init(to confined: Confined) {
    guard confined.realm != nil else {
      programmingError(
        "Cannot construct reference to unmanaged object, which can be passed across threads directly"
      )
    }
    if confined.isInvalidated {
      programmingError("Cannot construct reference to invalidated object")
    }
    nonisolated(unsafe) let frozen = confined._forAnyThread()
    held = Mutex(frozen)
  }

  /// Whether it was resolved already.
  public var isInvalidated: Bool { held.withLock { $0 == nil } }

  /// What is referred to, in a realm; once.
  fileprivate func resolve(in realm: Realm) -> Confined? {
    let taken = Handover(
      held.withLock { held in
        defer { held = nil }
        return Handover(held)
      }.value)
    guard let confined = taken.value else {
      programmingError("Can only resolve a thread safe reference once.")
    }
    return realm.counterpart(of: confined)
  }
}

extension Realm {
  /// What a reference refers to, in this realm; nil when it was deleted meanwhile.
  ///
  /// The realm moves on to the latest state where it is older than the reference. A reference resolves once, in a realm of
  /// the same store; anything else is a programming error.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    reference.resolve(in: self)
  }

  /// The same as something frozen, in this realm.
  func counterpart<Confined: ThreadConfined>(of frozen: Confined) -> Confined? {
    guard let source = frozen.realm?.session else { return nil }
    let session = checked
    guard source.store.path == session.store.path else {
      programmingError(
        "Cannot resolve thread safe reference in Realm with different configuration than the source Realm."
      )
    }
    if session.transaction == nil, session.snapshot.version < source.frozenVersion { refresh() }
    return frozen._counterpart(in: self)
  }
}
