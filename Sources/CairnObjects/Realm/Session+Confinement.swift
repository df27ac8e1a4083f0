import CairnStorage

extension Session {
  /// What writes outside a transaction are answered with.
  static let notWriting =
    "Attempting to modify object outside of a write transaction - call beginWrite() on a Realm first, or write in the "
    + "block of write(_:)."

  /// What writes to what is frozen are answered with.
  static let frozenWrite =
    "Attempting to modify a frozen object - call thaw on the Object instance first."

  /// The names of the classes of the present state.
  var classNames: [String] { schema.tables.map(\.name) }
}

/// The check that every access to a session passes: the caller runs where the session belongs.
///
/// A complete check asks Swift's runtime, or the queue. The session remembers the thread of the last one, so that reading
/// a property on that thread again only compares threads: whatever else runs on one thread runs before or after it.
extension Session {
  /// Ends the program where the caller is outside of the isolation that the session belongs to.
  func checkThread() {
    if isFrozen { return }
    let thread = Caller.thread
    guard admits(thread) else { programmingError(intrusion) }
    if lastThread != thread { lastThread = thread }
  }

  /// The same, complete only on another thread than the last check was on.
  @inline(__always)
  func checkQuickly() {
    if lastThread != Caller.thread { checkThread() }
  }

  /// Lets the first access that follows claim the session: a migration does not.
  func forgetChecks() {
    isClaimed = false
    lastThread = 0
  }

  private func admits(_ thread: UInt) -> Bool {
    switch confinement {
    case .main: isMain(thread)
    case .thread(let owner): owner == thread
    case .queue(let mark): mark.isCurrent
    case .actor: Executor.current.identity == ownerExecutor || isOnCustomExecutor
    case .task(let id): isTask(id)
    case .none: true
    }
  }

  private func isMain(_ thread: UInt) -> Bool {
    if thread == mainThread { return true }
    guard Caller.isMain else { return false }
    // Asking the system for it takes long.
    if Caller.isOnMainThread { mainThread = thread }
    return true
  }

  private func isTask(_ id: UInt64) -> Bool {
    if !isClaimed {
      if let actor = Executor.current.actor {
        move(to: actor)
        return true
      }
      guard Caller.task == id else { return false }
      isClaimed = true
    }
    return Caller.task == id
  }

  /// Whether the caller is on an actor whose executor checks isolation by itself; where the executor finds that it is
  /// not, it may end the program with a message of its own.
  private var isOnCustomExecutor: Bool {
    guard let actor, Executor(actor.unownedExecutor).actor == nil else { return false }
    actor.preconditionIsolated(intrusion)
    return true
  }
}

/// The two sides of an access from outside, for the message.
extension Session {
  private var intrusion: String {
    "Realm accessed from incorrect thread: it belongs to \(ownerText), and \(Caller.text) accessed it. Open a realm "
      + "there, or pass a frozen object, a ThreadSafeReference or a @ThreadSafe variable."
  }

  private var ownerText: String {
    switch confinement {
    case .main: "the main thread"
    case .actor: "actor '\(actorType.map { "\($0)" } ?? "")'"
    case .queue(let mark): "dispatch queue '\(mark.label)'"
    case .thread(let thread): "thread 0x\(String(thread, radix: 16))"
    case .task(let id): "task \(id)"
    case .none: "nobody"
    }
  }
}

extension Caller {
  /// The caller, for messages.
  fileprivate static var text: String {
    if isMain { return "the main thread" }
    if let actor = Executor.current.actor { return "actor '\(type(of: actor))'" }
    if let queue = QueueMark.current { return "dispatch queue '\(queue.label)'" }
    if let task { return "task \(task)" }
    return "thread 0x\(String(thread, radix: 16))"
  }
}
