#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that begins and ends every LMDB write transaction of an environment.
///
/// LMDB's writer lock belongs to the thread that took it, and Swift tasks move between threads.
/// It starts with the first job and ends with the environment.
final class WriterThread: @unchecked Sendable {
  // Sendable: everything that changes is touched under `lock`.
  private let lock = Lock()
  private let changed = Condition()
  private var job: Job?
  private var isStopped = false
  private var thread: pthread_t?

  private final class Job {
    let work: () -> Void
    var isDone = false

    init(work: @escaping () -> Void) { self.work = work }
  }

  /// Runs `body` on the thread and waits for it.
  func run<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
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
    start()
    while job != nil { changed.wait(lock) }
    let mine = Job(work: work)
    job = mine
    changed.signalAll()
    while !mine.isDone { changed.wait(lock) }
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
      if let next = job {
        lock.unlock()
        next.work()
        lock.lock()
        next.isDone = true
        job = nil
        changed.signalAll()
      } else if isStopped {
        break
      } else {
        changed.wait(lock)
      }
    }
    lock.unlock()
  }

  /// Ends the thread after its job.
  func stop() {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
    if let thread { pthread_detach(thread) }
  }
}
