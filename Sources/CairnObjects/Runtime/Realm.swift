import CairnStorage
import CairnValues

/// An open store, and the source of results.
///
/// A realm reads one snapshot of the store until it is refreshed, whatever other realms and
/// processes write meanwhile. It belongs to the thread or actor that opened it; each thread or
/// actor opens its own.
public struct Realm {
  let session: Session

  /// The configuration with which the realm was opened.
  public var configuration: Configuration { session.configuration }

  /// Keeps the class handles of the session alive between calls.
  private let keeper: HandleKeeper

  init(_ session: Session) {
    self.session = session
    keeper = session.makeHandleKeeper()
  }

  /// Advances to the latest snapshot of the store; returns whether that is a new one.
  ///
  /// Existing results and objects then read the new snapshot.
  @discardableResult
  public func refresh() -> Bool {
    orFatal { try checked.refresh() }
  }

  /// Whether the store holds no objects.
  public var isEmpty: Bool {
    let session = checked
    return session.schema.tables.allSatisfy { session.handle($0.name)?.table.liveCount == 0 }
  }
}

extension Realm {
  /// The session, after a check that the caller runs where the session belongs.
  var checked: Session {
    session.checkThread()
    return session
  }

  /// The checked session with its open write transaction; a missing transaction is a programming
  /// error.
  var writing: Session {
    let session = checked
    guard session.transaction != nil else {
      programmingError(session.isFrozen ? Session.frozenWrite : Session.notWriting)
    }
    return session
  }

  /// The stored class of a Swift class.
  func handle(for type: ObjectBase.Type) -> ClassHandle {
    let session = checked
    return orFatal { try session.handle(for: ObjectLayout.of(type)) }
  }

  /// The class of that name in the store; an unknown name is a programming error.
  func handle(named className: String) -> ClassHandle {
    let session = checked
    if let handle = session.handle(className) { return handle }
    programmingError(session.unknownClass(className))
  }
}

extension Realm: Equatable {
  /// Returns whether both realms read and write through the same session and so share their
  /// objects.
  public static func == (a: Realm, b: Realm) -> Bool { a.session === b.session }
}
