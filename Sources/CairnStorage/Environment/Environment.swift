import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The LMDB environment of one file: one for each file and process, shared by every `Store` on it.
///
/// Opening a file twice in one process would empty the table of readers under the first, hence
/// `EnvironmentRegistry`.
final class Environment: @unchecked Sendable {
  // Sendable: the handle may be used by any thread; what LMDB ties to a thread (the writer lock)
  // stays on `writer`, and what changes here is behind `gate`.
  let path: String
  /// Where the file really is: what LMDB opens, and names its lock file after.
  let realPath: String
  let isReadOnly: Bool
  let identity: FileIdentity
  private let handle: OpaquePointer
  let database: MDB_dbi
  private let process = getpid()
  let writer = WriterThread()
  /// Held by whoever edits in the process.
  let writeGate = Gate()
  /// What was written and is not committed yet.
  let commits: CommitQueue
  private let turn: FileTurn?
  /// Those who want to be told of commits.
  let watcher = CommitWatcher()
  /// What was last decoded of the catalogue, with the commit it belongs to.
  let catalog = CatalogCache()

  private static let maximumReaders: UInt32 = 1024
  /// Largest first: an address space or a limit may allow only less.
  private static let mapSizes = [40, 38, 36, 34, 32, 30].map { 1 << $0 }

  /// - Parameters:
  ///   - isLasting: whether commits must outlive the machine.
  ///   - locks: whether others may use the file meanwhile; else the caller has seen to it that nobody does.
  init(
    path: String, readOnly: Bool, identity: FileIdentity?, isLasting: Bool = true,
    locks: Bool = true
  ) throws(StoreError) {
    let realPath = resolvedPath(path)
    let (handle, unlocked) = try Self.open(path, realPath, readOnly: readOnly, locks: locks)
    if !isLasting { mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), 1) }
    var database: MDB_dbi = 0
    let turn: FileTurn?
    do throws(StoreError) {
      database = try Self.openDatabase(handle, path)
      // A store that no file keeps is nobody else's.
      turn = readOnly || !isLasting ? nil : try FileTurn(realPath + "-lock")
    } catch {
      mdb_env_close(handle)
      throw error
    }
    var reaped: Int32 = 0
    mdb_reader_check(handle, &reaped)
    var statistics = MDB_stat()
    mdb_env_stat(handle, &statistics)
    alignedSize = Int(statistics.ms_psize) / 2
    self.turn = turn
    commits = CommitQueue(turn)
    self.path = path
    self.realPath = realPath
    isReadOnly = readOnly
    self.handle = handle
    self.database = database
    self.isUnlocked = unlocked
    self.identity = identity ?? FileIdentity(path: path) ?? FileIdentity(device: 0, inode: 0)
  }

  /// Values of this size or more stand on pages of their own, where they are aligned: half of the file's page,
  /// which is that of the machine that made it.
  let alignedSize: Int

  /// The lock file could not be written, so readers go unregistered.
  let isUnlocked: Bool

  /// Closes the file. Called once, when nobody uses the environment any more.
  func close() {
    writer.stop()
    mdb_env_close(handle)
    turn?.close()
  }

  /// Goes in as the only writer of the file, with nothing left to be committed.
  func enterWriting() throws(StoreError) {
    writeGate.enter()
    do throws(StoreError) { _ = try commits.enter() } catch {
      writeGate.leave()
      throw error
    }
    commits.drain()
  }

  /// Lets the next writer in.
  func leaveWriting() {
    commits.leave()
    writeGate.leave()
  }

  private static func open(
    _ path: String, _ realPath: String, readOnly: Bool, locks: Bool
  ) throws(StoreError) -> (OpaquePointer, unlocked: Bool) {
    var code: Int32 = 0
    for size in mapSizes {
      code = 0
      if let handle = current(realPath, readOnly: readOnly, lock: locks, size, &code) {
        return (handle, !locks)
      }
      if readOnly, code == EACCES || code == EROFS || code == ENOENT,
        let handle = attempt(realPath, readOnly: true, lock: false, size, &code)
      {
        return (handle, true)
      }
      if code != ENOMEM { break }
    }
    throw failure(code, "open", path)
  }

  /// Opens again when the file was replaced meanwhile.
  private static func current(
    _ path: String, readOnly: Bool, lock: Bool, _ size: Int, _ code: inout Int32
  ) -> OpaquePointer? {
    guard lock else { return attempt(path, readOnly: readOnly, lock: false, size, &code) }
    while true {
      let files = OpenedFiles(lockPath: path + "-lock")
      guard let handle = attempt(path, readOnly: readOnly, lock: true, size, &code) else {
        return nil
      }
      var descriptor: Int32 = -1
      mdb_env_get_fd(handle, &descriptor)
      if files.areCurrent(descriptor, path: path) { return handle }
      mdb_env_close(handle)
    }
  }

  private static func attempt(
    _ path: String, readOnly: Bool, lock: Bool, _ size: Int, _ code: inout Int32
  ) -> OpaquePointer? {
    var handle: OpaquePointer?
    code = mdb_env_create(&handle)
    guard code == 0, let handle else { return nil }
    mdb_env_set_mapsize(handle, size)
    mdb_env_set_maxreaders(handle, maximumReaders)
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NOMEMINIT)
    if readOnly { flags |= UInt32(MDB_RDONLY) }
    if !lock { flags |= UInt32(MDB_NOLOCK) }
    code = mdb_env_open(handle, path, flags, 0o644)
    guard code == 0 else {
      mdb_env_close(handle)
      return nil
    }
    return handle
  }

  private static func openDatabase(
    _ handle: OpaquePointer, _ path: String
  ) throws(StoreError) -> MDB_dbi {
    var transaction: OpaquePointer?
    var code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { throw failure(code, "open", path) }
    defer { mdb_txn_abort(transaction) }
    var database: MDB_dbi = 0
    code = mdb_dbi_open(transaction, nil, 0, &database)
    guard code == 0 else { throw failure(code, "open", path) }
    return database
  }

  /// Throws in a process that was forked from the one that opened the file.
  func requireOwner() throws(StoreError) {
    guard getpid() == process else {
      throw StoreError(
        .misuse, "\(path) was opened before this process was forked; open it again in the child")
    }
  }

  func begin(writing: Bool) throws(StoreError) -> OpaquePointer {
    try requireOwner()
    var transaction: OpaquePointer?
    let flags = writing ? 0 : UInt32(MDB_RDONLY)
    var code = mdb_txn_begin(handle, nil, flags, &transaction)
    if code == MDB_READERS_FULL {
      var reaped: Int32 = 0
      mdb_reader_check(handle, &reaped)
      code = mdb_txn_begin(handle, nil, flags, &transaction)
    }
    try check(code, writing ? "begin to write" : "begin to read")
    guard let transaction else { throw Self.failure(EIO, "begin", path) }
    return transaction
  }

  /// The number of the last commit that a reader sees; nil: it is that one.
  func lastVersion(after known: UInt64) -> UInt64? {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    let written = UInt64(information.me_last_txnid)
    guard written > known else { return nil }
    // Another process writes the page that names the commit a moment before it lets readers see it.
    var seen = known
    for _ in 0..<Self.mostLooks {
      guard let transaction = try? begin(writing: false) else { break }
      seen = UInt64(mdb_txn_id(transaction))
      mdb_txn_abort(transaction)
      if seen >= written { break }
      usleep(50)
    }
    return seen > known ? seen : nil
  }

  private static let mostLooks = 100

  /// Calls `body` with a line for each reader in the table, and a heading.
  func listReaders(
    _ context: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Int32
  ) {
    mdb_reader_list(handle, body, context)
  }

  /// Makes durable what was committed to a file whose commits are not.
  func sync() throws(StoreError) { try check(mdb_env_sync(handle, 1), "write") }

  /// The size of a page in bytes, and the pages of the file, free ones included.
  func pages() throws(StoreError) -> (size: Int, count: Int) {
    var information = MDB_envinfo()
    try check(mdb_env_info(handle, &information), "read")
    return (alignedSize * 2, information.me_last_pgno + 1)
  }

  /// Clears the slots of readers that died, so that their pages can be used again.
  func sweepReaders() {
    var reaped: Int32 = 0
    mdb_reader_check(handle, &reaped)
  }

  /// Throws what an LMDB return code means.
  func check(_ code: Int32, _ doing: String) throws(StoreError) {
    if code != 0 { throw Self.failure(code, doing, path) }
  }

  private static func failure(_ code: Int32, _ doing: String, _ path: String) -> StoreError {
    let text = String(cString: mdb_strerror(code))
    switch code {
    case MDB_MAP_FULL:
      return StoreError(
        .full, "\(path): the address space for the store is used up; raise the limit (ulimit -v)")
    case MDB_INVALID, MDB_VERSION_MISMATCH:
      return StoreError(.notAStore, "\(path) is not a Cairn store (\(text))")
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_PANIC:
      return StoreError(.damaged, "\(path) is damaged (\(text)); restore it from a copy")
    case MDB_READERS_FULL:
      return StoreError(.locked, "\(path): \(maximumReaders) readers have it open; end some")
    case ENOENT: return StoreError(.notFound, "\(path) does not exist")
    case EACCES, EPERM, EROFS, EAGAIN:
      return StoreError(.locked, "cannot \(doing) \(path): \(text)")
    case ENOSPC:
      return StoreError(
        .diskFull, "disk full while Cairn tried to \(doing) \(path); nothing was changed")
    // LMDB reports a short write as EIO, which is what a full disk gives.
    case EIO where isDiskFull(path):
      return StoreError(
        .diskFull, "disk full while Cairn tried to \(doing) \(path); nothing was changed")
    default: return StoreError(.io, "cannot \(doing) \(path): \(text)")
    }
  }
}
