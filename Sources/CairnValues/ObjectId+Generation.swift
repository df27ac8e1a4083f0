#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ObjectId {
  /// A new identifier: the time, five random bytes of this process, and the next number of a counter.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: time(nil)))
    let count = counter.next()
    let process = processBytes
    return ObjectId(
      high: seconds << 32 | process >> 8,
      low: UInt32(truncatingIfNeeded: process & 0xFF) << 24 | UInt32(count & 0xFF_FFFF))
  }

  /// An identifier of that moment, machine and process, with the next number of the counter.
  package static func generate(seconds: UInt32, machine: UInt32, process: UInt16) -> ObjectId {
    let maker = UInt64(machine & 0xFF_FFFF) << 16 | UInt64(process)
    return ObjectId(
      high: UInt64(seconds) << 32 | maker >> 8,
      low: UInt32(truncatingIfNeeded: maker & 0xFF) << 24 | UInt32(counter.next() & 0xFF_FFFF))
  }

  /// Five random bytes, the same for the life of the process.
  private static let processBytes = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Counter(startingAt: UInt64.random(in: 0..<(1 << 24)))
}

/// A number that no two callers get twice.
private final class Counter: @unchecked Sendable {
  // Sendable: the number is only touched under the lock.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var number: UInt64

  init(startingAt number: UInt64) {
    self.number = number
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func next() -> UInt64 {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    number += 1
    return number
  }
}
