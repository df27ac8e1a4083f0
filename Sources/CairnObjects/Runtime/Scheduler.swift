import CairnSystem
import CairnValues
import Dispatch

/// Schedules work on the owner of a session.
enum Scheduler: Sendable {
  case queue(DispatchQueue)
  case actor(any Actor)

  /// Runs the body on the owner later.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .queue(let queue):
      // Passing the body through a lock gives ThreadSanitizer, which does not track queues here,
      // the happens-before edge.
      let passage = Mutex(body)
      queue.async { passage.withLock { $0 }() }
    case .actor(let actor): Task { await Scheduler.run(body, on: actor) }
    }
  }

  private static func run(_ body: @Sendable () -> Void, on actor: isolated any Actor) { body() }
}

extension Session {
  /// The scheduler of the session's owner; nil for a thread other than the main one, and for a task
  /// without an actor.
  var scheduler: Scheduler? {
    switch confinement {
    case .main: .queue(.main)
    case .actor: actor.map(Scheduler.actor)
    case .queue: queue.map(Scheduler.queue)
    case .thread, .task, .none: nil
    }
  }

  /// The scheduler of the session's owner. An owner without one is a programming error.
  var requiredScheduler: Scheduler {
    if isFrozen { programmingError("Can't perform transactions on a frozen Realm") }
    guard let scheduler else {
      programmingError(
        "Cannot schedule async transaction: the caller has no queue or actor to return to. Write "
          + "on the main thread, on the dispatch queue that the realm was opened for, or on an "
          + "actor.")
    }
    return scheduler
  }
}

/// The identity of a dispatch queue, because several `DispatchQueue` instances may refer to one
/// queue.
final class QueueKey: Hashable, @unchecked Sendable {
  // Sendable: immutable.
  private let key = DispatchSpecificKey<Bool>()
  /// The label of the queue, for messages.
  let label: String

  private static let marks = Mutex(DispatchSpecificKey<QueueKey>())

  /// The key of the main queue.
  static let main = QueueKey.of(.main)

  private init(_ label: String) { self.label = label }

  /// Returns the key of a queue.
  static func of(_ queue: DispatchQueue) -> QueueKey {
    marks.withLock { marks in
      if let cached = queue.getSpecific(key: marks) { return cached }
      let mark = QueueKey(queue.label)
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.key, value: true)
      return mark
    }
  }

  /// The key of the queue on which the caller runs, or nil if that queue has no key yet.
  static var current: QueueKey? { marks.withLock { DispatchQueue.getSpecific(key: $0) } }

  /// Whether the caller runs on this queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  static func == (a: QueueKey, b: QueueKey) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
