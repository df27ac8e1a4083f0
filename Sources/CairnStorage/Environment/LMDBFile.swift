import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file as LMDB has it open; once more where LMDB has given it up.
///
/// LMDB refuses everything for ever once the page could not be written that names a commit. The commit before is whole
/// all the same, so the file is opened anew beside what is open, which its readers keep.
final class LMDBFile: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`.
  private let path: String
  private let realPath: String
  private let readOnly: Bool
  private let mapSize: Int
  /// The lock file could not be written, so readers go unregistered.
  let isUnlocked: Bool
  private let lock = Lock()
  private var opened: OpaquePointer
  /// What LMDB has given up. Closing one would end the readers of the whole process.
  private var abandoned: [OpaquePointer] = []
  /// Keeps the lock file from being taken for one that nobody uses; -1: it need not yet.
  private var keeper: Int32 = -1
  /// Tells others which lock file is in use; nil: none is, or there is no telling.
  private var mark: LockMark?

  static let maximumReaders: UInt32 = 1024
  /// Largest first: an address space or a limit may allow only less.
  private static let mapSizes = [40, 38, 36, 34, 32, 30].map { 1 << $0 }
  /// How often a file is opened anew at most, where lock files come and go.
  private static let mostTries = 100
  /// Each takes as much of the address space as the first.
  private static let mostAbandoned = 16

  /// - Parameter locks: whether others may use the file meanwhile.
  init(_ path: String, _ realPath: String, readOnly: Bool, locks: Bool) throws(StoreError) {
    self.path = path
    self.realPath = realPath
    self.readOnly = readOnly
    (opened, mapSize, isUnlocked) = try Self.open(path, realPath, readOnly: readOnly, locks: locks)
  }

  /// Tells other processes which lock file this one uses.
  ///
  /// - Returns: false where another process has the file open with another lock file.
  func markLock() -> Bool {
    guard !isUnlocked, let identity = FileIdentity(path: realPath + "-lock") else { return true }
    switch LockMark.make(on: realPath, lock: identity) {
    case .marked(let made): mark = made
    case .unavailable: break
    case .conflict: return false
    }
    return true
  }

  /// The descriptor that LMDB reads the file with.
  var descriptor: Int32 {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    return descriptor
  }

  /// What LMDB calls the environment.
  var handle: OpaquePointer { lock.withLock { opened } }

  /// Closes the file. Called once, when nobody uses it any more.
  func close() {
    lock.withLock {
      // First, so that whoever gets the lock of the lock file's first byte finds no mark.
      mark = nil
      for handle in abandoned + [opened] { mdb_env_close(handle) }
      if keeper >= 0 { closeFile(keeper) }
    }
  }

  private static func open(
    _ path: String, _ realPath: String, readOnly: Bool, locks: Bool
  ) throws(StoreError) -> (OpaquePointer, mapSize: Int, isUnlocked: Bool) {
    var code: Int32 = 0
    for size in mapSizes {
      code = 0
      if let handle = current(realPath, readOnly: readOnly, lock: locks, size, &code) {
        return (handle, size, !locks)
      }
      if readOnly, lockFailures.contains(code),
        let handle = attempt(realPath, readOnly: true, lock: false, size, &code)
      {
        return (handle, size, true)
      }
      if code != ENOMEM { break }
    }
    throw Environment.failure(code, "open", path)
  }

  /// What stands between a reader and the lock file, and not the store: permissions, or a file system without locks.
  private static let lockFailures = [EACCES, EROFS, ENOENT, ENOLCK, ENOSYS, EOPNOTSUPP]

  /// Opens again when the file was replaced meanwhile.
  private static func current(
    _ path: String, readOnly: Bool, lock: Bool, _ size: Int, _ code: inout Int32
  ) -> OpaquePointer? {
    guard lock else { return attempt(path, readOnly: readOnly, lock: false, size, &code) }
    var tries = 0
    while true {
      let files = OpenedFiles(path)
      guard let handle = reportedAttempt(path, readOnly: readOnly, size, &code) else {
        // Who had the store alone leaves a lock file in which LMDB has not written yet. It takes it for one that is
        // ready, if it waited for it, and cannot map nothing.
        tries += 1
        if code == EINVAL, tries < mostTries { continue }
        return nil
      }
      var descriptor: Int32 = -1
      mdb_env_get_fd(handle, &descriptor)
      if files.areCurrent(descriptor, path: path) { return handle }
      mdb_env_close(handle)
    }
  }

  /// Opens a file, and reports where another process keeps it waiting.
  private static func reportedAttempt(
    _ path: String, readOnly: Bool, _ size: Int, _ code: inout Int32
  ) -> OpaquePointer? {
    guard LockWaits.areObserved, let user = OpenedFiles.soleUser(of: path) else {
      return attempt(path, readOnly: readOnly, lock: true, size, &code)
    }
    // Nothing is thrown.
    return try? LockWaits.report(
      path, .open, holder: { user },
      during: { () throws(StoreError) in
        attempt(path, readOnly: readOnly, lock: true, size, &code)
      })
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
    code = StandardStreams.withReserved { mdb_env_open(handle, path, flags, 0o644) }
    guard code == 0 else {
      mdb_env_close(handle)
      return nil
    }
    return handle
  }

  /// The number by which LMDB knows the values in the file, which have no name. Without it LMDB cannot compare keys.
  func openDatabase() throws(StoreError) -> MDB_dbi {
    var database: MDB_dbi = 0
    let code = Self.open(&database, handle)
    guard code == 0 else { throw Environment.failure(code, "open", path) }
    return database
  }

  private static func open(_ database: inout MDB_dbi, _ handle: OpaquePointer) -> Int32 {
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    guard code == 0, let transaction else { return code }
    defer { mdb_txn_abort(transaction) }
    return mdb_dbi_open(transaction, nil, 0, &database)
  }

  // MARK: Transactions

  /// Begins a transaction; gives LMDB's code.
  func begin(_ flags: UInt32, _ transaction: inout OpaquePointer?) -> Int32 {
    let used = handle
    let code = mdb_txn_begin(used, nil, flags, &transaction)
    guard code == MDB_PANIC, let next = next(to: used) else { return code }
    return mdb_txn_begin(next, nil, flags, &transaction)
  }

  /// What is open in place of something that LMDB has given up; nil where the file cannot be opened.
  private func next(to abandoned: OpaquePointer) -> OpaquePointer? {
    lock.withLock {
      if opened != abandoned { return opened }
      guard !isUnlocked, self.abandoned.count < Self.mostAbandoned, isStillThere, keepLockFile()
      else { return nil }
      var code: Int32 = 0
      guard let made = Self.attempt(realPath, readOnly: readOnly, lock: true, mapSize, &code) else {
        return nil
      }
      self.abandoned.append(opened)
      opened = made
      var database: MDB_dbi = 0
      return Self.open(&database, made) == 0 ? made : nil
    }
  }

  /// Whether the path still leads to what is open.
  private var isStillThere: Bool {
    var descriptor: Int32 = -1
    mdb_env_get_fd(opened, &descriptor)
    return FileIdentity(descriptor: descriptor) == FileIdentity(path: realPath)
  }

  /// Has LMDB join those who use the lock file. Alone it would make the file anew, under the readers that the process
  /// has: its own lock on the first byte does not count against it, but one of an open file does.
  private func keepLockFile() -> Bool {
    #if os(Linux)
    // Not closed before LMDB closes it: with any descriptor every lock of the process on the file goes.
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

  /// `F_OFD_SETLK`, which Swift does not see.
  private static let lockOfOpenFile: Int32 = 37
}

private func systemOpen(_ path: String) -> Int32 { openFile(path, O_RDWR) }
private func closeFile(_ descriptor: Int32) { close(descriptor) }
