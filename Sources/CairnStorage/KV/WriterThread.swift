import CairnSystem

/// The thread that begins and ends the LMDB write transactions that take long, or that nobody waits
/// for.
///
/// LMDB's writer lock belongs to the thread that took it, and Swift tasks move between threads. The
/// thread starts with the first job and ends with the environment.
final class WriterThread: @unchecked Sendable {
  // Sendable: the mutable state is touched under `lock`.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private var jobs: [Job] = []
  private var isStopped = false
  private var thread: JoinableThread?

  private final class Job {
    /// Released on the thread after it ran.
    var work: (() -> Void)?
    var isDone = false

    init(work: @escaping () -> Void) { self.work = work }
  }

  /// Runs `body` on the thread and waits for it. The caller may already be on the thread.
  func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    if isCaller { return try body() }
    var result: Result<R, E>?
    withoutActuallyEscaping({
      do throws(E) { result = .success(try body()) } catch { result = .failure(error) }
    }) { (work: @escaping () -> Void) in
      perform(work)
    }
    guard let result else { preconditionFailure("the writer thread has ended") }
    return try result.get()
  }

  private func perform(_ work: @escaping () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    let mine = enqueue(work)
    while !mine.isDone { changed.wait(lock) }
  }

  /// Runs `work` on the thread after all earlier jobs, without waiting for it.
  func submit(_ work: @escaping @Sendable () -> Void) {
    lock.withLock { _ = enqueue(work) }
  }

  private func enqueue(_ work: @escaping () -> Void) -> Job {
    start()
    let job = Job(work: work)
    jobs.append(job)
    changed.signalAll()
    return job
  }

  private var isCaller: Bool {
    lock.withLock { thread?.isCurrent ?? false }
  }

  private func start() {
    guard thread == nil else { return }
    thread = Threads.startJoinable { self.loop() }
  }

  private func loop() {
    lock.lock()
    while true {
      if !jobs.isEmpty {
        perform(jobs.removeFirst())
      } else if isStopped {
        break
      } else {
        changed.wait(lock)
      }
    }
    lock.unlock()
  }

  /// Runs one job on the thread. The lock is released meanwhile.
  private func perform(_ job: Job) {
    lock.unlock()
    job.work?()
    job.work = nil
    lock.lock()
    job.isDone = true
    changed.signalAll()
  }

  /// Ends the thread after its jobs.
  func stop() {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
    thread?.detach()
  }
}
