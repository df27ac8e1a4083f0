import CairnStorage
import CairnValues

/// A variable for an object or a collection of a realm that any thread, task or actor may read: each gets its own, of a
/// realm of its own.
///
///     @ThreadSafe var dog = realm.objects(Dog.self).first
///     DispatchQueue.global().async { print(dog?.name ?? "deleted") }
///
/// Each read shows the latest state: the caller's realm is refreshed, unless it is in a write transaction or its
/// `autorefresh` is off. The variable keeps the old pages of the file since the last read from being used again.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable: what is held is frozen, and under a lock.
  private let held: Mutex<Held>

  private struct Held {
    var frozen: Confined?
    /// Counts the values that were set, so that a read does not undo one.
    var generation = 0
  }

  /// Holds something in a realm. Something in no realm is a programming error, and so is what the open write transaction
  /// added.
  public init(wrappedValue: Confined?) {
    nonisolated(unsafe) let held = Held(frozen: ThreadSafe.frozen(wrappedValue))
    self.held = Mutex(held)
  }

  /// What is held, in a realm of the caller's; nil when it was deleted.
  public var wrappedValue: Confined? {
    get {
      let held = self.held.withLock { Handover($0) }.value
      guard let frozen = held.frozen, let source = frozen.realm else { return nil }
      let session = trapping {
        try SessionRegistry.session(source.configuration, nil, isReused: true)
      }
      let realm = Realm(session)
      if session.isAtRest, session.autorefresh { realm.refresh() }
      let present = realm.counterpart(of: frozen)
      if session.isAtRest, session.snapshot.version > source.session.frozenVersion {
        replace(held, with: present)
      }
      return present
    }
    set {
      nonisolated(unsafe) let frozen = ThreadSafe.frozen(newValue)
      held.withLock { $0 = Held(frozen: frozen, generation: $0.generation + 1) }
    }
  }

  /// Lets a later state of the same be held, so that the old one need not be kept.
  private func replace(_ held: Held, with present: Confined?) {
    let generation = held.generation
    nonisolated(unsafe) let frozen = present?._forAnyThread()
    self.held.withLock { held in
      if held.generation == generation { held.frozen = frozen }
    }
  }

  private static func frozen(_ confined: Confined?) -> Confined? {
    guard let confined else { return nil }
    guard confined.realm != nil else {
      programmingError("Only managed objects may be wrapped as thread safe.")
    }
    return confined._forAnyThread()
  }
}
