import CairnSystem

/// The threads that do the work of requests: queries, the text of responses, and compression.
///
/// Swift's own threads are as many as there are cores, and every task of the process shares them, so
/// that a few slow queries would hold up everything else. These threads run as many quick jobs at once
/// as there are cores. A job that takes longer than ``quickMilliseconds`` no longer counts, and another
/// thread continues with the jobs that wait. Threads start when they are needed, and end when they had
/// nothing to do for a while.
///
/// The limit of requests also bounds the jobs that wait.
final class RequestThreads: Sendable {
  private let pool: Pool

  /// The time after which a job is no longer quick.
  static let quickMilliseconds = 20

  /// - Parameters:
  ///   - maxThreads: The greatest number of threads.
  ///   - quickJobs: The number of quick jobs that run at once.
  init(maxThreads: Int, quickJobs: Int = max(2, processorCount())) {
    pool = Pool(maxThreads: max(1, maxThreads), quickJobs: quickJobs)
  }

  deinit { pool.stop() }

  /// Runs a job on one of the threads.
  ///
  /// - Throws: The error of the job, or a problem if the system cannot start a thread.
  func run<R: Sendable>(_ job: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = pool.add { continuation.resume(with: Result { try job() }) }
      guard !isTaken else { return }
      continuation.resume(
        throwing: Problem(
          503, detail: "the server cannot start a thread", headers: ["Retry-After": "5"]))
    }
  }

  /// The number of jobs that wait for a thread.
  var waitingCount: Int { pool.waitingCount }
  /// The number of threads that exist.
  var threadCount: Int { pool.currentThreads }

  private final class Pool: @unchecked Sendable {
    // Sendable: all state is read and written under `lock`.
    typealias Job = @Sendable () -> Void

    private let lock = Lock()
    private let maxThreads: Int
    private let quickJobs: Int
    private var jobs = JobQueue<Job>()
    /// The jobs that have run for a short time, in the order in which they began.
    private var quick: [(number: Int, start: Int)] = []
    private var lastNumber = 0
    private var threads = 0
    /// The threads that wait, each with the condition that wakes it.
    private var idle: [ConditionVariable] = []
    private var isStopped = false

    /// The time after which a thread without a job ends.
    private static let idleMilliseconds = 10_000

    init(maxThreads: Int, quickJobs: Int) {
      (self.maxThreads, self.quickJobs) = (maxThreads, quickJobs)
    }

    var waitingCount: Int { lock.withLock { jobs.count } }
    var currentThreads: Int { lock.withLock { threads } }

    /// Adds a job; returns false if there is no thread for it.
    func add(_ job: @escaping Job) -> Bool {
      lock.withLock {
        jobs.append(job)
        wakeThread()
        if threads > 0 { return true }
        _ = jobs.removeFirst()
        return false
      }
    }

    /// Lets the threads end after the jobs that wait.
    func stop() {
      lock.withLock {
        isStopped = true
        for wake in idle { wake.signalAll() }
      }
    }

    /// Wakes a thread that waits, or starts one.
    private func wakeThread() {
      if let wake = idle.popLast() { return wake.signalAll() }
      guard threads < maxThreads, let thread = Threads.startIfPossible({ self.work() }) else {
        return
      }
      threads += 1
      thread.detach()
    }

    /// The loop of a thread.
    private func work() {
      let wake = ConditionVariable()
      var last: Int?
      // A job may own the last reference to the pool's owner, so it is released without the lock.
      while let (job, number) = nextJob(after: last, wake: wake) {
        job()
        last = number
      }
    }

    /// Waits for the next job; returns nil if the thread ends.
    private func nextJob(after last: Int?, wake: ConditionVariable) -> (Job, number: Int)? {
      lock.withLock {
        if let last { quick.removeAll { $0.number == last } }
        while true {
          let now = MonotonicClock.milliseconds
          quick.removeAll { $0.start + RequestThreads.quickMilliseconds <= now }
          if quick.count < quickJobs, let job = jobs.removeFirst() {
            lastNumber += 1
            quick.append((lastNumber, now))
            if jobs.count > 0 { wakeThread() }
            return (job, lastNumber)
          }
          guard wait(wake, from: now) else {
            threads -= 1
            return nil
          }
        }
      }
    }

    /// Waits until a job may begin; returns false if there was none for long, or all are done.
    private func wait(_ wake: ConditionVariable, from now: Int) -> Bool {
      if jobs.count == 0, isStopped { return false }
      let isPending = jobs.count > 0
      let end = quick.first.map { $0.start + RequestThreads.quickMilliseconds } ?? now
      idle.append(wake)
      wake.wait(lock, milliseconds: isPending ? max(1, end - now) : Self.idleMilliseconds)
      // Otherwise another thread has woken this one.
      guard let index = idle.firstIndex(where: { $0 === wake }) else { return true }
      idle.remove(at: index)
      let isLate = MonotonicClock.milliseconds >= now + Self.idleMilliseconds
      return isPending || jobs.count > 0 || !isLate
    }
  }

  /// Jobs in the order in which they came.
  private struct JobQueue<Job> {
    private var jobs: [Job?] = []
    private var first = 0

    var count: Int { jobs.count - first }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func removeFirst() -> Job? {
      guard first < jobs.count else { return nil }
      defer { if first * 2 > jobs.count { compact() } }
      first += 1
      return jobs[first - 1].take()
    }

    private mutating func compact() {
      jobs.removeFirst(first)
      first = 0
    }
  }
}
