import CairnValues

/// A variable for an object or a collection of a realm that any thread, task or actor may read: each gets its own, of a
/// realm of its own.
///
///     @ThreadSafe var dog = realm.objects(Dog.self).first
///     DispatchQueue.global().async { print(dog?.name ?? "deleted") }
///
/// It keeps old pages of the file from being used again, as a frozen object does. Inside a write transaction it can be
/// neither set nor, by another realm, read.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable: what is held is frozen, and under a lock.
  private let held: Mutex<Confined?>

  /// Holds something in a realm; of what is in none it is a programming error.
  public init(wrappedValue: Confined?) {
    nonisolated(unsafe) let frozen = ThreadSafe.frozen(wrappedValue)
    held = Mutex(frozen)
  }

  /// What is held, in a realm of the caller's; nil when it was deleted.
  public var wrappedValue: Confined? {
    get {
      guard let frozen = held.withLock({ Handover($0) }).value, let realm = frozen.realm else {
        return nil
      }
      return trapping { try Realm(configuration: realm.configuration, _isolation: nil) }
        .counterpart(of: frozen)
    }
    set {
      nonisolated(unsafe) let frozen = ThreadSafe.frozen(newValue)
      held.withLock { $0 = frozen }
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
