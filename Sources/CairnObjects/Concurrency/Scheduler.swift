import CairnValues
import Dispatch

/// How to come back to the owner of a session.
enum Scheduler: Sendable {
  case queue(DispatchQueue)
  case actor(any Actor)

  /// Runs the body there, later.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue):
      // Passing through a lock tells ThreadSanitizer, which does not know queues here, what comes first.
      let passage = Mutex(body)
      queue.async { passage.withLock { $0 }() }
    case .actor(let actor): Task { await Scheduler.run(body, on: actor) }
    }
  }

  private static func run(_ body: @Sendable () -> Void, on actor: isolated any Actor) { body() }
}

extension Session {
  /// How to come back to the session's owner; nil for a thread other than the main one, and for a bare task.
  var scheduler: Scheduler? {
    switch confinement {
    case .main: .queue(.main)
    case .actor: actor.map(Scheduler.actor)
    case .queue: queue.map(Scheduler.queue)
    case .thread, .task, .none: nil
    }
  }

  /// The same, where there has to be one.
  var requiredScheduler: Scheduler {
    if isFrozen { programmingError("Can't perform transactions on a frozen Realm") }
    guard let scheduler else {
      programmingError(
        "Cannot schedule async transaction: there is no way back to the caller. Write on the main thread, on "
          + "the dispatch queue that the realm was opened for, or on an actor.")
    }
    return scheduler
  }
}
