import CairnSystem

/// The observers of commits to one file, and the thread that notifies them while there are any. They
/// are also notified, without a new commit, when the file was deleted or replaced.
final class CommitWatcher: @unchecked Sendable {
  // Sendable: `lock` guards everything that changes.
  private let lock = Lock()
  private var bodies: [Int: @Sendable (UInt64) -> Void] = [:]
  private var lastNumber = 0
  private var thread: WatchThread?

  /// Adds an observer and returns the number to remove it by.
  func add(_ body: @escaping @Sendable (UInt64) -> Void, environment: Environment) -> Int {
    lock.withLock {
      lastNumber += 1
      bodies[lastNumber] = body
      if thread == nil {
        let made = WatchThread(environment) { [weak self] version in self?.notify(version) }
        thread = made
        made.start()
      }
      return lastNumber
    }
  }

  /// Removes an observer. After the last one the thread no longer reads the environment.
  func remove(_ number: Int) {
    var ended: WatchThread?
    // Release the body outside the lock: its deinit may end other watches.
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

  /// Wakes the thread. Called after each commit of this process.
  func noteCommit() { lock.withLock { thread }?.wake() }

  private func notify(_ version: UInt64) {
    let observers = lock.withLock { bodies.sorted { $0.key < $1.key }.map(\.value) }
    for body in observers { body(version) }
  }
}

/// The thread that waits until any process writes to the file and then looks for a new commit.
final class WatchThread: @unchecked Sendable {
  // Sendable: `lock` guards everything that changes, or only the thread uses it.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private var isStopped = false
  private var isReading = false
  private let events: FileEvents
  /// Only used while `isReading`, so that the environment can be closed once the thread has
  /// stopped.
  private unowned(unsafe) let environment: Environment
  private let notify: (UInt64) -> Void
  private var last: UInt64
  /// Whether the observers know that the file was deleted or replaced.
  private var isReplacementKnown = false

  /// The milliseconds between two looks without an event, because some file systems do not report
  /// writes.
  private static let longestWait = 1000
  /// The milliseconds in which further writes are ignored, because one commit is many writes.
  private static let pause = 1

  init(_ environment: Environment, notify: @escaping @Sendable (UInt64) -> Void) {
    self.environment = environment
    self.notify = notify
    events = FileEvents(path: environment.realPath)
    last = environment.lastVersion(after: 0) ?? 0
  }

  func start() {
    Threads.start { [self] in while !isEnded { look() } }
  }

  /// Makes the thread look immediately.
  func wake() { events.signal() }

  /// Ends the thread. It no longer reads the environment when this returns.
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
    notify(version)
  }

  /// Returns the latest commit if it has changed, or if the file was replaced.
  private func newVersion() -> UInt64? {
    lock.lock()
    guard !isStopped else {
      lock.unlock()
      return nil
    }
    isReading = true
    lock.unlock()
    var version = environment.lastVersion(after: last)
    if version == nil, !isReplacementKnown, environment.isReplaced {
      isReplacementKnown = true
      version = last
    }
    lock.withLock {
      isReading = false
      changed.signalAll()
    }
    return version
  }
}
