/// A mutex.
///
/// It is public and inlinable, because Swift inlines only public declarations across modules; no
/// product exports this module.
public final class Lock: @unchecked Sendable {
  // Sendable: a mutex is made for several threads.
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// A mutex that no thread holds.
  public init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits until the calling thread holds the mutex.
  @inlinable
  public func lock() { pthread_mutex_lock(mutex) }

  /// Releases the mutex, which the calling thread holds.
  @inlinable
  public func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs the body while the calling thread holds the mutex.
  @inlinable
  public func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A mutex that the thread that holds it may lock again.
public final class RecursiveLock: @unchecked Sendable {
  // Sendable: a mutex is made for several threads.
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// A mutex that no thread holds.
  public init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs the body while the calling thread holds the mutex.
  @inlinable
  public func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// A condition that threads wait for while they hold a lock.
package final class ConditionVariable: @unchecked Sendable {
  // Sendable: used under the lock it belongs to.
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A condition that no thread waits for.
  package init() {
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    // The default is the real-time clock, with which a change of the date ends a wait too early or
    // too late.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Releases the lock until another thread signals, then holds it again.
  package func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

  /// Waits like `wait(_:)`, for at most the given time.
  package func wait(_ lock: Lock, milliseconds: Int) {
    #if canImport(Darwin)
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    pthread_cond_timedwait_relative_np(condition, lock.mutex, &time)
    #else
    let nanoseconds = MonotonicClock.nanoseconds + milliseconds * 1_000_000
    var end = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    pthread_cond_timedwait(condition, lock.mutex, &end)
    #endif
  }

  /// Wakes every thread that waits.
  package func signalAll() { pthread_cond_broadcast(condition) }
}

/// A value that one thread at a time may access. (The standard library's mutex needs macOS 15.)
package final class Mutex<Value>: @unchecked Sendable {
  // Sendable: `value` is only touched under the lock.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// Creates a mutex that protects a value.
  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs the body while no other thread can access the value.
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
