import CairnStorage
import CairnValues
import Dispatch
import FoundationEssentials

/// The open sessions: a realm that is opened twice on one thread, queue or actor is one and the same, so that the
/// objects of one are those of the other.
enum SessionRegistry {
  /// What tells shared sessions apart.
  struct Key: Hashable {
    let place: String
    let isReadOnly: Bool
    let types: Set<ObjectIdentifier>?
    var confinement: Confinement
  }

  /// One session, while somebody else holds it.
  private struct Entry {
    weak var session: Session?
    /// An actor's identity is only its own while it lives.
    weak var actor: (any Actor)?
    let hasActor: Bool

    init(_ session: Session) {
      self.session = session
      actor = session.actor
      hasActor = actor != nil
    }

    var living: Session? { hasActor && actor == nil ? nil : session }
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// The session of that configuration for the caller; opened where there is none.
  ///
  /// - Parameter isReused: whether a task without an actor gets the session that it uses already; a realm that it opens
  ///   is another each time.
  static func session(
    _ configuration: Realm.Configuration, _ isolation: (any Actor)?, isReused: Bool = false
  ) throws -> Session {
    let owner = SessionOwner(caller: isolation)
    if isolation == nil, let known = inherited(configuration, owner) { return known }
    return try session(configuration, owner, isReused: isReused)
  }

  /// The session of that configuration that belongs to an owner.
  static func session(
    _ configuration: Realm.Configuration, _ owner: SessionOwner, isReused: Bool = false
  ) throws -> Session {
    let key = Key(configuration, owner.confinement)
    if let known = living(key) {
      if key.confinement.isShared || isReused && known.isClaimed {
        try known.checkVersion(configuration)
        return known
      }
    }
    let session = try Session(configuration.openStore(), configuration, owner)
    try session.prepare()
    try session.registerTypes()
    try session.checkProgramClasses()
    session.forgetChecks()
    keep(session, key)
    if key.confinement.isShared { session.waker.wake() }
    Logger.log(.debug, Category.sdk, "opened '\(key.place)'")
    return session
  }

  /// Lets a session that an actor has taken over be the actor's, unless the actor has one.
  static func keep(_ session: Session) {
    let key = Key(session.configuration, session.confinement)
    if living(key) == nil { keep(session, key) }
    session.waker.wake()
  }

  /// The session of the queue, or of the actor with a custom executor, that a caller without isolation runs on.
  private static func inherited(
    _ configuration: Realm.Configuration, _ owner: SessionOwner
  ) -> Session? {
    guard owner.confinement != .main else { return nil }
    if let queue = QueueMark.current {
      let known = living(Key(configuration, .queue(queue)))
      if let known, known.configuration.schemaVersion == configuration.schemaVersion {
        return known
      }
    }
    guard owner.actor == nil, Executor.current.identity != 0 else { return nil }
    return living(Key(configuration, owner.confinement), on: Executor.current)
  }

  private static func living(_ key: Key) -> Session? { entries.withLock { $0[key]?.living } }

  private static func living(_ key: Key, on executor: Executor) -> Session? {
    entries.withLock { entries in
      for (other, entry) in entries {
        var wanted = key
        wanted.confinement = other.confinement
        guard wanted == other, let session = entry.living else { continue }
        if session.ownerExecutor == executor.identity { return session }
      }
      return nil
    }
  }

  private static func keep(_ session: Session, _ key: Key) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.living != nil }
      entries[key] = Entry(session)
    }
  }
}

extension Session {
  /// - Throws: `Realm.Error` where the session is of another schema version than one wants.
  fileprivate func checkVersion(_ wanted: Realm.Configuration) throws {
    guard wanted.schemaVersion != configuration.schemaVersion else { return }
    throw Realm.Error(
      .alreadyOpen,
      "The store is open here with schemaVersion \(configuration.schemaVersion); let go of that realm, and of its objects "
        + "and results, before it is opened with \(wanted.schemaVersion).")
  }
}

extension SessionRegistry.Key {
  init(_ configuration: Realm.Configuration, _ confinement: Confinement) {
    place =
      configuration.inMemoryIdentifier.map { "memory:\($0)" }
      ?? configuration.fileURL?.standardizedFileURL.path ?? ""
    isReadOnly = configuration.readOnly
    types = configuration.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) }
    self.confinement = confinement
  }
}
