import CairnSystem

extension Store {
  /// Begins a write transaction: waits for the previous writer, then edits the state that it left.
  package func beginWrite() throws(StoreError) -> WriteTransaction {
    guard !isReadOnly else { throw readOnly }
    return try WriteTransaction.waiting(handle)
  }

  /// Begins a write transaction without blocking the caller; `body` receives the write grant on any
  /// thread.
  package func beginWrite(
    then body: @escaping @Sendable (Result<WriteGrant, StoreError>) -> Void
  ) {
    guard !isReadOnly else { return body(.failure(readOnly)) }
    let handle = handle
    let environment = environment
    environment.fifoLock.acquire {
      guard !environment.commits.tryAcquire() else { return body(WriteTransaction.offered(handle)) }
      // Waiting for another process may take long, and the writer thread has to stay free for
      // commits.
      Threads.start { body(WriteTransaction.offered(handle)) }
    }
  }

  /// Runs `body` in a write transaction and commits its changes; any error rolls everything back.
  package func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    let transaction = try beginWrite()
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }

  private var readOnly: StoreError {
    StoreError(.readOnly, message: "\(path) was opened for reading only")
  }
}

extension WriteTransaction {
  /// The number of versions from the oldest that another reader holds to the one that this
  /// transaction will commit, both included.
  package var activeVersionCount: UInt64 {
    var held = handle.environment.heldSnapshots().map(\.version)
    if let own = held.firstIndex(of: snapshot.version) { held.remove(at: own) }
    let next = snapshot.version + 1
    return next - min(held.first ?? next, next) + 1
  }
}

/// A granted request to write, for callers that did not block.
package final class WriteGrant: Sendable {
  private let handle: EnvironmentHandle
  private let number: Int

  init(_ handle: EnvironmentHandle, number: Int) {
    self.handle = handle
    self.number = number
  }

  /// Returns the transaction; nil if the grant was already claimed, perhaps by a blocking writer in
  /// need of the lock.
  package func claim() -> WriteTransaction? {
    handle.environment.fifoLock.claim(number).map(WriteTransaction.taken)
  }

  // An unclaimed grant ends here.
  deinit { _ = claim() }
}

extension WriteTransaction {
  /// Begins a transaction for the holder of the writer lock, and offers it.
  static func offered(_ handle: EnvironmentHandle) -> Result<WriteGrant, StoreError> {
    do throws(StoreError) {
      let transaction = try begin(handle)
      return .success(WriteGrant(handle, number: handle.environment.fifoLock.offer(transaction)))
    } catch {
      return .failure(error)
    }
  }
}
