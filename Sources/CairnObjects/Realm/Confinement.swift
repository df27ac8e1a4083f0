import Dispatch

/// The isolation that a session belongs to: only code that runs there uses it.
enum Confinement: Hashable {
  /// The main thread, with the main queue and the main actor.
  case main
  /// An actor, on whichever thread it runs.
  case actor(ObjectIdentifier)
  /// A serial dispatch queue, on whichever thread it runs.
  case queue(QueueMark)
  /// A thread that runs neither tasks nor the main queue.
  case thread(UInt)
  /// A task without an actor, by its number. Its child tasks are others.
  case task(UInt64)
  /// Nothing: the session is frozen, and any thread reads it.
  case none

  /// The confinement of a dispatch queue.
  static func of(_ mark: QueueMark) -> Confinement { mark == .main ? .main : .queue(mark) }

  /// The confinement of an actor.
  static func of(_ actor: any Actor) -> Confinement {
    Executor(actor.unownedExecutor) == .main ? .main : .actor(ObjectIdentifier(actor))
  }

  /// Whether sessions of the same confinement may be one. A task that opens a realm may do so for an actor whose
  /// initialiser it runs.
  var isShared: Bool {
    switch self {
    case .main, .actor, .queue, .thread: true
    case .task, .none: false
    }
  }
}

/// The owner of a session that is opened.
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
    confinement = .of(QueueMark.of(queue))
    self.queue = queue
  }

  /// The owner of what a caller with this isolation opens.
  ///
  /// A function that knows nothing of actors gets the realm of the actor that it is called on.
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
