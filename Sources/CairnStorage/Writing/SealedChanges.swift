/// Changes that nobody edits any more, and that are not durable yet.
package final class SealedChanges: @unchecked Sendable {
  // Sendable: the transaction is touched on the writer thread alone.
  private let handle: EnvironmentHandle
  private let lmdb: LMDBTransaction

  init(_ handle: EnvironmentHandle, _ lmdb: LMDBTransaction) {
    self.handle = handle
    self.lmdb = lmdb
  }

  /// Makes the changes durable and visible, and lets the next writer in; then `body` runs on the writer thread. To be
  /// called once.
  package func commit(then body: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
    let environment = handle.environment
    environment.writer.submit { [self] in
      let outcome = Result { () throws(StoreError) in try lmdb.commit() }
      environment.writeGate.leave()
      body(outcome)
    }
  }
}
