import CairnSystem

/// A begun transaction of the holder of the writer lock, which a waiting caller may take over.
protocol OfferedTransaction: AnyObject {
  /// Ends the unused transaction but keeps the writer lock.
  func endUnused()
}

/// A FIFO writer lock: it admits one holder at a time, in order of arrival. Unlike a mutex, it may
/// be released on another thread than it was taken on.
///
/// A caller that enters without waiting is offered a transaction, and may be slow to claim it: its
/// thread may itself be waiting here. So an offer that is not claimed for a moment goes to a
/// waiting caller.
final class FIFOWriterLock: @unchecked Sendable {
  // Sendable: the mutable state is only touched under `lock`.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private var isTaken = false
  /// The waiting callers, the longest waiting first.
  private var waiting: [Waiter] = []
  /// The transaction of the current holder that may be claimed.
  private var offer: (any OfferedTransaction)?
  private var offers = 0

  private final class Waiter {
    /// Whether a blocked caller was admitted.
    var isAdmitted = false
    /// Runs when a caller that does not block is admitted.
    let body: (@Sendable () -> Void)?

    init(_ body: (@Sendable () -> Void)? = nil) { self.body = body }
  }

  private static let claimDelay = 5

  /// Takes the lock after everyone who came before has released it.
  func acquire() { acquireOrClaim()?.endUnused() }

  /// Takes the lock, or the transaction that its holder offers.
  func acquireOrClaim() -> (any OfferedTransaction)? {
    lock.withLock {
      guard isTaken else {
        isTaken = true
        return nil
      }
      let waiter = Waiter()
      waiting.append(waiter)
      while !waiter.isAdmitted {
        let last = offers
        guard offer != nil else {
          changed.wait(lock)
          continue
        }
        changed.wait(lock, milliseconds: FIFOWriterLock.claimDelay)
        if !waiter.isAdmitted, last == offers, let taken = takeOffer() {
          waiting.removeAll { $0 === waiter }
          return taken
        }
      }
      return nil
    }
  }

  /// Takes the lock without blocking. `body` runs with the lock held, at once or on the thread that
  /// releases it.
  func acquire(then body: @escaping @Sendable () -> Void) {
    let isFree = lock.withLock {
      if isTaken { waiting.append(Waiter(body)) }
      defer { isTaken = true }
      return !isTaken
    }
    if isFree { body() }
  }

  /// Offers the holder's transaction.
  ///
  /// - Returns: The number to claim it by.
  func offer(_ transaction: sending any OfferedTransaction) -> Int {
    // Sendable: the caller gives the transaction away, and one caller claims the offer.
    nonisolated(unsafe) let transaction = transaction
    return lock.withLock {
      offer = transaction
      offers += 1
      changed.signalAll()
      return offers
    }
  }

  /// The transaction that was offered under a number, or nil if it was taken meanwhile.
  func claim(_ number: Int) -> (any OfferedTransaction)? {
    lock.withLock { number == offers ? takeOffer() : nil }
  }

  private func takeOffer() -> (any OfferedTransaction)? {
    defer { offer = nil }
    return offer
  }

  /// Whether a caller waits for the lock.
  var hasWaiters: Bool { lock.withLock { !waiting.isEmpty } }

  func release() {
    let body: (@Sendable () -> Void)? = lock.withLock {
      guard !waiting.isEmpty else {
        isTaken = false
        return nil
      }
      let next = waiting.removeFirst()
      next.isAdmitted = true
      if next.body == nil { changed.signalAll() }
      return next.body
    }
    body?()
  }
}

/// The inter-process writer lock of a store. A process holds it from the moment it begins a
/// transaction until that transaction, and those that follow it, are committed.
///
/// LMDB's own writer lock belongs to a thread and is released with every commit. This one belongs
/// to the process, so a transaction may be edited on top of one that is still on its way to the
/// disk. The kernel releases it when the process ends.
final class ProcessWriterLock: @unchecked Sendable {
  // Sendable: nothing changes, and any thread may lock a file.
  /// LMDB's lock file.
  private let file: LockFile
  private let process = getpid()
  /// The path of the store for messages.
  private let store: String
  private var descriptor: Int32 { file.descriptor }

  init(_ file: LockFile, of store: String) {
    self.file = file
    self.store = store
  }

  /// Takes the lock, and waits for the process that holds it.
  func acquire() throws(StoreError) {
    if tryAcquire() { return }
    let descriptor = descriptor
    try LockWaits.report(
      store, purpose: .write, holder: { LockHolder.ofWholeFile(descriptor) },
      during: { () throws(StoreError) in try wait() })
  }

  private func wait() throws(StoreError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw StoreError(.locked, message: "cannot lock the store to write: \(errorText(errno))")
      }
    }
  }

  /// Takes the lock, unless another process holds it.
  func tryAcquire() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Releases the lock. In a child that was forked meanwhile the parent keeps the lock.
  func release() { if getpid() == process { flock(descriptor, LOCK_UN) } }
}
