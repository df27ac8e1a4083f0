import Foundation

/// An unchecked transfer of a value to another thread or isolation.
public struct UncheckedTransfer<Value>: @unchecked Sendable {
  // Sendable: the test ensures that only one of them uses the value at a time.
  /// The transferred value.
  public let value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }
}

/// A value that threads share under a lock.
public final class Locked<Value>: @unchecked Sendable {
  // Sendable: the lock guards the value.
  private let lock = NSLock()
  private var content: Value

  /// Creates a shared value.
  public init(_ value: Value) { content = value }

  /// The current value.
  public var value: Value { withLock { $0 } }

  /// Calls a closure with exclusive access to the value.
  public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&content)
  }
}

/// Runs a closure on a new thread, outside of any task.
public func onNewThread<R>(_ body: @escaping () throws -> R) async throws -> R {
  let work = UncheckedTransfer(body)
  return try await withCheckedThrowingContinuation { continuation in
    Thread {
      continuation.resume(with: Result { UncheckedTransfer(try work.value()) })
    }.start()
  }.value
}

/// Runs a closure on another thread and waits for it, so that the current thread does nothing else.
public func onNewThreadAndWait<R>(_ body: @escaping () throws -> R) throws -> R {
  let work = UncheckedTransfer(body)
  let outcome = Locked<Result<UncheckedTransfer<R>, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Thread {
    let result = Result { UncheckedTransfer(try work.value()) }
    outcome.withLock { $0 = result }
    done.signal()
  }.start()
  done.wait()
  guard let result = outcome.value else { preconditionFailure("the closure did not run") }
  return try result.get().value
}
