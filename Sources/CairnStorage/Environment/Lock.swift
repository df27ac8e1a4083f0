#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A mutex.
final class Lock: @unchecked Sendable {
  // Sendable: that is what a mutex is for.
  fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A condition to wait for under a lock.
final class Condition: @unchecked Sendable {
  // Sendable: used under the lock it belongs to.
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() { pthread_cond_init(condition, nil) }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

  /// Waits that long at most.
  func wait(_ lock: Lock, milliseconds: Int) {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_nsec += milliseconds * 1_000_000
    end.tv_sec += end.tv_nsec / 1_000_000_000
    end.tv_nsec %= 1_000_000_000
    pthread_cond_timedwait(condition, lock.mutex, &end)
  }

  func signalAll() { pthread_cond_broadcast(condition) }
}
