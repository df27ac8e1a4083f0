import CairnStorage

extension Realm {
  /// A change of a realm as a whole.
  public enum Notification: String, Sendable {
    /// The realm shows a new snapshot, after a write of its own or a refresh.
    case didChange = "RLMRealmDidChangeNotification"
    /// Another realm or process committed, and this realm keeps its snapshot until ``refresh()``,
    /// because its ``autorefresh`` is off.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// A block that is called with the changes of a realm.
  public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

  /// Calls the block after each write of this realm, and when it advances to the commit of another
  /// realm.
  ///
  /// - Returns: a token. The block is called as long as the token is held.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    let session = checked
    session.checkObservable()
    session.checkScheduled()
    let token = NotificationToken()
    token.hold(RealmObservation(session, block: block))
    return token
  }

  /// Whether the realm automatically advances to the commits of others, at the next turn of the
  /// main queue, the dispatch queue or the actor that it belongs to. The default is true. Realms
  /// that belong to a thread, or to a task without an actor, keep their snapshot until
  /// ``refresh()``.
  public var autorefresh: Bool {
    get { checked.autorefresh && !isFrozen }
    nonmutating set {
      if isFrozen { programmingError("Auto-refresh cannot be enabled for frozen Realms.") }
      checked.autorefresh = newValue
    }
  }

  /// Releases the snapshot that the realm reads, and invalidates all objects and collections that
  /// come from it. Results become empty and observers end. An open write transaction is cancelled.
  ///
  /// The realm itself remains usable: its next read uses the last commit.
  public func invalidate() { checked.invalidate() }
}

/// A subscription that calls a block with the changes of a realm as a whole.
private final class RealmObservation: Subscription {
  private let block: Realm.NotificationBlock

  init(_ session: Session, block: @escaping Realm.NotificationBlock) {
    self.block = block
    super.init(session)
  }

  /// False: it receives changes of the realm at once, and no snapshots.
  override var isDue: Bool { false }
  override func deliver() {}
  override func skip() {}

  override func receive(_ notification: Realm.Notification) { block(notification, Realm(session)) }
}
