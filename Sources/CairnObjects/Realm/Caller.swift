import CThread

/// The thread, task and executor that the calling code runs on.
enum Caller {
  /// The identity of the thread: one load, cheap enough for every property that is read.
  @inline(__always)
  static var thread: UInt { cairn_thread() }

  /// Whether the thread is the one that the program began on.
  static var isOnMainThread: Bool { cairn_is_main_thread() != 0 }

  /// The number of the task; nil outside of tasks. No other task of the process ever gets the same number, whereas the
  /// memory of a task that has ended may become that of the next.
  static var task: UInt64? {
    let number = cairn_task_number()
    return number == 0 ? nil : number
  }

  /// Whether the caller runs as part of the main thread, main queue or main actor. Programs on Linux that leave their
  /// main thread to `dispatchMain()`, as those with an asynchronous `main` do, run these on other threads.
  static var isMain: Bool {
    Executor.current == .main || QueueMark.main.isCurrent || isOnMainThread
  }
}

/// An executor of actors, by its identity.
struct Executor: Equatable {
  /// The address of the executor; for an actor without a custom executor that of the actor; 0 for none.
  let identity: UInt
  private let implementation: UInt

  init(_ executor: UnownedSerialExecutor) {
    (identity, implementation) = unsafeBitCast(executor, to: (UInt, UInt).self)
  }

  private init(_ executor: cairn_executor) {
    identity = executor.identity
    implementation = executor.implementation
  }

  /// The executor that the caller is isolated to; synchronous functions that know nothing of actors inherit it. Unlike
  /// `preconditionIsolated` this answers, and leaves the message to the caller.
  static var current: Executor { Executor(cairn_current_executor()) }

  static let main = Executor(MainActor.sharedUnownedExecutor)

  /// Whether it is an actor that has no custom executor.
  private var isActor: Bool { identity != 0 && implementation == 0 }

  /// The actor that is its own executor.
  var actor: (any Actor)? {
    guard isActor, let address = UnsafeRawPointer(bitPattern: identity) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any Actor
  }

  /// Whether both are one object.
  static func == (a: Executor, b: Executor) -> Bool { a.identity == b.identity }
}
