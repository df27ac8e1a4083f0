import CairnValues

/// Lets a session's owner have a turn: to go on to what others committed, and to tell observers. Any thread wakes it.
final class Waker: @unchecked Sendable {
  // Sendable: the session is only used by its owner, and whether a turn is pending is under a lock.
  private weak var session: Session?
  private let place: Place
  private let isPending = Mutex(false)

  /// Where the owner is found.
  private enum Place {
    case nowhere
    case queue(Scheduler)
    /// An actor whose realm it is need not live for it.
    case actor(WeakActor)
  }

  private struct WeakActor {
    weak var actor: (any Actor)?
  }

  init(_ session: Session) {
    self.session = session
    switch session.scheduler {
    case .actor(let actor): place = .actor(WeakActor(actor: actor))
    case .queue(let queue): place = .queue(.queue(queue))
    case nil: place = .nowhere
    }
  }

  /// How to come back to the owner; nil where there is no way, or nobody any more.
  var scheduler: Scheduler? {
    switch place {
    case .nowhere: nil
    case .queue(let scheduler): scheduler
    case .actor(let weak): weak.actor.map(Scheduler.actor)
    }
  }

  /// A turn comes; the one that is pending will do.
  func wake() {
    guard let scheduler, claim() else { return }
    scheduler.run { self.takeTurn() }
  }

  private func claim() -> Bool {
    isPending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
  }

  private func takeTurn() {
    isPending.withLock { $0 = false }
    session?.takeTurn()
  }
}
