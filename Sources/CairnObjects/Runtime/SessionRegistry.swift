import CairnStorage
import CairnSystem
import CairnValues
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The open sessions. A store that is opened twice on one thread, queue or actor has one session
/// there, so that both realms share their objects.
enum SessionRegistry {
  /// The identity of a shared session.
  struct Key: Hashable {
    let path: String
    let isReadOnly: Bool
    let types: Set<ObjectIdentifier>?
    var confinement: Confinement
  }

  /// A weak reference to a session.
  private struct Entry {
    weak var session: Session?
    /// An actor's identity is unique only while it lives.
    weak var actor: (any Actor)?
    let hasActor: Bool

    init(_ session: Session) {
      self.session = session
      actor = session.actor
      hasActor = actor != nil
    }

    var active: Session? { hasActor && actor == nil ? nil : session }
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// The owners, for messages, of the sessions of a store that read that version.
  static func owners(reading version: UInt64, of configuration: Realm.Configuration) -> [String] {
    let path = Key(configuration, confinement: .none).path
    // The sessions are released after the lock, because the end of one takes it.
    let sessions = entries.withLock { entries in
      entries.compactMap { key, entry in
        key.path != path
          ? nil
          : entry.active.map {
            (session: $0, owner: key.confinement.text(actorType: entry.actor.map { type(of: $0) }))
          }
      }
    }
    return sessions.filter { $0.session.heldVersion.value == version }.map(\.owner)
  }

  /// The caller's session of the configuration, opened if necessary.
  ///
  /// - Parameter isReused: whether a task without an actor shares the session that it already uses;
  ///   otherwise each realm that it opens is a separate one.
  static func session(
    _ configuration: Realm.Configuration, isolation: (any Actor)?, isReused: Bool = false
  ) throws -> Session {
    try configuration.checkEncryption()
    let owner = SessionOwner(caller: isolation)
    if isolation == nil, let existing = inherited(configuration, owner: owner) { return existing }
    return try session(configuration, owner: owner, isReused: isReused)
  }

  /// The owner's session of the configuration, opened if necessary.
  static func session(
    _ configuration: Realm.Configuration, owner: SessionOwner, isReused: Bool = false
  ) throws -> Session {
    try configuration.checkEncryption()
    let key = Key(configuration, confinement: owner.confinement)
    if let existing = active(key) {
      if key.confinement.isShared || isReused && existing.isClaimed {
        try existing.checkVersion(configuration)
        return existing
      }
    }
    let timer = EventTimer(configuration.events, store: configuration.storeName)
    let session = try Session(configuration.openStore(), configuration: configuration, owner: owner)
    try session.prepare()
    try session.registerTypes()
    try session.checkProgramClasses()
    session.resetChecks()
    keep(session, key: key)
    if key.confinement.isShared { session.waker.wake() }
    Logger.log(.debug, category: Category.sdk, message: "opened '\(key.path)'")
    session.closingReport = ClosingReport(configuration.events, store: configuration.storeName)
    timer.report(.opened)
    if session.unlockedReads != nil {
      Logger.log(
        .warn, category: Category.sdk,
        message: "reading '\(key.path)' without its lock file, which cannot be written; "
          + "after reading, checkReads() tells whether the store was written meanwhile")
    }
    return session
  }

  /// Registers a session that an actor has taken over, unless the actor already has one.
  static func keep(_ session: Session) {
    let key = Key(session.configuration, confinement: session.confinement)
    if active(key) == nil { keep(session, key: key) }
    session.waker.wake()
  }

  /// The session of the queue, or of the actor with a custom executor, that a caller without
  /// isolation runs on.
  private static func inherited(
    _ configuration: Realm.Configuration, owner: SessionOwner
  ) -> Session? {
    guard owner.confinement != .main else { return nil }
    if let queue = QueueKey.current {
      let existing = active(Key(configuration, confinement: .queue(queue)))
      if let existing, existing.configuration.schemaVersion == configuration.schemaVersion {
        return existing
      }
    }
    guard owner.actor == nil, Executor.current.identity != 0 else { return nil }
    return active(Key(configuration, confinement: owner.confinement), on: Executor.current)
  }

  private static func active(_ key: Key) -> Session? { entries.withLock { $0[key]?.active } }

  private static func active(_ key: Key, on executor: Executor) -> Session? {
    entries.withLock { entries in
      for (other, entry) in entries {
        var wanted = key
        wanted.confinement = other.confinement
        guard wanted == other, let session = entry.active else { continue }
        if session.ownerExecutor == executor.identity { return session }
      }
      return nil
    }
  }

  private static func keep(_ session: Session, key: Key) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.active != nil }
      entries[key] = Entry(session)
    }
  }
}

extension Session {
  /// - Throws: ``Realm/Error`` if the session has another schema version than the configuration.
  fileprivate func checkVersion(_ wanted: Realm.Configuration) throws {
    guard wanted.schemaVersion != configuration.schemaVersion else { return }
    throw Realm.Error(
      .alreadyOpen,
      description: "The store is open here with schemaVersion \(configuration.schemaVersion); "
        + "release that realm, its objects and its results before opening it with "
        + "\(wanted.schemaVersion).")
  }
}

extension SessionRegistry.Key {
  init(_ configuration: Realm.Configuration, confinement: Confinement) {
    path =
      configuration.inMemoryIdentifier.map { "memory:\($0)" }
      ?? configuration.fileURL?.standardizedFileURL.path ?? ""
    isReadOnly = configuration.readOnly
    types = configuration.objectTypes.map { Set($0.map { ObjectIdentifier($0) }) }
    self.confinement = confinement
  }
}
