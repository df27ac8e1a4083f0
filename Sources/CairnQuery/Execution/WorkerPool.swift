#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One thread for every core but the caller's, started when first needed and then kept asleep.
///
/// Waking them costs a few microseconds, so work of less than about a hundred stays on the caller.
final class WorkerPool: @unchecked Sendable {
  // Sendable: all state is read and written under `mutex`.
  static let shared = WorkerPool()

  /// Threads that work at a time, the caller's among them.
  let width: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let workArrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let workDone = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isStarted = false
  private var isBusy = false
  private var body: ((Int) -> Void)?
  private var next = 0
  private var total = 0
  private var running = 0

  private init() {
    width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(workArrived, nil)
    pthread_cond_init(workDone, nil)
  }

  /// Calls `body` with 0 ..< `count`, on all cores, and returns when every call has. Calls begin in
  /// that order. When the pool is busy with other work the caller does it alone.
  func run(_ count: Int, _ body: (Int) -> Void) {
    guard width > 1, count > 1, claim() else {
      for task in 0..<count { body(task) }
      return
    }
    withoutActuallyEscaping(body) { body in
      publish(count, body)
      while let task = nextTask() {
        body(task)
        finishTask()
      }
      waitForOthers()
    }
  }

  private func claim() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isBusy else { return false }
    isBusy = true
    if !isStarted {
      isStarted = true
      for _ in 1..<width { startThread() }
    }
    return true
  }

  private func startThread() {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    pthread_create(
      &thread, nil,
      { _ in
        WorkerPool.shared.work()
        return nil
      }, nil)
  }

  private func publish(_ count: Int, _ work: @escaping (Int) -> Void) {
    pthread_mutex_lock(mutex)
    body = work
    next = 0
    total = count
    pthread_cond_broadcast(workArrived)
    pthread_mutex_unlock(mutex)
  }

  private func nextTask() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return takeTask()
  }

  private func takeTask() -> Int? {
    guard next < total else { return nil }
    next += 1
    running += 1
    return next - 1
  }

  private func finishTask() {
    pthread_mutex_lock(mutex)
    running -= 1
    if running == 0, next == total { pthread_cond_signal(workDone) }
    pthread_mutex_unlock(mutex)
  }

  private func waitForOthers() {
    pthread_mutex_lock(mutex)
    while running > 0 { pthread_cond_wait(workDone, mutex) }
    body = nil
    total = 0
    next = 0
    isBusy = false
    pthread_mutex_unlock(mutex)
  }

  /// Nobody touches `body` while a task runs; the closure is let go before the task counts as done,
  /// because it must not outlive `run`.
  private func perform(_ task: Int) { body?(task) }

  /// What a thread of the pool does for ever.
  private func work() {
    pthread_mutex_lock(mutex)
    while true {
      guard let task = takeTask() else {
        pthread_cond_wait(workArrived, mutex)
        continue
      }
      pthread_mutex_unlock(mutex)
      perform(task)
      pthread_mutex_lock(mutex)
      running -= 1
      if running == 0, next == total { pthread_cond_signal(workDone) }
    }
  }
}
