import CairnValues

/// Somebody who is told when a session goes on to another state. Its session's owner alone touches it, but for `end`.
class Observation {
  /// Observers keep the realm alive.
  final let session: Session
  private let ended = Mutex(false)

  init(_ session: Session) { self.session = session }

  /// Whether there is something to tell.
  var isDue: Bool { false }

  /// Tells what is due.
  func deliver() {}

  /// Goes on to the present state without a word.
  func skip() {}

  /// Hears what became of the realm as a whole.
  func hear(_ notification: Realm.Notification) {}

  /// Whether nothing more is told.
  final var isEnded: Bool { ended.withLock { $0 } }

  /// Takes its place among the session's observers.
  final func join() {
    session.observers.add(self)
    session.waker.wake()
  }

  /// Tells nothing more. What the observer holds belongs to the session's owner, and is let go of there.
  final func end() {
    ended.withLock { $0 = true }
    guard !session.confinement.isSurelyOfCaller else { return }
    let observation = Handover(self)
    session.waker.scheduler?.run { withExtendedLifetime(observation) {} }
  }
}

extension Confinement {
  /// Whether nobody but the caller can be touching what is confined so.
  fileprivate var isSurelyOfCaller: Bool {
    switch self {
    case .main: Caller.isMain
    case .thread(let owner): owner == Caller.thread
    case .queue(let mark): mark.isCurrent
    case .actor: false
    case .task, .none: true
    }
  }
}
