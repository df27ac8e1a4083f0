import CLMDB
import CairnSystem

/// The LMDB environment of one file: one for each file and process, shared by every `Store` on it.
///
/// Opening a file twice in one process would clear the reader table of the first environment, hence
/// `EnvironmentRegistry`.
final class Environment: @unchecked Sendable {
  // Sendable: any thread may use the handle. Whatever LMDB ties to a thread (the writer lock) runs
  // on `writer`, and mutable state is behind `fifoLock`.
  let path: String
  /// The resolved path of the file, which LMDB opens and derives the name of its lock file from.
  let realPath: String
  let isReadOnly: Bool
  let identity: FileIdentity
  let file: LMDBFile
  let database: MDB_dbi
  private let process = getpid()
  let writer = WriterThread()
  /// The FIFO writer lock, held while a transaction of this process is edited.
  let fifoLock = FIFOWriterLock()
  /// The transactions that are not committed yet.
  let commits: CommitQueue
  /// Notifies observers of commits.
  let watcher = CommitWatcher()
  /// A cache that the layer above keeps with the file.
  let attachment = Attachment()

  /// - Parameters:
  ///   - isLasting: whether commits must survive a crash of the machine.
  ///   - locks: whether others may use the file meanwhile. If false, the caller guarantees that
  ///     nobody does.
  init(
    path: String, readOnly: Bool, isLasting: Bool = true, locks: Bool = true
  ) throws(StoreError) {
    let resolved = resolvedPath(path)
    let realPath = locks ? LockName.name(for: resolved) : resolved
    if locks { try FileCheck.checkLockFile(realPath + "-lock", of: path) }
    let file = try LMDBFile(path, realPath: realPath, readOnly: readOnly, locks: locks)
    if !isLasting { mdb_env_set_flags(file.handle, UInt32(MDB_NOSYNC), 1) }
    var database: MDB_dbi = 0
    do throws(StoreError) { database = try file.openDatabase() } catch {
      file.close()
      throw error
    }
    // No other process can open a store without a file.
    let processLock =
      readOnly || !isLasting ? nil : file.lockFile.map { ProcessWriterLock($0, of: path) }
    var reaped: Int32 = 0
    mdb_reader_check(file.handle, &reaped)
    var statistics = MDB_stat()
    mdb_env_stat(file.handle, &statistics)
    alignedSize = Int(statistics.ms_psize) / 2
    self.isLasting = isLasting
    loadTurn = isLasting ? nil : LoadTurn()
    if !readOnly, isLasting, locks { Self.removeAbandoned(realPath) }
    commits = CommitQueue(processLock)
    self.path = path
    self.realPath = realPath
    isReadOnly = readOnly
    mayBeWritten = locks
    self.file = file
    self.database = database
    identity =
      FileIdentity(descriptor: file.descriptor) ?? FileIdentity(device: 0, inode: 0)
  }

  /// Whether other processes may write to the file meanwhile.
  private let mayBeWritten: Bool
  /// Whether commits survive a crash of the machine.
  let isLasting: Bool
  /// The turn of bulk loads into a store in memory, whose file cannot be locked; nil for a file.
  let loadTurn: LoadTurn?
  /// Whether the pages that a writer follows were checked; touched only while LMDB's writer lock is
  /// held.
  private var isCheckedForWriting = false

  /// The smallest size of a value that gets pages of its own, where it is aligned: half of the
  /// file's page size, which is that of the machine that made the file.
  let alignedSize: Int

  /// Replaces the file by another one, which those who open the store from now on get. The caller
  /// holds the writer lock.
  func replaceFile(with temporary: String) throws(StoreError) {
    try requireInPlace()
    try file.replace(with: temporary)
  }

  /// Leaves the path to another file that has replaced the open one.
  func giveUpPath() { file.giveUpLockFile() }

  /// The path of the unfinished file of a compaction of a store.
  static func draftPath(of realPath: String) -> String { realPath + ".compacting" }

  /// Removes the files that a killed compaction left behind. A compaction that runs has locked its
  /// file.
  private static func removeAbandoned(_ realPath: String) {
    let draft = draftPath(of: realPath)
    let file = openFile(draft, flags: O_RDONLY)
    guard file >= 0 else { return }
    if flock(file, LOCK_EX | LOCK_NB) == 0 {
      unlink(draft)
      unlink(draft + "-lock")
    }
    closeFile(file)
  }

  /// Whether the lock file cannot be written, so that readers are not registered.
  var isUnlocked: Bool { file.isUnlocked }

  /// Closes the file. Called once, when nobody uses the environment.
  func close() {
    writer.stop()
    file.close()
  }

  /// Becomes the only writer of the file, after everything queued is committed.
  func acquireWriterLock() throws(StoreError) {
    fifoLock.acquire()
    do throws(StoreError) { _ = try commits.acquire() } catch {
      fifoLock.release()
      throw error
    }
    commits.drain()
    do throws(StoreError) { try requireInPlace() } catch {
      releaseWriterLock()
      throw error
    }
  }

  /// Lets the next writer in.
  func releaseWriterLock() {
    commits.release()
    fifoLock.release()
  }

  /// Throws in a process that was forked from the one that opened the file.
  func requireOwner() throws(StoreError) {
    guard getpid() == process else {
      throw StoreError(
        .misuse,
        message: "\(path) was opened before this process was forked; open it again in the child")
    }
  }

  /// Whether the path leads to another file than the open one, or to none.
  var isReplaced: Bool { isLasting && mayBeWritten && FileIdentity(path: realPath) != identity }

  /// Throws if the file was deleted or replaced. What is written to it then is lost, because nobody
  /// can open it again.
  func requireInPlace() throws(StoreError) {
    guard isReplaced else { return }
    throw StoreError(
      .replaced,
      message: "\(path) was deleted or replaced by another file while it was open; "
        + "nothing was written; open it again")
  }

  func begin(writing: Bool) throws(StoreError) -> OpaquePointer {
    try requireOwner()
    var transaction: OpaquePointer?
    let flags = writing ? 0 : UInt32(MDB_RDONLY)
    var code = file.begin(flags, transaction: &transaction)
    if code == MDB_READERS_FULL {
      sweepReaders()
      code = file.begin(flags, transaction: &transaction)
    }
    try check(code, doing: writing ? "begin to write" : "begin to read")
    guard let transaction else { throw Self.failure(EIO, doing: "begin", path: path) }
    if writing, isLasting, !isCheckedForWriting { try checkForWriting(transaction) }
    return transaction
  }

  /// Checks the pages that LMDB follows when it writes, and aborts the transaction if they are
  /// damaged.
  private func checkForWriting(_ transaction: OpaquePointer) throws(StoreError) {
    do throws(PageFault) {
      try WriterCheck.run(file.descriptor)
      isCheckedForWriting = true
    } catch {
      mdb_txn_abort(transaction)
      throw StoreError(
        .damaged,
        message:
          "\(path) is damaged: the pages of the file contradict each other: \(error.message); "
          + "nothing was changed; restore it from a copy")
    }
  }

  /// Throws if commits may have reused pages of a version that a reader without a lock file was
  /// reading.
  ///
  /// A commit reuses pages that were freed up to two commits before, and writes them before it is
  /// visible itself. So pages of a version may change as soon as the second commit after it is
  /// visible.
  func requireKept(_ version: UInt64) throws(StoreError) {
    guard isUnlocked, mayBeWritten else { return }
    let pair = PageMeta.pair(file.descriptor)
    guard let pair, max(pair[0].version, pair[1].version) < version &+ 2 else {
      throw StoreError(
        .io,
        message:
          "\(path) was written while it was read without its lock file, "
          + "so the result may be wrong; "
          + "try again, or read it where the lock file \(realPath)-lock can be written")
    }
  }

  /// Commits a transaction.
  func commit(_ transaction: OpaquePointer) throws(StoreError) {
    let code = mdb_txn_commit(transaction)
    if code != 0, isLasting { PageMeta.forgetFailedCommit(file.descriptor) }
    try check(code, doing: "commit")
  }

  /// Makes a commit visible whose writer was killed after it was on disk and before readers saw it.
  /// Returns whether there was one. Otherwise the next commit would show it, and fail because of it.
  ///
  /// The caller holds the writer lock, and nothing is queued.
  ///
  /// - Parameter seen: The number of the last commit that a reader sees.
  func adoptUnseenCommit(after seen: UInt64) throws(StoreError) -> Bool {
    var information = MDB_envinfo()
    mdb_env_info(file.handle, &information)
    guard UInt64(bitPattern: Int64(information.me_last_txnid)) > seen else { return false }
    // LMDB mends its lock file for the first writer after one that died.
    mdb_txn_abort(try begin(writing: true))
    return true
  }

  /// The number of the last commit that a reader sees, or nil if it is not later than `known`.
  func lastVersion(after known: UInt64) -> UInt64? {
    var information = MDB_envinfo()
    mdb_env_info(file.handle, &information)
    let written = UInt64(bitPattern: Int64(information.me_last_txnid))
    guard written > known else { return nil }
    // Another process writes the meta page that names the commit a moment before readers see it.
    var seen = known
    for _ in 0..<Self.maxLooks {
      guard let transaction = try? begin(writing: false) else { break }
      seen = Self.version(of: transaction)
      mdb_txn_abort(transaction)
      if seen >= written { break }
      usleep(50)
    }
    return seen > known ? seen : nil
  }

  private static let maxLooks = 100

  /// The number of the commit that a transaction sees. In a damaged file it may be anything.
  static func version(of transaction: OpaquePointer) -> UInt64 {
    UInt64(bitPattern: Int64(mdb_txn_id(transaction)))
  }

  /// The taken slots of the table of readers.
  func readerSlots() -> [ReaderSlot] { ReaderSlot.all(of: file.handle) }

  /// Syncs a file whose commits are not durable on their own.
  func sync() throws(StoreError) { try check(mdb_env_sync(file.handle, 1), doing: "write") }

  /// The size of a page in bytes, and the number of pages in the file, free ones included.
  func pages() throws(StoreError) -> (size: Int, count: Int) {
    var information = MDB_envinfo()
    try check(mdb_env_info(file.handle, &information), doing: "read")
    return (alignedSize * 2, information.me_last_pgno + 1)
  }

  /// Clears the slots of readers that died, so that the pages they held can be reused.
  func sweepReaders() {
    var reaped: Int32 = 0
    mdb_reader_check(file.handle, &reaped)
  }

  /// Throws the error for an LMDB return code other than 0.
  func check(_ code: Int32, doing: String) throws(StoreError) {
    if code != 0 { throw Self.failure(code, doing: doing, path: path) }
  }

  /// The error for an LMDB return code.
  static func failure(_ code: Int32, doing: String, path: String) -> StoreError {
    let text = String(cString: mdb_strerror(code))
    switch code {
    case MDB_MAP_FULL:
      return StoreError(
        .full,
        message: "\(path): the address space for the store is used up; raise the limit (ulimit -v)")
    case MDB_INVALID, MDB_VERSION_MISMATCH:
      return StoreError(.notAStore, message: "\(path) is not a Cairn store (\(text))")
    case MDB_PANIC:
      return StoreError(
        .io,
        message:
          "\(path) was closed by an error while it was written; close it here and open it again")
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
      return StoreError(.damaged, message: "\(path) is damaged (\(text)); restore it from a copy")
    case MDB_READERS_FULL:
      return StoreError(
        .locked,
        message: "\(path): \(LMDBFile.maximumReaders) readers have it open; end some of them")
    case ENOENT: return StoreError(.notFound, message: "\(path) does not exist")
    case EACCES, EPERM, EROFS, EAGAIN:
      return StoreError(.locked, message: "cannot \(doing) \(path): \(text)")
    case EFBIG: return sizeLimitReached(path)
    case EIO where isSizeLimited(path): return sizeLimitReached(path)
    case ENOSPC, EDQUOT:
      return StoreError(
        .diskFull, message: "disk full while Cairn tried to \(doing) \(path); nothing was changed")
    // LMDB reports a short write as EIO, as a full disk causes.
    case EIO where isDiskFull(path):
      return StoreError(
        .diskFull, message: "disk full while Cairn tried to \(doing) \(path); nothing was changed")
    default: return StoreError(.io, message: "cannot \(doing) \(path): \(text)")
    }
  }
}

private func closeFile(_ descriptor: Int32) { close(descriptor) }
