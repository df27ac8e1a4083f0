import CairnSystem
import CairnValues
import Dispatch

/// A value that another thread delivers once.
final class Promise<Value>: @unchecked Sendable {
  // Sendable: a lock guards the value, and only the thread that waits for the value uses it.
  private let value = Mutex<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Delivers the value and wakes the waiting threads.
  func fulfill(_ value: sending Value) {
    // Sendable: the caller gives the value away.
    nonisolated(unsafe) let value = value
    self.value.withLock { $0 = value }
    semaphore.signal()
  }

  /// The value, or nil before it was delivered.
  var present: Value? { value.withLock { $0 } }

  /// Blocks until the value is delivered.
  func wait() -> Value {
    semaphore.wait()
    semaphore.signal()
    guard let present else { preconditionFailure("a turnstile opened without a value") }
    return present
  }
}

/// A value that moves from one owner to the next without a check by the compiler.
struct UncheckedTransfer<Value>: @unchecked Sendable {
  // Sendable: only the next owner uses the value.
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Returns a frozen value for another isolation, although the compiler takes it for a live one.
func sendingFrozen<Value>(_ value: Value) -> sending Value {
  // Sendable: a frozen value and everything it leads to never change, and a lock guards the caches that
  // reads fill.
  nonisolated(unsafe) let frozen = value
  return frozen
}

/// Wakes one task. A signal that is raised before a task waits wakes the next task that does.
final class Signal: Sendable {
  private enum State {
    case idle
    case raised
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  func raise() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .awaited(let continuation) = state else {
        state = .raised
        return nil
      }
      state = .idle
      return continuation
    }
    waiting?.resume()
  }

  /// Suspends the task until the signal is raised, and lowers the signal.
  func wait(_isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: _isolation) { continuation in
      let isRaised = state.withLock { state in
        if case .raised = state {
          state = .idle
          return true
        }
        state = .awaited(continuation)
        return false
      }
      if isRaised { continuation.resume() }
    }
  }
}
