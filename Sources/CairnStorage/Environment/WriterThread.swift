#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that begins and ends those LMDB write transactions of an environment that nobody waits for, or that last.
///
/// LMDB's writer lock belongs to the thread that took it, and Swift tasks move between threads.
/// It starts with the first job and ends with the environment.
final class WriterThread: @unchecked Sendable {
  // Sendable: everything that changes is touched under `lock`.
  private let lock = Lock()
  private let changed = Condition()
  private var jobs: [Job] = []
  private var isStopped = false
  private var thread: pthread_t?

  private final class Job {
    /// Let go of on the thread, once it ran.
    var work: (() -> Void)?
    var isDone = false

    init(work: @escaping () -> Void) { self.work = work }
  }

  /// Runs `body` on the thread, where it may be already, and waits for it.
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

  /// Runs `work` on the thread, after what was asked for before; nobody waits.
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
    lock.withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  private func start() {
    guard thread == nil else { return }
    var started = pthread_t(bitPattern: 0)
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &started, nil,
      { context in
        guard let context = context as UnsafeMutableRawPointer? else { return nil }
        Unmanaged<WriterThread>.fromOpaque(context).takeRetainedValue().loop()
        return nil
      }, context)
    precondition(code == 0, "cannot start a thread: \(errorText(code))")
    thread = started
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

  /// One job, on the thread and under the lock, which is let go of meanwhile.
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
    if let thread { pthread_detach(thread) }
  }
}
