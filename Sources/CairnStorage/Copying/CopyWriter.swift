import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Fills an empty file with values whose keys rise.
final class CopyWriter {
  private let path: String
  private let handle: OpaquePointer
  private var transaction: OpaquePointer?
  private var database: MDB_dbi = 0
  private var written = 0

  /// Bytes after which LMDB is given its pages back.
  private static let transactionSize = 64 << 20
  private static let mapSizes = [40, 38, 36, 34, 32, 30].map { 1 << $0 }

  /// - Parameters:
  ///   - path: an empty file.
  ///   - target: the path that messages name.
  init(_ path: String, naming target: String) throws(StoreError) {
    self.path = target
    var opened: OpaquePointer?
    var code: Int32 = 0
    for size in Self.mapSizes {
      (opened, code) = Self.open(path, size)
      if code != ENOMEM { break }
    }
    guard let opened else { throw Self.failure(code, target) }
    handle = opened
  }

  private static func open(_ path: String, _ size: Int) -> (OpaquePointer?, Int32) {
    var handle: OpaquePointer?
    var code = mdb_env_create(&handle)
    guard code == 0, let handle else { return (nil, code) }
    mdb_env_set_mapsize(handle, size)
    // Nobody else knows the file, and what is on the disk counts only once all of it is.
    let flags = UInt32(MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC | MDB_NOMEMINIT)
    code = StandardStreams.withReserved { mdb_env_open(handle, path, flags, 0o644) }
    guard code == 0 else {
      mdb_env_close(handle)
      return (nil, code)
    }
    return (handle, 0)
  }

  deinit {
    if let transaction { mdb_txn_abort(transaction) }
    mdb_env_close(handle)
  }

  /// Adds a value behind the others.
  func put(_ key: StorageKey, _ value: UnsafeRawBufferPointer) throws(StoreError) {
    let open = try openTransaction()
    let code = key.withBytes { bytes in
      var name = MDB_val(bytes)
      var data = MDB_val(value)
      return mdb_put(open, database, &name, &data, UInt32(MDB_APPEND))
    }
    try check(code)
    written += value.count
    if written > Self.transactionSize { try commit() }
  }

  /// Makes everything durable.
  func finish() throws(StoreError) {
    try commit()
    try check(mdb_env_sync(handle, 1))
  }

  private func openTransaction() throws(StoreError) -> OpaquePointer {
    if let transaction { return transaction }
    try check(mdb_txn_begin(handle, nil, 0, &transaction))
    guard let transaction else { throw Self.failure(EIO, path) }
    try check(mdb_dbi_open(transaction, nil, 0, &database))
    return transaction
  }

  private func commit() throws(StoreError) {
    written = 0
    guard let open = transaction else { return }
    transaction = nil
    try check(mdb_txn_commit(open))
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != 0 { throw Self.failure(code, path) }
  }

  private static func failure(_ code: Int32, _ path: String) -> StoreError {
    // LMDB reports a short write as EIO, which is what a full disk gives.
    if code == ENOSPC || (code == EIO && isDiskFull(folder(of: path))) {
      return StoreError(
        .diskFull, "disk full while Cairn wrote a copy at \(path); nothing was changed")
    }
    return StoreError(.io, "cannot write a copy at \(path): \(String(cString: mdb_strerror(code)))")
  }
}
