/// Writes the values of a compacted store, in transactions of bounded size.
final class CompactionWriter {
  let handle: EnvironmentHandle
  private var open: LMDBTransaction?
  private var written = 0

  /// Bytes after which a transaction is committed.
  private static let transactionSize = 64 << 20

  init(_ handle: EnvironmentHandle) { self.handle = handle }

  /// Runs `body` in a write transaction, on the owner thread.
  func write<R>(
    bytes: Int = 0, _ body: (LMDBTransaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try handle.environment.writer.run { () throws(StoreError) -> R in
      if open == nil { open = try LMDBTransaction(writing: handle) }
      guard let open else { throw StoreError(.misuse, "the transaction has ended") }
      let result = try body(open)
      written += bytes
      if written > Self.transactionSize { try commitOpen() }
      return result
    }
  }

  /// Writes one value.
  func put(_ key: StorageKey, _ bytes: [UInt8]) throws(StoreError) {
    try write(bytes: bytes.count) { lmdb throws(StoreError) in try lmdb.put(key, bytes) }
  }

  /// Commits what was written so far.
  func commit() throws(StoreError) {
    try handle.environment.writer.run { () throws(StoreError) in try commitOpen() }
  }

  private func commitOpen() throws(StoreError) {
    guard let lmdb = open else { return }
    open = nil
    written = 0
    try lmdb.commit()
  }

  /// Drops what was not committed.
  func abandon() {
    handle.environment.writer.run { open?.abort() }
    open = nil
  }
}
