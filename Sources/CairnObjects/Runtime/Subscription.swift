import CairnStorage
import CairnSystem
import CairnValues

/// An observer of a session's snapshots. Only the session's owner uses it, except for `end`.
class Subscription {
  /// A strong reference: observers keep the realm alive.
  final let session: Session
  private let ended = Mutex(false)

  init(_ session: Session) { self.session = session }

  /// Whether the observer has something to deliver.
  var isDue: Bool { requireOverride() }

  /// Delivers what is due.
  func deliver() { requireOverride() }

  /// Advances to the present snapshot without a notification.
  func skip() { requireOverride() }

  /// Receives a change of the realm as a whole. Observers of snapshots have no use for it.
  func receive(_ notification: Realm.Notification) {}

  /// Whether the subscription has ended.
  final var isEnded: Bool { ended.withLock { $0 } }

  /// Adds the subscription to the session's observers.
  final func join() {
    session.observers.add(self)
    session.waker.wake()
  }

  /// Ends the subscription. Its content belongs to the session's owner and is released there.
  final func end() {
    ended.withLock { $0 = true }
    guard !session.confinement.isExclusiveToCaller else { return }
    let subscription = UncheckedTransfer(self)
    session.waker.scheduler?.run { withExtendedLifetime(subscription) {} }
  }
}

extension Confinement {
  /// Whether only the caller can be using the session with this confinement.
  fileprivate var isExclusiveToCaller: Bool {
    switch self {
    case .main: Caller.isMain
    case .thread(let owner): owner == Caller.thread
    case .queue(let key): key.isCurrent
    case .actor: false
    case .task, .none: true
    }
  }
}
