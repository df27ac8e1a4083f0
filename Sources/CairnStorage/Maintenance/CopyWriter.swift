import CLMDB
import CairnSystem

/// Fills an empty file with values in rising order of their keys.
final class CopyWriter {
  private let path: String
  private let handle: OpaquePointer
  private var transaction: OpaquePointer?
  private var database: MDB_dbi = 0
  private var written = 0
  /// The smallest size of a value with pages of its own in the new file, whose pages may be larger
  /// than those of the store.
  private let alignedSize: Int

  /// The number of bytes after which a transaction commits and LMDB writes its pages.
  private static let transactionSize = 64 << 20
  private static let mapSizes = [40, 38, 36, 34, 32, 30, 28, 26].map { 1 << $0 }

  /// - Parameters:
  ///   - path: The path of an empty file.
  ///   - target: The path that messages name.
  init(_ path: String, naming target: String) throws(StoreError) {
    self.path = target
    var opened: OpaquePointer?
    var code: Int32 = 0
    for size in Self.mapSizes {
      (opened, code) = Self.open(path, size: size)
      if code != ENOMEM { break }
    }
    guard let opened else { throw Self.failure(code, path: target) }
    handle = opened
    var statistics = MDB_stat()
    mdb_env_stat(opened, &statistics)
    alignedSize = Int(statistics.ms_psize) / 2
  }

  private static func open(_ path: String, size: Int) -> (OpaquePointer?, Int32) {
    var handle: OpaquePointer?
    var code = mdb_env_create(&handle)
    guard code == 0, let handle else { return (nil, code) }
    mdb_env_set_mapsize(handle, size)
    // No other process knows the file, and it counts only once all of it is on the disk.
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

  /// Appends a value, whose key is larger than all previous ones. Arrays are aligned.
  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    let open = try openTransaction()
    let size = key.kind.isAligned ? max(value.count, alignedSize) : value.count
    var data = MDB_val(mv_size: size, mv_data: nil)
    let code = key.withBytes { bytes in
      var name = MDB_val(bytes)
      return mdb_put(open, database, &name, &data, UInt32(MDB_APPEND | MDB_RESERVE))
    }
    try check(code)
    assert(value.count <= size && data.mv_size == size, "the value is larger than its memory")
    let copy = UnsafeMutableRawBufferPointer(start: data.mv_data, count: size)
    copy.copyMemory(from: value)
    copy[value.count...].initializeMemory(as: UInt8.self, repeating: 0)
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
    guard let transaction else { throw Self.failure(EIO, path: path) }
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
    if code != 0 { throw Self.failure(code, path: path) }
  }

  private static func failure(_ code: Int32, path: String) -> StoreError {
    // LMDB reports a short write as EIO. A full disk causes short writes.
    if code == ENOSPC || (code == EIO && isDiskFull(folder(of: path))) {
      return StoreError(
        .diskFull, message: "disk full while Cairn wrote a copy at \(path); nothing was changed")
    }
    return StoreError(
      .io, message: "cannot write a copy at \(path): \(String(cString: mdb_strerror(code)))")
  }
}

/// A file that gets its name when it is complete. Until then it is nameless, on file systems that
/// support this, so that it disappears with the process. On others it has a temporary name.
final class CopyDraft {
  /// The path by which the unfinished file can be opened.
  let path: String
  private let descriptor: Int32

  /// - Parameter target: The final path of the file.
  init(for target: String) throws(StoreError) {
    let folder = folder(of: target)
    descriptor = access(openFilePath(STDIN_FILENO), F_OK) == 0 ? openNameless(in: folder) : -1
    if descriptor >= 0 {
      path = openFilePath(descriptor)
    } else {
      path = try temporaryFile(named: "\(target).copy")
      TemporaryFiles.note(path)
    }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
    } else {
      unlink(path)
      TemporaryFiles.forget(path)
    }
  }

  /// Gives the file its final name.
  ///
  /// - Throws: `.exists` if there is a file of that name.
  func publish(as target: String) throws(StoreError) {
    let isDone = descriptor >= 0 ? linkNameless(descriptor, to: target) : link(path, target) == 0
    guard isDone else {
      throw errno == EEXIST
        ? StoreError(
          .exists, message: "\(target) exists already; a copy needs a path without a file")
        : StoreError(.io, message: "cannot write \(target): \(errorText(errno))")
    }
  }
}
