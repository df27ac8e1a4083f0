import CairnSystem

/// The statements that servers run for this process, which a signal handler may cancel.
package enum RunningStatements {
  private struct Slot {
    var cancel: PostgresLibrary.CancelFunction?
    var handle: OpaquePointer?
  }

  private static let capacity = 64
  private static let lock = Lock()
  /// A signal handler reads the slots, so they are never moved.
  // Sendable: `lock` guards the slots against other threads; a signal handler, which must take no lock,
  // only reads them before the process ends.
  nonisolated(unsafe) private static let slots = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    return slots
  }()

  /// Makes `cancelAll` callable from a signal handler.
  package static func prepare() { _ = slots[0] }

  /// Notes a connection; once 64 are noted, further ones are not.
  static func note(_ handle: OpaquePointer?, cancel: @escaping PostgresLibrary.CancelFunction) {
    lock.withLock {
      guard let handle, let free = (0..<capacity).first(where: { slots[$0].handle == nil }) else {
        return
      }
      slots[free].cancel = cancel
      slots[free].handle = handle
    }
  }

  /// Forgets a connection that is about to close.
  static func forget(_ handle: OpaquePointer?) {
    lock.withLock {
      for slot in 0..<capacity where slots[slot].handle == handle { slots[slot].handle = nil }
    }
  }

  /// Asks the servers to end what they do for this process. A signal handler may call it: libpq
  /// allocates nothing and takes no lock here.
  package static func cancelAll() {
    for slot in 0..<capacity {
      guard let handle = slots[slot].handle, let cancel = slots[slot].cancel else { continue }
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
        _ = cancel(handle, message.baseAddress, 256)
      }
    }
  }
}
