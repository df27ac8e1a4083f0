import CairnStorage

/// Identifies an asynchronous write or commit that has not finished.
public typealias AsyncTransactionId = UInt32

/// An asynchronous write that waits for the writer lock.
final class PendingWrite {
  let id: AsyncTransactionId
  /// Called on any thread once the writer lock may have been granted.
  let wake: @Sendable (PendingWrite) -> Void
  /// Runs in the transaction, or receives the error that prevented one.
  let run: (Realm.Error?) -> Void

  init(
    _ id: AsyncTransactionId, wake: @escaping @Sendable (PendingWrite) -> Void,
    run: @escaping (Realm.Error?) -> Void = { _ in }
  ) {
    self.id = id
    self.wake = wake
    self.run = run
  }
}

/// The unfinished asynchronous writes of a session, in the order of the requests. Only the
/// session's owner uses them.
final class AsyncWrites {
  /// A request for the writer lock.
  struct LockRequest {
    let write: PendingWrite
    let promise: Promise<Result<WriteGrant, StoreError>>
  }

  var pending: [PendingWrite] = []
  /// The request for the first pending write.
  var lockRequest: LockRequest?
  /// The write whose block is running.
  var current: PendingWrite?
  /// The number of commits that are not durable yet or whose completion block has not been called.
  var unfinished = 0
  /// The completion blocks to call once writes are durable, by identifier.
  var completions: [AsyncTransactionId: ((any Error)?) -> Void] = [:]
  private var last: AsyncTransactionId = 0

  /// Returns the identifier for the next write or commit.
  func nextID() -> AsyncTransactionId {
    last &+= 1
    return last
  }

  var isEmpty: Bool { pending.isEmpty && current == nil && unfinished == 0 }
}

extension Session {
  /// Adds a write to the queue for the writer lock.
  func enqueue(_ write: PendingWrite) {
    asyncWrites.pending.append(write)
    requestWriterLock()
  }

  /// Requests the writer lock for the first pending write, unless it is already requested or the
  /// session is writing.
  func requestWriterLock() {
    let writes = asyncWrites
    guard transaction == nil, writes.lockRequest == nil, let next = writes.pending.first else {
      return
    }
    let promise = Promise<Result<WriteGrant, StoreError>>()
    writes.lockRequest = AsyncWrites.LockRequest(write: next, promise: promise)
    let write = UncheckedTransfer(next)
    store.beginWrite { result in
      promise.fulfill(result)
      write.value.wake(write.value)
    }
  }

  /// Opens the transaction of a write whose request was granted. Returns false if the grant belongs
  /// to another write or has not arrived.
  func openTransaction(of write: PendingWrite) throws -> Bool {
    let writes = asyncWrites
    guard let lockRequest = writes.lockRequest, lockRequest.write === write,
      let result = lockRequest.promise.present
    else {
      return false
    }
    writes.lockRequest = nil
    guard let begun = result.claimed else {
      requestWriterLock()
      return false
    }
    writes.pending.removeFirst()
    do {
      try open(begun)
    } catch {
      requestWriterLock()
      throw error
    }
    return true
  }

  /// Returns the transaction of a write grant that has already arrived, for a synchronous write
  /// that cannot queue, or nil if none has arrived. The pending writes request the lock again after
  /// that transaction.
  func grantedTransaction() -> Result<WriteTransaction, StoreError>? {
    defer { asyncWrites.lockRequest = nil }
    return asyncWrites.lockRequest?.promise.present?.claimed
  }

  /// Runs a write if its request was granted. Drops a transaction that the block leaves open.
  func run(_ write: PendingWrite) {
    do {
      guard try openTransaction(of: write) else { return }
    } catch {
      return write.run(error as? Realm.Error ?? Realm.Error(.fail, description: "\(error)"))
    }
    let open = transaction
    asyncWrites.current = write
    write.run(nil)
    if asyncWrites.current === write { asyncWrites.current = nil }
    if let open, transaction === open { cancelWrite() }
  }

  /// Cancels a pending or running write, or drops the completion block of a commit.
  func cancel(_ id: AsyncTransactionId) {
    let writes = asyncWrites
    if let index = writes.pending.firstIndex(where: { $0.id == id }) {
      let write = writes.pending.remove(at: index)
      if writes.lockRequest?.write === write { writes.lockRequest = nil }
      requestWriterLock()
    } else if writes.current?.id == id, transaction != nil {
      cancelWrite()
    } else {
      writes.completions[id] = nil
    }
  }
}

extension Result<WriteGrant, StoreError> {
  /// The transaction, or the error that prevented it; nil if another writer has claimed the grant.
  fileprivate var claimed: Result<WriteTransaction, StoreError>? {
    switch self {
    case .success(let lockRequest): lockRequest.claim().map { .success($0) }
    case .failure(let error): .failure(error)
    }
  }
}

extension Session {
  /// Ends the open transaction; the session's owner calls `onComplete` once the write is durable.
  func commitAsync(
    _ id: AsyncTransactionId, allowGrouping: Bool = false, onComplete: (((any Error)?) -> Void)?
  ) {
    let scheduler = requiredScheduler
    let session = UncheckedTransfer(self)
    asyncWrites.completions[id] = onComplete
    asyncWrites.unfinished += 1
    do {
      let write = try prepareCommit(allowGrouping: allowGrouping) { write in
        scheduler.run { session.value.finish(write) }
      }
      // A commit that wrote nothing completes after the commits before it.
      if let write = write ?? pendingWrite {
        write.waiting.append(id)
      } else {
        finishLater(id, error: nil)
      }
    } catch {
      finishLater(id, error: error)
    }
  }

  /// Calls the completion block of a write that ended without an asynchronous commit, after any
  /// prepared write has completed.
  func complete(
    _ id: AsyncTransactionId, error: (any Error)?, onComplete: (((any Error)?) -> Void)?
  ) {
    guard let pendingWrite, error == nil else {
      onComplete?(error)
      return
    }
    asyncWrites.completions[id] = onComplete
    asyncWrites.unfinished += 1
    pendingWrite.waiting.append(id)
  }

  private func finishLater(_ id: AsyncTransactionId, error: (any Error)?) {
    let session = UncheckedTransfer(self)
    requiredScheduler.run { session.value.finish(id, error: error) }
  }

  /// Advances to the durable snapshot and calls the completion blocks.
  private func finish(_ write: PreparedWrite) {
    var error: (any Error)? = write.error
    if pendingWrite === write {
      do { try finishPendingWrite() } catch let failure { error = error ?? failure }
    }
    for id in write.waiting { finish(id, error: error) }
  }

  private func finish(_ id: AsyncTransactionId, error: (any Error)?) {
    asyncWrites.unfinished -= 1
    asyncWrites.completions.removeValue(forKey: id)?(error)
  }
}
