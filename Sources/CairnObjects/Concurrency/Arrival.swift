import CairnValues
import Dispatch

/// A value that comes once, from another thread.
final class Arrival<Value>: @unchecked Sendable {
  // Sendable: the value is under a lock, and whoever waits for it is the only one to use it.
  private let value = Mutex<Value?>(nil)
  private let turnstile = DispatchSemaphore(value: 0)

  /// Here it is.
  func come(_ value: sending Value) {
    nonisolated(unsafe) let value = value
    self.value.withLock { $0 = value }
    turnstile.signal()
  }

  /// The value, if it is there.
  var present: Value? { value.withLock { $0 } }

  /// Blocks until the value is there.
  func wait() -> Value {
    turnstile.wait()
    turnstile.signal()
    guard let present else { preconditionFailure("a turnstile opened without a value") }
    return present
  }
}

/// Something that is handed from one owner to the next.
struct Handover<Value>: @unchecked Sendable {
  // Sendable: only the one who has it next touches it.
  let value: Value

  init(_ value: Value) { self.value = value }
}
