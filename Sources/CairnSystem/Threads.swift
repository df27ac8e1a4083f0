/// Starts threads of the operating system.
///
/// A failure to start one has one of two consequences. Work that other threads can do is left to
/// them: `startIfPossible` returns nil, and in the end the calling thread does everything. Work
/// that needs a thread of its own ends the process with the reason: `start` and `startJoinable`.
package enum Threads {
  /// Runs `body` on a new thread that nobody waits for. The process ends if the system cannot start
  /// a thread.
  package static func start(_ body: @escaping @Sendable () -> Void) { startJoinable(body).detach() }

  /// Runs `body` on a new thread. The process ends if the system cannot start a thread.
  package static func startJoinable(_ body: @escaping @Sendable () -> Void) -> JoinableThread {
    guard let thread = startIfPossible(body) else {
      preconditionFailure("cannot start a thread: \(errorText(errno))")
    }
    return thread
  }

  /// Runs `body` on a new thread.
  ///
  /// - Returns: The thread, or nil with `errno` set if the system cannot start one.
  package static func startIfPossible(_ body: @escaping @Sendable () -> Void) -> JoinableThread? {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { Threads.run($0) }, context.toOpaque())
    #else
    var started = pthread_t()
    let code = pthread_create(&started, nil, { Threads.run($0) }, context.toOpaque())
    let thread: pthread_t? = started
    #endif
    guard code == 0, let thread else {
      context.release()
      errno = code
      return nil
    }
    return JoinableThread(thread)
  }

  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
}

/// A thread that was started. Call `join` or `detach` once.
package struct JoinableThread: @unchecked Sendable {
  // Sendable: any thread may use the handle of another one.
  private let handle: pthread_t

  fileprivate init(_ handle: pthread_t) { self.handle = handle }

  /// Whether the calling thread is this one.
  package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Waits until the thread has ended.
  package func join() { pthread_join(handle, nil) }

  /// Lets the thread end on its own.
  package func detach() { pthread_detach(handle) }
}
