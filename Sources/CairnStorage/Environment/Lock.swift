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
  func signalAll() { pthread_cond_broadcast(condition) }
}

/// Lets one in at a time; unlike a mutex it may be left on another thread than it was entered on.
final class Gate: @unchecked Sendable {
  // Sendable: `isTaken` is only touched under `lock`.
  private let lock = Lock()
  private let left = Condition()
  private var isTaken = false

  func enter() {
    lock.withLock {
      while isTaken { left.wait(lock) }
      isTaken = true
    }
  }

  func leave() {
    lock.withLock {
      isTaken = false
      left.signalAll()
    }
  }
}
