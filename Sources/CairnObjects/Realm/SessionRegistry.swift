import CairnStorage
import CairnValues
import Dispatch
import FoundationEssentials

/// The open sessions: a realm that is opened twice on one thread or actor is one and the same, so that the objects
/// of one are those of the other.
enum SessionRegistry {
  /// What tells shared sessions apart.
  struct Key: Hashable {
    let place: String
    let isReadOnly: Bool
    let types: Set<ObjectIdentifier>?
    let confinement: Confinement
  }

  /// One session, while somebody else holds it.
  private struct Entry {
    weak var session: Session?
    /// An actor's identity is only its own while it lives.
    weak var actor: (any Actor)?
    let hasActor: Bool

    var living: Session? { hasActor && actor == nil ? nil : session }
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// The session of that configuration for the caller; opened where there is none.
  static func session(
    _ configuration: Realm.Configuration, _ isolation: (any Actor)?
  ) throws -> Session {
    try session(configuration, Confinement(isolation), isolation)
  }

  /// The session of that configuration that belongs to something, an actor or a queue perhaps.
  static func session(
    _ configuration: Realm.Configuration, _ confinement: Confinement,
    _ isolation: (any Actor)? = nil, queue: DispatchQueue? = nil
  ) throws -> Session {
    let key = Key(configuration, confinement)
    guard key.confinement.isShared else { return try open(configuration, key) }
    if let known = entries.withLock({ $0[key]?.living }) {
      try known.checkVersion(configuration)
      return known
    }
    let session = try open(configuration, key)
    session.actor = isolation
    session.queue = queue
    entries.withLock { entries in
      entries = entries.filter { $0.value.living != nil }
      entries[key] = Entry(session: session, actor: isolation, hasActor: isolation != nil)
    }
    session.waker.wake()
    return session
  }

  private static func open(_ configuration: Realm.Configuration, _ key: Key) throws -> Session {
    let session = try Session(configuration.openStore(), configuration, key.confinement)
    try session.prepare()
    try session.registerTypes()
    Logger.log(.debug, Category.sdk, "opened '\(key.place)'")
    return session
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
