import CLMDB
import CairnSystem

/// A file as LMDB has it open; opened a second time after LMDB has given it up.
///
/// LMDB refuses every further operation once it could not write the meta page that names a commit.
/// The commit before is still whole, so the file is opened again next to the open one, whose
/// readers keep their snapshots.
final class LMDBFile: @unchecked Sendable {
  // Sendable: the mutable state is touched under `lock`.
  private let path: String
  private let realPath: String
  private let readOnly: Bool
  private let mapSize: Int
  /// Whether the lock file cannot be written, so that readers are not registered.
  var isUnlocked: Bool { lockFile == nil }
  private let lock = Lock()
  private var opened: OpaquePointer
  /// The handles that LMDB has given up. Closing one would end the readers of the whole process.
  private var abandoned: [OpaquePointer] = []
  /// The descriptor that marks the lock file as in use; -1 until it is needed.
  private var keeper: Int32 = -1
  /// The lock file that LMDB has open; nil if it has none.
  private let lockFile: FileIdentity?
  /// Tells other processes which lock file is in use; nil if none is, or if the system has no such
  /// locks.
  private var mark: LockMark?
  /// Tells other processes which store the lock file is in use for.
  private var useMark: LockMark?

  static let maximumReaders: UInt32 = 1024
  /// Largest first: the address space or a limit may only allow less.
  private static let mapSizes = [40, 38, 36, 34, 32, 30].map { 1 << $0 }
  /// The numbers of open files from which a further one begins with the next smaller size. The
  /// address space of 128 TB would have room for 128 files of the largest size.
  private static let crowds = [40, 160, 700]
  /// The number of files that the process has open.
  private static let openCount = Mutex(0)
  /// The number of times a file is opened again while its lock file is being replaced.
  private static let maxTries = 100
  /// Each takes as much of the address space as the first.
  private static let maxAbandoned = 16

  /// - Parameter locks: whether others may use the file meanwhile.
  init(_ path: String, realPath: String, readOnly: Bool, locks: Bool) throws(StoreError) {
    self.path = path
    self.realPath = realPath
    self.readOnly = readOnly
    (opened, mapSize, lockFile) = try Self.open(
      path, realPath: realPath, readOnly: readOnly, locks: locks)
    Self.openCount.withLock { $0 += 1 }
  }

  /// The reason why a store and its lock file cannot be used together.
  enum MarkConflict {
    /// Another process has the store open with another lock file.
    case otherLockFile
    /// Another process has the lock file open for a store that was replaced by this one.
    case otherStore
  }

  /// Tells other processes which lock file this one uses, and for which store.
  ///
  /// - Returns: The reason why the file has to be closed and opened again; nil if there is none.
  func markLock() -> MarkConflict? {
    guard let lockFile, let store = FileIdentity(descriptor: descriptor) else { return nil }
    let (made, outcome) = LockMark.make(on: realPath, for: lockFile)
    mark = outcome == .marked ? made : nil
    guard outcome != .conflict, made?.identity ?? store == store else { return .otherLockFile }
    // It is kept whatever comes out: closing any descriptor drops all locks of the process on the
    // file, LMDB's too.
    let use = LockMark.make(on: lockPath, for: store, isWritable: true)
    useMark = use.mark
    if let marked = use.mark?.identity, marked != lockFile { return .otherLockFile }
    guard use.outcome == .conflict else { return nil }
    retireLock()
    return .otherStore
  }

  private var lockPath: String { realPath + "-lock" }

  /// Removes the name of the lock file, because it is in use for a store that another file has
  /// replaced. The next process that opens the new store makes a new lock file.
  ///
  /// - Returns: Whether the path leads to another lock file now, or to none.
  @discardableResult
  func retireLock() -> Bool {
    guard let lockFile else { return true }
    // Otherwise another process could remove the lock file that the new store already has.
    func remove() -> Bool {
      FileIdentity(path: lockPath) != lockFile || unlink(lockPath) == 0
    }
    return useMark.map { $0.whileAlone(remove) } ?? remove()
  }

  /// The descriptor that LMDB reads the file with.
  var descriptor: Int32 {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return descriptor
  }

  /// LMDB's handle of the environment.
  var handle: OpaquePointer { lock.withLock { opened } }

  /// Closes the file. Called once, when nobody uses it.
  func close() {
    lock.withLock {
      // First, so that a process that gets the lock on the lock file's first byte finds no mark.
      mark = nil
      for handle in abandoned + [opened] { mdb_env_close(handle) }
      if keeper >= 0 { closeFile(keeper) }
      useMark = nil
    }
    Self.openCount.withLock { $0 -= 1 }
  }

  private static func open(
    _ path: String, realPath: String, readOnly: Bool, locks: Bool
  ) throws(StoreError) -> (OpaquePointer, mapSize: Int, lockFile: FileIdentity?) {
    var code: Int32 = 0
    let count = openCount.withLock { $0 }
    for size in mapSizes.dropFirst(crowds.count { $0 <= count }) {
      code = 0
      if let (handle, lockFile) = current(
        realPath, readOnly: readOnly, lock: locks, size: size, code: &code)
      {
        return (handle, size, lockFile)
      }
      if readOnly, lockFailures.contains(code),
        let handle = attempt(realPath, readOnly: true, lock: false, size: size, code: &code)
      {
        return (handle, size, nil)
      }
      if code != ENOMEM { break }
    }
    throw Environment.failure(code, doing: "open", path: path)
  }

  /// The errors that concern the lock file and not the store: permissions, or a file system without
  /// locks. A reader can do without the lock file.
  private static let lockFailures = [EACCES, EROFS, ENOENT, ENOLCK, ENOSYS, EOPNOTSUPP]

  /// Opens the file, and opens it again if it was replaced meanwhile.
  private static func current(
    _ path: String, readOnly: Bool, lock: Bool, size: Int, code: inout Int32
  ) -> (OpaquePointer, lockFile: FileIdentity?)? {
    guard lock else {
      return attempt(path, readOnly: readOnly, lock: false, size: size, code: &code)
        .map { ($0, nil) }
    }
    var tries = 0
    while true {
      let files = OpenedFiles(path)
      guard let handle = reportedAttempt(path, readOnly: readOnly, size: size, code: &code) else {
        // A process that had the store to itself leaves a lock file in which LMDB has not written
        // yet. After waiting for that lock, LMDB takes the file for a finished one and cannot map
        // an empty file.
        tries += 1
        if code == EINVAL, tries < maxTries { continue }
        return nil
      }
      var descriptor: Int32 = -1
      mdb_env_get_fd(handle, &descriptor)
      if files.areCurrent(descriptor, path: path) {
        return (handle, files.lock ?? FileIdentity(path: path + "-lock"))
      }
      mdb_env_close(handle)
    }
  }

  /// Opens a file, and reports a wait for another process.
  private static func reportedAttempt(
    _ path: String, readOnly: Bool, size: Int, code: inout Int32
  ) -> OpaquePointer? {
    guard LockWaits.areObserved, let user = OpenedFiles.soleUser(of: path) else {
      return attempt(path, readOnly: readOnly, lock: true, size: size, code: &code)
    }
    // The body never throws.
    return try? LockWaits.report(
      path, purpose: .open, holder: { user },
      during: { () throws(StoreError) in
        attempt(path, readOnly: readOnly, lock: true, size: size, code: &code)
      })
  }

  private static func attempt(
    _ path: String, readOnly: Bool, lock: Bool, size: Int, code: inout Int32
  ) -> OpaquePointer? {
    var handle: OpaquePointer?
    code = mdb_env_create(&handle)
    guard code == 0, let handle else { return nil }
    mdb_env_set_mapsize(handle, size)
    mdb_env_set_maxreaders(handle, maximumReaders)
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NOMEMINIT)
    if readOnly { flags |= UInt32(MDB_RDONLY) }
    if !lock { flags |= UInt32(MDB_NOLOCK) }
    code = StandardStreams.withReserved { mdb_env_open(handle, path, flags, 0o644) }
    guard code == 0 else {
      mdb_env_close(handle)
      return nil
    }
    return handle
  }

  /// The number by which LMDB knows its unnamed main database. Without it LMDB cannot compare keys.
  func openDatabase() throws(StoreError) -> MDB_dbi {
    var database: MDB_dbi = 0
    let code = Self.open(&database, handle: handle)
    guard code == 0 else { throw Environment.failure(code, doing: "open", path: path) }
    return database
  }

  private static func open(_ database: inout MDB_dbi, handle: OpaquePointer) -> Int32 {
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { return code }
    defer { mdb_txn_abort(transaction) }
    return mdb_dbi_open(transaction, nil, 0, &database)
  }

  // MARK: Transactions

  /// Begins a transaction and returns LMDB's code.
  func begin(_ flags: UInt32, transaction: inout OpaquePointer?) -> Int32 {
    let used = handle
    let code = mdb_txn_begin(used, nil, flags, &transaction)
    guard code == MDB_PANIC, let next = next(to: used) else { return code }
    return mdb_txn_begin(next, nil, flags, &transaction)
  }

  /// The handle that replaces one that LMDB has given up, or nil if the file cannot be opened.
  private func next(to abandoned: OpaquePointer) -> OpaquePointer? {
    lock.withLock {
      if opened != abandoned { return opened }
      guard !isUnlocked, self.abandoned.count < Self.maxAbandoned, isStillThere, keepLockFile()
      else { return nil }
      var code: Int32 = 0
      guard
        let made = Self.attempt(
          realPath, readOnly: readOnly, lock: true, size: mapSize, code: &code)
      else {
        return nil
      }
      self.abandoned.append(opened)
      opened = made
      var database: MDB_dbi = 0
      return Self.open(&database, handle: made) == 0 ? made : nil
    }
  }

  /// Whether the path still leads to the open file.
  private var isStillThere: Bool {
    var descriptor: Int32 = -1
    mdb_env_get_fd(opened, &descriptor)
    return FileIdentity(descriptor: descriptor) == FileIdentity(path: realPath)
  }

  /// Makes LMDB join the users of the lock file. Without another user LMDB would initialize the
  /// file again, under the readers of this process: the process's own lock on the first byte does
  /// not count as another user, but a lock of an open file does.
  private func keepLockFile() -> Bool {
    #if os(Linux)
    // LMDB has to close the file first: closing any descriptor drops all locks of the process on
    // the file.
    if keeper < 0 { keeper = systemOpen(realPath + "-lock") }
    var request = flock()
    request.l_type = Int16(F_RDLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = 0
    request.l_len = 1
    return keeper >= 0 && fcntl(keeper, Self.lockOfOpenFile, &request) == 0
    #else
    return false
    #endif
  }

  /// `F_OFD_SETLK`, which Swift does not import.
  private static let lockOfOpenFile: Int32 = 37
}

private func systemOpen(_ path: String) -> Int32 { openFile(path, flags: O_RDWR) }
private func closeFile(_ descriptor: Int32) { close(descriptor) }
