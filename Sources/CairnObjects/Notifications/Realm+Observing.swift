import CairnStorage

extension Realm {
  /// What becomes of a realm as a whole.
  public enum Notification: String, Sendable {
    /// It shows a new state: it wrote, or was refreshed.
    case didChange = "RLMRealmDidChangeNotification"
    /// Others committed, and it stays as it is until `refresh()`, for its `autorefresh` is off.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// A block that is told what becomes of a realm.
  public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

  /// Calls the block after each write of this realm, and when it goes on to what others wrote.
  ///
  /// - Returns: what the calls last as long as.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    let session = checked
    session.checkObservable()
    session.checkScheduled()
    let token = NotificationToken()
    token.hold(RealmObservation(session, block))
    return token
  }

  /// Whether the realm goes on by itself to what others commit, at the next turn of the main queue, the queue or the
  /// actor that it belongs to; true unless it is set. Others, such as those of a thread or of a task without an actor, stay
  /// at their state until `refresh()`.
  public var autorefresh: Bool {
    get { checked.autorefresh && !isFrozen }
    nonmutating set {
      if isFrozen { programmingError("Auto-refresh cannot be enabled for frozen Realms.") }
      checked.autorefresh = newValue
    }
  }

  /// Lets go of the state that the realm reads, and of all objects and collections taken from it: they are invalidated, its
  /// results are empty, their observers are told no more. An open write transaction is cancelled.
  ///
  /// The realm itself goes on with the last commit as soon as it is read again.
  public func invalidate() { checked.invalidate() }
}

/// A block that is called with what becomes of a realm as a whole.
private final class RealmObservation: Observation {
  private let block: Realm.NotificationBlock

  init(_ session: Session, _ block: @escaping Realm.NotificationBlock) {
    self.block = block
    super.init(session)
  }

  override var isDue: Bool { false }

  override func hear(_ notification: Realm.Notification) { block(notification, Realm(session)) }
}
