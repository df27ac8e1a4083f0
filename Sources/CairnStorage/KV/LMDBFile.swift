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
  /// The lock file; nil if the file is used without one.
  let lockFile: LockFile?
  /// Whether the lock file cannot be written, so that readers are not registered.
  let isUnlocked: Bool
  private let lock = Lock()
  private var opened: OpaquePointer
  /// The handles that LMDB has given up. Closing one would end the readers of the whole process.
  private var abandoned: [OpaquePointer] = []
  /// Tells other processes which lock file is in use; nil if none is, or if the system has no such
  /// locks.
  private var mark: LockMark?

  static let maximumReaders: UInt32 = 1024
  /// Largest first: the address space or a limit may only allow less.
  private static let mapSizes = [40, 38, 36, 34, 32, 30, 28, 26].map { 1 << $0 }
  /// The numbers of open files from which a further one begins with the next smaller size. The
  /// address space of 128 TB would have room for 128 files of the largest size.
  private static let crowds = [40, 160, 700]
  /// The number of files that the process has open.
  private static let openCount = Mutex(0)
  /// Each takes as much of the address space as the first.
  private static let maxAbandoned = 16

  /// A file that was just opened.
  private struct Opened {
    let handle: OpaquePointer
    let mapSize: Int
    var lockFile: LockFile?
    var mark: LockMark?
  }

  /// - Parameter locks: whether others may use the file meanwhile.
  init(_ path: String, realPath: String, readOnly: Bool, locks: Bool) throws(StoreError) {
    self.path = path
    self.realPath = realPath
    self.readOnly = readOnly
    let found =
      locks
      ? try Self.openShared(path, realPath: realPath, readOnly: readOnly)
      : try Self.openUnlocked(path, realPath: realPath, readOnly: readOnly)
    (opened, mapSize, lockFile, mark) = (
      found.handle, found.mapSize, found.lockFile, found.mark
    )
    isUnlocked = found.lockFile == nil
    Self.openCount.withLock { $0 += 1 }
  }

  /// The descriptor that LMDB reads the file with.
  var descriptor: Int32 { Self.descriptor(of: handle) }

  private static func descriptor(of handle: OpaquePointer) -> Int32 {
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
      lockFile?.close()
    }
    Self.openCount.withLock { $0 -= 1 }
  }

  // MARK: Opening

  /// The number of times a file is opened again that was replaced meanwhile, or that two processes
  /// opened at the same time with two lock files.
  private static let maxTries = 30

  /// The errors that concern the lock file and not the store: permissions, or a file system without
  /// locks. A reader can do without the lock file.
  private static let lockFailures = [EACCES, EROFS, ENOENT, ENOLCK, ENOSYS, EOPNOTSUPP]

  private static func openUnlocked(
    _ path: String, realPath: String, readOnly: Bool
  ) throws(StoreError) -> Opened {
    let sizes = try mapSizes(for: realPath, path: path)
    var code: Int32 = 0
    for size in sizes {
      let handle = attempt(realPath, readOnly: readOnly, lock: false, size: size, code: &code)
      if let handle { return Opened(handle: handle, mapSize: size) }
      if code != ENOMEM { break }
    }
    throw failure(code, path: path)
  }

  /// Opens a file together with the processes that have it open.
  private static func openShared(
    _ path: String, realPath: String, readOnly: Bool
  ) throws(StoreError) -> Opened {
    var conflict = LockMark.Outcome.unavailable
    for _ in 0..<maxTries {
      var code: Int32 = 0
      if let lockFile = try LockFile.opening(realPath, of: path, code: &code) {
        let opening = Opening(path: path, realPath: realPath, readOnly: readOnly, file: lockFile)
        switch try opening.run() {
        case .opened(let handle, let size, let mark):
          return Opened(handle: handle, mapSize: size, lockFile: lockFile, mark: mark)
        case .conflict(let found): conflict = found
        case .failed(let failed): code = failed
        }
      }
      if readOnly, lockFailures.contains(code) {
        return try openUnlocked(path, realPath: realPath, readOnly: true)
      }
      guard code == 0 else { throw failure(code, path: path) }
      // Two processes that start at the same time with two lock files see each other. After a
      // random pause one of them is first.
      usleep(UInt32.random(in: 500...5000))
    }
    throw inUse(path, conflict)
  }

  /// One opening of a file, under the opening lock of its lock file.
  private struct Opening {
    let path: String
    let realPath: String
    let readOnly: Bool
    let file: LockFile

    enum Outcome {
      case opened(OpaquePointer, mapSize: Int, LockMark?)
      /// Another process uses another lock file, or the file was replaced meanwhile.
      case conflict(LockMark.Outcome)
      /// LMDB's code or an error number.
      case failed(Int32)
    }

    func run() throws(StoreError) -> Outcome {
      defer { file.endOpening() }
      // The file has to exist, so that it can be marked.
      let isNew = !readOnly && make()
      do throws(StoreError) {
        let outcome = try open()
        if case .opened = outcome { return outcome }
        if isNew { removeEmpty() }
        file.close()
        return outcome
      } catch {
        if isNew { removeEmpty() }
        file.close()
        throw error
      }
    }

    /// Makes an empty file if there is none. Returns whether there was none.
    private func make() -> Bool {
      let made = openFile(realPath, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
      if made >= 0 { closeFile(made) }
      return made >= 0
    }

    private func removeEmpty() {
      var info = stat()
      if stat(realPath, &info) == 0, info.st_size == 0 { unlink(realPath) }
    }

    private func open() throws(StoreError) -> Outcome {
      var code: Int32 = 0
      for size in try mapSizes(for: realPath, path: path) {
        code = try file.claim()
        guard code == 0 else { break }
        try file.claimNumber()
        let handle = attempt(realPath, readOnly: readOnly, lock: true, size: size, code: &code)
        guard let handle else {
          // Other threads may have taken the address space that was found.
          if code == ENOMEM { continue }
          break
        }
        let outcome = Result { () throws(StoreError) in try join(handle, mapSize: size) }
        if case .success(.opened) = outcome { return try outcome.get() }
        mdb_env_close(handle)
        return try outcome.get()
      }
      return .failed(code)
    }

    /// Compares what was opened with what others use.
    private func join(_ handle: OpaquePointer, mapSize: Int) throws(StoreError) -> Outcome {
      var mark: LockMark?
      switch LockMark.make(on: realPath, lock: file.identity) {
      case .marked(let made): mark = made
      case .unavailable: break
      case .conflict: return .conflict(.conflict)
      case .olderCairn: return .conflict(.olderCairn)
      }
      guard let store = FileIdentity(descriptor: descriptor(of: handle)),
        FileIdentity(path: realPath) == store, file.isCurrent
      else { return .conflict(.unavailable) }
      file.mark(store)
      LockTable(file).freeLeftSlots(of: handle)
      try LastCommit(handle, file: file, path: path).requireKnown()
      return .opened(handle, mapSize: mapSize, mark)
    }
  }

  private static func inUse(_ path: String, _ conflict: LockMark.Outcome) -> StoreError {
    let place =
      switch conflict {
      case .olderCairn:
        "in an older version of Cairn, which cannot share it with this one; close it there first"
      case .unavailable, .marked:
        "in another process, which replaces it again and again; close it there first"
      case .conflict:
        LockName.count(path) > 1
          ? "in another process under another of its names (hard links); "
            + "use the name that the other process uses"
          : "in another process with another lock file, as \(path)-lock was deleted or replaced "
            + "meanwhile; close it there first"
      }
    return StoreError(.inUse, message: "\(path) is open \(place)")
  }

  /// The sizes of maps that the address space has a place for, the largest first.
  private static func mapSizes(for realPath: String, path: String) throws(StoreError) -> [Int] {
    var info = stat()
    let least = stat(realPath, &info) == 0 ? Int(info.st_size) : 0
    let count = openCount.withLock { $0 }
    let sizes = mapSizes.dropFirst(crowds.count { $0 <= count }).filter { $0 > least }
    let fitting = sizes.drop { !AddressSpace.holds($0) }
    guard fitting.isEmpty else { return Array(fitting) }
    throw noAddressSpace(for: sizes.last ?? least, path: path)
  }

  private static func noAddressSpace(for size: Int, path: String) -> StoreError {
    let limit =
      AddressSpace.limit.map {
        "the address space of the process is limited to \($0 >> 20) MB, and "
      }
      ?? ""
    return StoreError(
      .full,
      message: "cannot open \(path): \(limit)Cairn needs \(size >> 20) MB more than is left; "
        + "raise the limit (ulimit -v)")
  }

  private static func failure(_ code: Int32, path: String) -> StoreError {
    code == ENOMEM
      ? noAddressSpace(for: mapSizes.last ?? 0, path: path)
      : Environment.failure(code, doing: "open", path: path)
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

  /// Replaces the file by another one. Those who have it open keep the old file.
  func replace(with temporary: String) throws(StoreError) {
    guard let lockFile else {
      throw StoreError(
        .locked, message: "\(path) is open without its lock file, so it cannot be replaced")
    }
    let code = try lockFile.beginOpening()
    guard code == 0 else { throw Environment.failure(code, doing: "lock", path: path) }
    defer { lockFile.endOpening() }
    try lockFile.replaceStore(realPath, with: temporary)
  }

  /// Leaves the name of the lock file to those who open another file of the same path: the lock file
  /// counts the commits of this one.
  func giveUpLockFile() { lockFile?.giveUpName() }

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
      guard let lockFile, self.abandoned.count < Self.maxAbandoned, isStillThere,
        AddressSpace.holds(mapSize)
      else { return nil }
      // Without another user LMDB would initialize the lock file again, under the readers of this
      // process: the process's own lock on the first byte does not count as another user.
      guard lockFile.keepFirstByte(), (try? lockFile.beginOpening()) == 0 else { return nil }
      defer { lockFile.endOpening() }
      guard let made = reopened(lockFile) else { return nil }
      self.abandoned.append(opened)
      opened = made
      return made
    }
  }

  private func reopened(_ lockFile: LockFile) -> OpaquePointer? {
    var code: Int32 = 0
    let made = Self.attempt(
      realPath, readOnly: readOnly, lock: true, size: mapSize, code: &code)
    if let made {
      var database: MDB_dbi = 0
      if (try? LastCommit(made, file: lockFile, path: path).requireKnown()) != nil,
        Self.open(&database, handle: made) == 0
      {
        return made
      }
      mdb_env_close(made)
    }
    // LMDB has dropped the locks by which others know that the readers of the process are alive.
    _ = try? lockFile.claim()
    _ = try? lockFile.claimNumber()
    return nil
  }

  /// Whether the path still leads to the open file.
  private var isStillThere: Bool {
    FileIdentity(descriptor: Self.descriptor(of: opened)) == FileIdentity(path: realPath)
  }
}

private func closeFile(_ descriptor: Int32) { close(descriptor) }
