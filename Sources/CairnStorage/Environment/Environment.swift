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
  private let file: LMDBFile
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

  /// - Parameters:
  ///   - isLasting: whether commits must outlive the machine.
  ///   - locks: whether others may use the file meanwhile; else the caller has seen to it that nobody does.
  init(
    path: String, readOnly: Bool, identity: FileIdentity?, isLasting: Bool = true,
    locks: Bool = true
  ) throws(StoreError) {
    let (file, realPath) = try Self.open(path, readOnly: readOnly, locks: locks)
    if !isLasting { mdb_env_set_flags(file.handle, UInt32(MDB_NOSYNC), 1) }
    var database: MDB_dbi = 0
    let turn: FileTurn?
    do throws(StoreError) {
      database = try file.openDatabase()
      // A store that no file keeps is nobody else's.
      turn = readOnly || !isLasting ? nil : try FileTurn(realPath + "-lock", of: path)
    } catch {
      file.close()
      throw error
    }
    var reaped: Int32 = 0
    mdb_reader_check(file.handle, &reaped)
    var statistics = MDB_stat()
    mdb_env_stat(file.handle, &statistics)
    alignedSize = Int(statistics.ms_psize) / 2
    self.turn = turn
    self.isLasting = isLasting
    if !readOnly, isLasting, locks { Self.removeAbandoned(realPath) }
    commits = CommitQueue(turn)
    self.path = path
    self.realPath = realPath
    isReadOnly = readOnly
    mayBeWritten = locks
    self.file = file
    self.database = database
    self.identity = identity ?? FileIdentity(path: path) ?? FileIdentity(device: 0, inode: 0)
  }

  /// Whether other processes may write to the file meanwhile.
  private let mayBeWritten: Bool
  /// Whether commits outlive the machine.
  let isLasting: Bool
  /// Whether the pages were checked that a writer follows; touched inside LMDB's writer lock only.
  private var isCheckedForWriting = false

  /// Values of this size or more stand on pages of their own, where they are aligned: half of the file's page,
  /// which is that of the machine that made it.
  let alignedSize: Int

  /// Opens a file with the lock file that everyone else uses for it, whatever name they opened it by.
  private static func open(
    _ path: String, readOnly: Bool, locks: Bool
  ) throws(StoreError) -> (LMDBFile, realPath: String) {
    for _ in 0..<mostTries {
      let resolved = resolvedPath(path)
      let realPath = locks ? LockName.name(for: resolved) : resolved
      if locks { try FileCheck.checkLockFile(realPath + "-lock", of: path) }
      let file = try LMDBFile(path, realPath, readOnly: readOnly, locks: locks)
      if !locks || file.markLock() { return (file, realPath) }
      file.close()
      // Two processes that came at the same time with two lock files see one another; one of them comes first next time.
      usleep(UInt32.random(in: 500...5000))
    }
    let reason =
      LockName.count(path) > 1
      ? "under another of its names (hard links); use the name that the other process uses"
      : "with another lock file, as \(path)-lock was deleted or replaced meanwhile; close it there first"
    throw StoreError(.inUse, "\(path) is open in another process \(reason)")
  }

  private static let mostTries = 30

  /// Removes what a killed compaction left behind. None runs, as the process has the store open.
  private static func removeAbandoned(_ realPath: String) {
    unlink(realPath + ".compacting")
    unlink(realPath + ".compacting-lock")
  }

  /// The lock file could not be written, so readers go unregistered.
  var isUnlocked: Bool { file.isUnlocked }

  /// Closes the file. Called once, when nobody uses the environment any more.
  func close() {
    writer.stop()
    file.close()
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
    var code = file.begin(flags, &transaction)
    if code == MDB_READERS_FULL {
      sweepReaders()
      code = file.begin(flags, &transaction)
    }
    try check(code, writing ? "begin to write" : "begin to read")
    guard let transaction else { throw Self.failure(EIO, "begin", path) }
    if writing, isLasting, !isCheckedForWriting { try checkForWriting(transaction) }
    return transaction
  }

  /// Checks the pages that LMDB follows when it writes; ends the transaction where they are damaged.
  private func checkForWriting(_ transaction: OpaquePointer) throws(StoreError) {
    do throws(PageFault) {
      try WriterCheck.run(file.descriptor)
      isCheckedForWriting = true
    } catch {
      mdb_txn_abort(transaction)
      throw StoreError(
        .damaged,
        "\(path) is damaged: the pages of the file contradict one another: \(error.message); "
          + "nothing was changed; restore it from a copy")
    }
  }

  /// Throws where commits may have used pages of a version again that a reader without a lock file was reading.
  ///
  /// A commit uses pages that were freed up to two commits before, and writes them before it is visible itself. So pages
  /// of a version may change as soon as the second commit after it is there.
  func requireKept(_ version: UInt64) throws(StoreError) {
    guard isUnlocked, mayBeWritten else { return }
    let pair = PageMeta.pair(file.descriptor)
    guard let pair, max(pair[0].version, pair[1].version) < version &+ 2 else {
      throw StoreError(
        .io,
        "\(path) was written while it was read without its lock file, so what was read may be wrong; "
          + "try again, or read it where the lock file \(realPath)-lock can be written")
    }
  }

  /// The number of the last commit that a reader sees; nil: it is that one.
  func lastVersion(after known: UInt64) -> UInt64? {
    var information = MDB_envinfo()
    mdb_env_info(file.handle, &information)
    let written = UInt64(bitPattern: Int64(information.me_last_txnid))
    guard written > known else { return nil }
    // Another process writes the page that names the commit a moment before it lets readers see it.
    var seen = known
    for _ in 0..<Self.mostLooks {
      guard let transaction = try? begin(writing: false) else { break }
      seen = Self.version(of: transaction)
      mdb_txn_abort(transaction)
      if seen >= written { break }
      usleep(50)
    }
    return seen > known ? seen : nil
  }

  private static let mostLooks = 100

  /// The number of the commit that a transaction sees. In a damaged file it may be anything.
  static func version(of transaction: OpaquePointer) -> UInt64 {
    UInt64(bitPattern: Int64(mdb_txn_id(transaction)))
  }

  /// Calls `body` with a line for each reader in the table, and a heading.
  func listReaders(
    _ context: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Int32
  ) {
    mdb_reader_list(file.handle, body, context)
  }

  /// Makes durable what was committed to a file whose commits are not.
  func sync() throws(StoreError) { try check(mdb_env_sync(file.handle, 1), "write") }

  /// The size of a page in bytes, and the pages of the file, free ones included.
  func pages() throws(StoreError) -> (size: Int, count: Int) {
    var information = MDB_envinfo()
    try check(mdb_env_info(file.handle, &information), "read")
    return (alignedSize * 2, information.me_last_pgno + 1)
  }

  /// Clears the slots of readers that died, so that their pages can be used again.
  func sweepReaders() {
    var reaped: Int32 = 0
    mdb_reader_check(file.handle, &reaped)
  }

  /// Throws what an LMDB return code means.
  func check(_ code: Int32, _ doing: String) throws(StoreError) {
    if code != 0 { throw Self.failure(code, doing, path) }
  }

  /// What an LMDB return code means.
  static func failure(_ code: Int32, _ doing: String, _ path: String) -> StoreError {
    let text = String(cString: mdb_strerror(code))
    switch code {
    case MDB_MAP_FULL:
      return StoreError(
        .full, "\(path): the address space for the store is used up; raise the limit (ulimit -v)")
    case MDB_INVALID, MDB_VERSION_MISMATCH:
      return StoreError(.notAStore, "\(path) is not a Cairn store (\(text))")
    case MDB_PANIC:
      return StoreError(
        .io, "an error while \(path) was written closed it; let go of it here and open it again")
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
      return StoreError(.damaged, "\(path) is damaged (\(text)); restore it from a copy")
    case MDB_READERS_FULL:
      return StoreError(
        .locked, "\(path): \(LMDBFile.maximumReaders) readers have it open; end some")
    case ENOENT: return StoreError(.notFound, "\(path) does not exist")
    case EACCES, EPERM, EROFS, EAGAIN:
      return StoreError(.locked, "cannot \(doing) \(path): \(text)")
    case EFBIG: return sizeLimitReached(path)
    case EIO where isSizeLimited(path): return sizeLimitReached(path)
    case ENOSPC, EDQUOT:
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
