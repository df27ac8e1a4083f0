import CThread
import CairnStorage
import CairnSystem
import Dispatch

/// The isolation that a session belongs to. Only code that runs there uses the session.
enum Confinement: Hashable {
  /// The main thread, with the main queue and the main actor.
  case main
  /// An actor, on whichever thread it runs.
  case actor(ObjectIdentifier)
  /// A serial dispatch queue, on whichever thread it runs.
  case queue(QueueKey)
  /// A thread that runs neither tasks nor the main queue.
  case thread(UInt)
  /// A task without an actor, by its number. Its child tasks are not included.
  case task(UInt64)
  /// No isolation: the session is frozen, and any thread reads it.
  case none

  /// The confinement to a dispatch queue.
  static func of(_ key: QueueKey) -> Confinement { key == .main ? .main : .queue(key) }

  /// The confinement to an actor.
  static func of(_ actor: any Actor) -> Confinement {
    Executor(actor.unownedExecutor) == .main ? .main : .actor(ObjectIdentifier(actor))
  }

  /// Whether sessions of the same confinement may be shared. Sessions of a task may not, because a
  /// task that opens a realm may do so for the actor whose initializer it runs.
  var isShared: Bool {
    switch self {
    case .main, .actor, .queue, .thread: true
    case .task, .none: false
    }
  }
}

/// The owner of a session that is being opened.
struct SessionOwner {
  let confinement: Confinement
  private(set) var actor: (any Actor)?
  private(set) var queue: DispatchQueue?

  /// The owner of frozen sessions.
  static var nobody: SessionOwner { SessionOwner(confinement: .none) }

  private init(confinement: Confinement) { self.confinement = confinement }

  init(_ actor: any Actor) {
    confinement = .of(actor)
    if confinement != .main { self.actor = actor }
  }

  init(_ queue: DispatchQueue) {
    confinement = .of(QueueKey.of(queue))
    self.queue = queue
  }

  /// The owner of a session that a caller with this isolation opens.
  ///
  /// A function without isolation gets the realm of the actor that calls it.
  init(caller isolation: (any Actor)?) {
    if let isolation {
      self.init(isolation)
    } else if Caller.isMain {
      self.init(confinement: .main)
    } else if let actor = Executor.current.actor {
      self.init(actor)
    } else {
      self.init(confinement: Caller.task.map { .task($0) } ?? .thread(Caller.thread))
    }
  }
}

/// The thread, task and executor that the calling code runs on.
enum Caller {
  /// The identity of the thread, unique among living threads.
  static var thread: UInt { cairn_thread() }

  /// A word that tells the thread from others if `ThreadFacts.havePointers`. Takes one load, cheap
  /// enough for every property read.
  @inline(__always)
  static var threadPointer: UInt { cairn_thread_pointer() }

  /// Whether the thread is the one that the program began on.
  static var isOnMainThread: Bool { cairn_is_main_thread() != 0 }

  /// The number of the task; nil outside of tasks. The number is unique in the process, whereas the
  /// memory of a finished task may be reused for the next one.
  static var task: UInt64? {
    guard knowsTasks else { return taskIdentity }
    let number = cairn_task_number()
    return number == 0 ? nil : number
  }

  /// Whether the functions of the runtime for tasks and executors are used.
  static let knowsTasks = Shortcuts.areAllowed && cairn_runtime_has_tasks() != 0

  /// The identity of the task by its memory; nil outside of tasks.
  private static var taskIdentity: UInt64? {
    withUnsafeCurrentTask { $0.map { UInt64(UInt(bitPattern: $0.hashValue)) } }
  }

  /// Whether the caller runs as part of the main thread, main queue or main actor. Programs on
  /// Linux that leave their main thread to `dispatchMain()`, such as those with an asynchronous
  /// `main`, run the main queue and the main actor on other threads.
  static var isMain: Bool {
    Executor.current == .main || QueueKey.main.isCurrent || isOnMainThread
  }
}

/// An executor of actors, compared by identity.
struct Executor: Equatable {
  /// The address of the executor, or of the actor if it has no custom executor; 0 outside of
  /// actors.
  let identity: UInt
  private let implementation: UInt

  init(_ executor: UnownedSerialExecutor) {
    (identity, implementation) = unsafeBitCast(executor, to: (UInt, UInt).self)
  }

  private init(_ executor: cairn_executor) {
    identity = executor.identity
    implementation = executor.implementation
  }

  /// The executor that the caller is isolated to; synchronous functions without isolation inherit
  /// it. Unlike `preconditionIsolated`, this returns the executor and leaves the message to the
  /// caller. `none` everywhere if the runtime does not tell.
  static var current: Executor {
    Caller.knowsTasks ? Executor(cairn_current_executor()) : none
  }

  /// The executor of code outside of actors.
  private static let none = Executor(cairn_executor(identity: 0, implementation: 0))

  static let main = Executor(MainActor.sharedUnownedExecutor)

  /// Whether the executor is an actor without a custom executor.
  private var isActor: Bool { identity != 0 && implementation == 0 }

  /// The actor that is its own executor; nil for any other executor.
  var actor: (any Actor)? {
    guard isActor, let address = UnsafeRawPointer(bitPattern: identity) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any Actor
  }

  /// Whether both are the same object.
  static func == (a: Executor, b: Executor) -> Bool { a.identity == b.identity }
}

extension Session {
  /// The message for writes outside a transaction.
  static let notWriting =
    "Attempting to modify object outside of a write transaction - call beginWrite() on a Realm "
    + "first, or write in the block of write(_:)."

  /// The message for writes to a frozen object.
  static let frozenWrite =
    "Attempting to modify a frozen object - call thaw on the Object instance first."

  /// The names of the classes in the present snapshot.
  var classNames: [String] { schema.tables.map(\.name) }
}

/// The check that every access to a session passes: the caller runs where the session belongs.
///
/// A complete check calls Swift's runtime or the queue. The session caches the thread pointer of the
/// last one, so that the next property read on that thread compares only pointers. This is safe,
/// because whatever else runs on a thread runs before or after, never at the same time.
extension Session {
  /// Ends the program if the caller is outside of the isolation that the session belongs to.
  func checkThread() {
    if isFrozen { return }
    guard admitsCaller else { programmingError(wrongIsolationMessage) }
    guard ThreadFacts.havePointers else { return }
    let thread = Caller.threadPointer
    if lastThread != thread { lastThread = thread }
  }

  /// A cheaper form of `checkThread()`, complete only on another thread than the last check.
  @inline(__always)
  func checkQuickly() {
    if lastThread != Caller.threadPointer { checkThread() }
  }

  /// Lets the next access claim the session. Used after opening, because a migration does not claim
  /// it.
  func resetChecks() {
    isClaimed = false
    lastThread = 0
  }

  private var admitsCaller: Bool {
    switch confinement {
    case .main: isMain(Caller.thread)
    case .thread(let owner): owner == Caller.thread
    case .queue(let key): key.isCurrent
    case .actor: Executor.current.identity == ownerExecutor || isCheckedByActor
    case .task(let id): isTask(id)
    case .none: true
    }
  }

  private func isMain(_ thread: UInt) -> Bool {
    if thread == mainThread { return true }
    guard Caller.isMain else { return false }
    // Cached, because the system call is slow.
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

  /// Whether the caller is on an actor that checks isolation itself: one with an executor of its own,
  /// or any actor if the runtime does not tell the current one. If the check fails, Swift may end the
  /// program with a message of its own.
  private var isCheckedByActor: Bool {
    guard let actor, !Caller.knowsTasks || Executor(actor.unownedExecutor).actor == nil else {
      return false
    }
    actor.preconditionIsolated(wrongIsolationMessage)
    return true
  }
}

/// Both sides of an access from the wrong isolation, for the message.
extension Session {
  private var wrongIsolationMessage: String {
    "Realm accessed from incorrect thread: it belongs to \(ownerText), and \(Caller.text) accessed "
      + "it. Open a realm there, or pass a frozen object, a ThreadSafeReference or a @ThreadSafe "
      + "variable."
  }

  private var ownerText: String { confinement.text(actorType: actorType) }
}

extension Confinement {
  /// A description of the owner for messages.
  func text(actorType: (any Actor.Type)?) -> String {
    switch self {
    case .main: "the main thread"
    case .actor: "actor '\(actorType.map { "\($0)" } ?? "")'"
    case .queue(let key): "dispatch queue '\(key.label)'"
    case .thread(let thread): "thread 0x\(String(thread, radix: 16))"
    case .task(let id): "task \(id)"
    case .none: "nobody"
    }
  }
}

extension Caller {
  /// A description of the caller for messages.
  fileprivate static var text: String {
    if isMain { return "the main thread" }
    if let actor = Executor.current.actor { return "actor '\(type(of: actor))'" }
    if let queue = QueueKey.current { return "dispatch queue '\(queue.label)'" }
    if let task { return "task \(task)" }
    return "thread 0x\(String(thread, radix: 16))"
  }
}
