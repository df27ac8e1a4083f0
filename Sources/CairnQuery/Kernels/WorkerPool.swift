import CairnSystem

/// A pool with one thread for every core but the caller's. It starts them on first use and then
/// keeps them asleep.
///
/// Waking them costs a few microseconds, so work of less than about a hundred stays on the caller.
final class WorkerPool: @unchecked Sendable {
  // Sendable: `lock` guards all state. A thread reads `body` without it only while it runs a task,
  // and `body` changes only while no task runs.
  static let shared = WorkerPool()

  /// The number of threads that work at a time, including the caller's.
  let width: Int
  private let lock = Lock()
  private let workArrived = ConditionVariable()
  private let workDone = ConditionVariable()
  private var isStarted = false
  private var isBusy = false
  private var body: ((Int) -> Void)?
  private var next = 0
  private var total = 0
  private var running = 0

  private init() { width = processorCount() }

  /// Calls `body` with 0 ..< `count` on all cores, and returns when every call has. Calls begin in
  /// that order. If the pool is busy with other work, the caller does it alone.
  ///
  /// `body` is not `@Sendable`, because it reads what belongs to the caller's thread: columns,
  /// filters, sorts and links. The caller resolves all of it before, with the `prepare` methods of
  /// these. A call changes nothing but what is its own, such as a sink and scratch buffers. All calls
  /// are ``SharedWork``, so that debug builds notice data that was not prepared.
  func run(_ count: Int, body: (Int) -> Void) {
    guard width > 1, count > 1, claim() else {
      for task in 0..<count { SharedWork.run { body(task) } }
      return
    }
    withoutActuallyEscaping(body) { body in
      publish(count, work: body)
      while let task = nextTask() {
        SharedWork.run { body(task) }
        finishTask()
      }
      waitForOthers()
    }
  }

  private func claim() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard !isBusy else { return false }
    isBusy = true
    if !isStarted {
      isStarted = true
      // With fewer threads, or none, the caller does more of the work.
      for _ in 1..<width { Threads.startIfPossible { WorkerPool.shared.work() }?.detach() }
    }
    return true
  }

  private func publish(_ count: Int, work: @escaping (Int) -> Void) {
    lock.lock()
    body = work
    next = 0
    total = count
    workArrived.signalAll()
    lock.unlock()
  }

  private func nextTask() -> Int? {
    lock.lock()
    defer { lock.unlock() }
    return takeTask()
  }

  private func takeTask() -> Int? {
    guard next < total else { return nil }
    next += 1
    running += 1
    return next - 1
  }

  private func finishTask() {
    lock.lock()
    running -= 1
    if running == 0, next == total { workDone.signalAll() }
    lock.unlock()
  }

  private func waitForOthers() {
    lock.lock()
    while running > 0 { workDone.wait(lock) }
    body = nil
    total = 0
    next = 0
    isBusy = false
    lock.unlock()
  }

  /// Runs one task. `body` does not change while a task runs. The closure is released before the
  /// task counts as done, because it must not outlive `run`.
  private func perform(_ task: Int) { SharedWork.run { body?(task) } }

  /// The loop of a pool thread.
  private func work() {
    lock.lock()
    while true {
      guard let task = takeTask() else {
        workArrived.wait(lock)
        continue
      }
      lock.unlock()
      perform(task)
      lock.lock()
      running -= 1
      if running == 0, next == total { workDone.signalAll() }
    }
  }
}
