import CairnStorage
import CairnSystem
import CairnValues

/// A reference that carries an object or a collection of a realm to another thread, queue or actor,
/// whose realm resolves it.
///
///     let reference = ThreadSafeReference(to: dog)
///     Task.detached {
///       let realm = try await Realm.open()
///       guard let dog = realm.resolve(reference) else { return }
///     }
///
/// Until the reference is resolved or released it pins old pages of the file, which cannot be
/// reused meanwhile. A frozen object is immutable and may be sent without a reference.
public struct ThreadSafeReference<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable: the value is frozen, and a lock guards it.
  private let content: Mutex<Confined?>

  /// Creates a reference to a managed value. An unmanaged or deleted value is a programming error, and
  /// so is a collection of an object that the open write transaction added. The reference to such an
  /// object can be resolved once the transaction is committed.
  public init(to confined: Confined) {
    guard confined.realm != nil else {
      programmingError(
        "Cannot construct reference to unmanaged object, which can be passed across threads "
          + "directly")
    }
    if confined.isInvalidated {
      programmingError("Cannot construct reference to invalidated object")
    }
    // Sendable: the value is frozen.
    nonisolated(unsafe) let frozen = confined._forAnyThread()
    content = Mutex(frozen)
  }

  /// Whether the reference was already resolved.
  public var isInvalidated: Bool { content.withLock { $0 == nil } }

  /// Resolves the reference in a realm; it can be resolved once.
  fileprivate func resolve(in realm: Realm) -> Confined? {
    let taken = UncheckedTransfer(
      content.withLock { content in
        defer { content = nil }
        return UncheckedTransfer(content)
      }.value)
    guard let confined = taken.value else {
      programmingError("Can only resolve a thread safe reference once.")
    }
    return realm.counterpart(of: confined)
  }
}

extension Realm {
  /// Resolves a reference in this realm. Returns nil if the value was deleted meanwhile.
  ///
  /// If the realm is older than the reference, it advances to the latest snapshot. A reference
  /// resolves once, in a realm of the same store; anything else is a programming error.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    reference.resolve(in: self)
  }

  /// Returns the counterpart of a frozen value in this realm.
  func counterpart<Confined: ThreadConfined>(of frozen: Confined) -> Confined? {
    guard let source = frozen.realm?.session else { return nil }
    let session = checked
    guard source.store.path == session.store.path else {
      programmingError(
        "Cannot resolve thread safe reference in Realm with different configuration than the "
          + "source Realm.")
    }
    if session.transaction == nil, session.snapshot.version < source.frozenVersion { refresh() }
    if let found = frozen._counterpart(in: self) { return found }
    // The write that added the object may have been committed meanwhile.
    guard frozen.isInvalidated, session.transaction == nil else { return nil }
    refresh()
    return frozen._counterpart(in: self)
  }
}

/// A variable for an object or a collection of a realm that any thread, task or actor may read.
/// Each reader gets a counterpart in a realm of its own.
///
///     @ThreadSafe var dog = realm.objects(Dog.self).first
///     DispatchQueue.global().async { print(dog?.name ?? "deleted") }
///
/// Each read shows the latest state: it refreshes the caller's realm, unless that realm is in a
/// write transaction or its `autorefresh` is off. The variable pins the pages of the file that were
/// current at the last read; they cannot be reused meanwhile.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
  // Sendable: the value is frozen, and a lock guards it.
  private let content: Mutex<Content>

  private struct Content {
    var frozen: Confined?
    /// The number of times that the value was set, so that a read does not undo a write.
    var generation = 0
  }

  /// Stores a managed value. An unmanaged value is a programming error, and so is a collection of an
  /// object that the open write transaction added.
  public init(wrappedValue: Confined?) {
    // Sendable: the value is frozen.
    nonisolated(unsafe) let content = Content(frozen: ThreadSafe.frozen(wrappedValue))
    self.content = Mutex(content)
  }

  /// The value in a realm of the caller, or nil if it was deleted.
  public var wrappedValue: Confined? {
    get {
      let content = self.content.withLock { UncheckedTransfer($0) }.value
      guard let frozen = content.frozen, let source = frozen.realm else { return nil }
      let session = orFatal {
        try SessionRegistry.session(source.configuration, isolation: nil, isReused: true)
      }
      let realm = Realm(session)
      if session.showsCommit, session.autorefresh { realm.refresh() }
      let present = realm.counterpart(of: frozen)
      if session.showsCommit, session.snapshot.version > source.session.frozenVersion {
        replace(content, with: present)
      }
      return present
    }
    set {
      // Sendable: the value is frozen.
      nonisolated(unsafe) let frozen = ThreadSafe.frozen(newValue)
      content.withLock { $0 = Content(frozen: frozen, generation: $0.generation + 1) }
    }
  }

  /// Replaces the value with a later state of it, so that the old snapshot can be released.
  private func replace(_ content: Content, with present: Confined?) {
    let generation = content.generation
    // Sendable: the value is frozen.
    nonisolated(unsafe) let frozen = present?._forAnyThread()
    self.content.withLock { content in
      if content.generation == generation { content.frozen = frozen }
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
