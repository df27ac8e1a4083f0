/// Those who want to be told of commits to one file, and the thread that does while there are any.
final class CommitWatcher: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`.
  private let lock = Lock()
  private var bodies: [Int: @Sendable (UInt64) -> Void] = [:]
  private var lastNumber = 0
  private var thread: WatchThread?

  /// Adds one; gives the number to remove it by.
  func add(_ body: @escaping @Sendable (UInt64) -> Void, _ environment: Environment) -> Int {
    lock.withLock {
      lastNumber += 1
      bodies[lastNumber] = body
      if thread == nil {
        let made = WatchThread(environment) { [weak self] version in self?.tell(version) }
        thread = made
        made.start()
      }
      return lastNumber
    }
  }

  /// Removes one. With the last one nobody reads the environment any more.
  func remove(_ number: Int) {
    var ended: WatchThread?
    // What the body holds is let go of outside the lock: it may end other watches.
    var body: (@Sendable (UInt64) -> Void)?
    lock.withLock {
      body = bodies.removeValue(forKey: number)
      guard bodies.isEmpty else { return }
      ended = thread
      thread = nil
    }
    ended?.stop()
    _ = body
  }

  /// To be called after each commit of this process.
  func noteCommit() { lock.withLock { thread }?.wake() }

  private func tell(_ version: UInt64) {
    let told = lock.withLock { bodies.sorted { $0.key < $1.key }.map(\.value) }
    for body in told { body(version) }
  }
}

/// The thread that waits for the file to be written, by whomever, and looks for a new commit then.
final class WatchThread: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`, or by the thread alone.
  private let lock = Lock()
  private let changed = Condition()
  private var isStopped = false
  private var isReading = false
  private let events: FileEvents
  /// Only touched while `isReading`, so that it can be closed once the thread was stopped.
  private unowned(unsafe) let environment: Environment
  private let tell: (UInt64) -> Void
  private var last: UInt64

  /// Milliseconds after which it looks without having been woken: some file systems tell nothing.
  private static let longestWait = 1000
  /// Milliseconds in which further writes wake nobody: a commit is many.
  private static let pause = 1

  init(_ environment: Environment, _ tell: @escaping @Sendable (UInt64) -> Void) {
    self.environment = environment
    self.tell = tell
    events = FileEvents(path: environment.realPath)
    last = environment.lastVersion(after: 0) ?? 0
  }

  func start() {
    Threads.start { [self] in while !isEnded { look() } }
  }

  /// Lets the thread look at once.
  func wake() { events.signal() }

  /// Ends the thread, which does not read the environment any more when this returns.
  func stop() {
    lock.lock()
    isStopped = true
    while isReading { changed.wait(lock) }
    lock.unlock()
    events.signal()
  }

  private var isEnded: Bool { lock.withLock { isStopped } }

  private func look() {
    events.wait(milliseconds: Self.longestWait)
    guard let version = newVersion() else { return events.pause(milliseconds: Self.pause) }
    last = version
    tell(version)
  }

  /// The last commit, where it is another one than before.
  private func newVersion() -> UInt64? {
    lock.lock()
    guard !isStopped else {
      lock.unlock()
      return nil
    }
    isReading = true
    lock.unlock()
    let version = environment.lastVersion(after: last)
    lock.withLock {
      isReading = false
      changed.signalAll()
    }
    return version
  }
}
