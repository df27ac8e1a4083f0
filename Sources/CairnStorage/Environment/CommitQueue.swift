#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What was written to a store and waits to be committed, in order, and the process's turn to write.
///
/// While one commit is on its way to the disk the next transactions are edited on top of it; all that came meanwhile is
/// committed together. A transaction that fails takes all that lie upon it with it.
final class CommitQueue: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`; `turn` by the one who is inside the gate, or by nobody.
  private let lock = Lock()
  private let changed = Condition()
  private let turn: FileTurn?
  private var queued: [SealedChanges] = []
  private var inFlight: [SealedChanges] = []
  /// Whether the writer thread is at it.
  private var isRunning = false
  /// Whether somebody waits for what is queued.
  private var isHurried = false
  /// Whether somebody inside the gate edits.
  private var isEditing = false
  /// Whether other processes are kept from writing.
  private var isHeld = false
  /// Since when they have hardly had a chance, and when they had one last, in milliseconds.
  private var busySince = 0
  private var leftAt = 0

  /// How long other processes wait at most while transactions of this one follow each other; then they get as many
  /// microseconds to take their turn.
  private static let mostHeld = 100
  private static let pause: UInt32 = 300
  /// How long a commit waits for others, and how many of them at most.
  private static let patience = 3
  private static let mostWaiting = 64

  init(_ turn: FileTurn?) { self.turn = turn }

  /// Whether nothing waits to be committed.
  var isIdle: Bool { lock.withLock { isDrained } }

  private var isDrained: Bool { queued.isEmpty && inFlight.isEmpty }

  // MARK: Turns

  /// Takes the process's turn to write, for one who is inside the gate; gives what is not committed yet.
  func enter() throws(StoreError) -> [SealedChanges] {
    lock.lock()
    defer { lock.unlock() }
    isEditing = true
    if isOverdue {
      waitUntilDrained()
      if isHeld { turn?.leave() }
      isHeld = false
      usleep(Self.pause)
      busySince = milliseconds()
    }
    if !isHeld {
      // Nobody else touches the queue now, and who waits for it must not wait for another process.
      lock.unlock()
      let taken = Result { () throws(StoreError) in try turn?.take() }
      lock.lock()
      if case .failure(let error) = taken {
        isEditing = false
        throw error
      }
      noteTaken()
    }
    return inFlight + queued
  }

  /// Whether other processes have waited long enough, if any does.
  private var isOverdue: Bool {
    let now = milliseconds()
    return turn != nil && now - busySince > Self.mostHeld && (isHeld || now - leftAt <= 1)
  }

  private func noteTaken() {
    isHeld = true
    let now = milliseconds()
    if now - leftAt > 1 { busySince = now }
  }

  /// Whether `enter` would not wait for another process: then the turn is taken.
  func canEnter() -> Bool {
    lock.withLock {
      guard !isOverdue else { return false }
      if !isHeld {
        guard turn?.takeIfFree() ?? true else { return false }
        noteTaken()
      }
      isEditing = true
      return true
    }
  }

  /// Ends the turn, unless what waits has to be committed first.
  func leave() {
    lock.withLock {
      isEditing = false
      leaveIfDrained()
    }
  }

  private func leaveIfDrained() {
    guard !isEditing, isDrained, isHeld else { return }
    turn?.leave()
    isHeld = false
    leftAt = milliseconds()
  }

  /// Lets other processes write, for one who is inside the gate and has nothing begun.
  func makeWay() throws(StoreError) {
    drain()
    turn?.leave()
    usleep(Self.pause)
    try turn?.take()
  }

  // MARK: Commits

  /// Adds changes, and sees to it that they are committed.
  func enqueue(_ changes: SealedChanges, _ environment: Environment) {
    lock.withLock {
      if let failure = changes.failureBelow {
        changes.settle(failure)
        return environment.writer.submit { changes.complete(failure) }
      }
      queued.append(changes)
      changed.signalAll()
      guard !isRunning else { return }
      isRunning = true
      environment.writer.submit { [self] in while commitNext() {} }
    }
  }

  /// Has what waits committed at once.
  func hasten() {
    lock.withLock {
      isHurried = true
      changed.signalAll()
    }
  }

  /// Blocks until nothing waits to be committed.
  func drain() { lock.withLock { waitUntilDrained() } }

  private func waitUntilDrained() {
    while !isDrained {
      isHurried = true
      changed.signalAll()
      changed.wait(lock)
    }
  }

  /// How it went with changes; nil before that is known.
  func outcome(of changes: SealedChanges) -> Result<Void, StoreError>? {
    lock.withLock { changes.outcome }
  }

  /// Blocks until it is known how it went with changes.
  func wait(for changes: SealedChanges) -> Result<Void, StoreError> {
    lock.withLock {
      while true {
        if let outcome = changes.outcome { return outcome }
        if changes.mayWait { isHurried = true }
        changed.wait(lock)
      }
    }
  }

  /// Commits what waits, on the writer thread; false when nothing did.
  private func commitNext() -> Bool {
    guard let group = next() else { return false }
    let outcome = Result { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: group[0].handle)
      defer { lmdb.abort() }
      try lmdb.tidy()
      try lmdb.lay(group)
      try lmdb.commit()
    }
    for changes in settle(group, outcome) { changes.complete(outcome) }
    return true
  }

  private func next() -> [SealedChanges]? {
    lock.withLock {
      linger()
      isHurried = false
      guard !queued.isEmpty else {
        isRunning = false
        return nil
      }
      inFlight = queued
      queued = []
      return inFlight
    }
  }

  /// Waits for more, where all that there is may.
  private func linger() {
    let end = milliseconds() + Self.patience
    while !isHurried, !queued.isEmpty, queued.count < Self.mostWaiting,
      queued.allSatisfy(\.mayWait)
    {
      let rest = end - milliseconds()
      guard rest > 0 else { return }
      changed.wait(lock, milliseconds: rest)
    }
  }

  /// Notes how it went with a group; gives all that it went so with.
  private func settle(
    _ group: [SealedChanges], _ outcome: Result<Void, StoreError>
  ) -> [SealedChanges] {
    lock.withLock {
      var settled = group
      if case .failure = outcome {
        settled += queued
        queued = []
      }
      for changes in settled { changes.settle(outcome) }
      inFlight = []
      leaveIfDrained()
      changed.signalAll()
      return settled
    }
  }

  private func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }
}
