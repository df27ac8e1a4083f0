import CairnSystem

/// An exclusive lock: the right to replace the file of a store. Nobody has it open, and opening it
/// waits.
///
/// It is LMDB's own lock on the first byte of the lock file, which every process that has the store
/// open shares. The kernel releases it when the process ends.
final class ExclusiveLock {
  let path: String
  /// The resolved path of the file.
  let realPath: String
  private let descriptor: Int32
  private let lockPath: String
  /// Whether the lock file existed before.
  private let hadLock: Bool

  /// - Throws: `.inUse` if the store is open anywhere.
  init(_ path: String) throws(StoreError) {
    self.path = path
    realPath = resolvedPath(path)
    lockPath = LockName.name(for: realPath) + "-lock"
    try FileCheck.checkLockFile(lockPath, of: path)
    try EnvironmentRegistry.shared.reserve(realPath, path: path)
    hadLock = access(lockPath, F_OK) == 0
    descriptor = openFile(lockPath, flags: O_RDWR | O_CREAT, mode: 0o644)
    var request = Self.firstByte
    // From here on all properties have values, so `deinit` also runs if the initializer throws. A
    // second close would hit a file that another thread has opened meanwhile.
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &request) == 0 else {
      throw Self.refusal(errno, path: path, descriptor: descriptor)
    }
    guard !Self.isMarked(realPath) else {
      // Open with another lock file: that one was deleted since, or the store has another name.
      throw StoreError(.inUse, message: "\(path) is open in another process; close it there first")
    }
  }

  /// Whether a process has the store open with another lock file.
  ///
  /// A child that another thread has just forked keeps the mark of a store that this process has
  /// closed, until it runs another program. So a mark is looked at again for a moment.
  private static func isMarked(_ path: String) -> Bool {
    for look in 0..<looks {
      if look > 0 { usleep(pause) }
      if LockMark.lockInode(of: path) == nil { return false }
    }
    return true
  }

  /// The number of looks at a mark, and the microseconds between two of them.
  private static let looks = 50
  private static let pause: UInt32 = 2000

  /// Returns nil if the store is open anywhere.
  static func ifFree(_ path: String) throws(StoreError) -> ExclusiveLock? {
    do throws(StoreError) { return try ExclusiveLock(path) } catch {
      if error.kind == .inUse { return nil }
      throw error
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    EnvironmentRegistry.shared.unreserve(realPath)
  }

  private static var firstByte: flock {
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = 0
    request.l_len = 1
    return request
  }

  private static func refusal(_ code: Int32, path: String, descriptor: Int32) -> StoreError {
    guard descriptor >= 0, code == EACCES || code == EAGAIN else {
      return StoreError(.locked, message: "cannot lock \(path): \(errorText(code))")
    }
    var request = firstByte
    let who =
      fcntl(descriptor, F_GETLK, &request) == 0 && Int32(request.l_type) != F_UNLCK
      ? "process \(request.l_pid)" : "another process"
    return StoreError(.inUse, message: "\(path) is open in \(who); close it there first")
  }

  /// Replaces the store by a file that nobody has open either, atomically and durably: after a
  /// crash it is one or the other.
  func replace(with temporary: String) throws(StoreError) {
    try makeDurable(temporary)
    unlink(temporary + "-lock")
    guard rename(temporary, realPath) == 0 else {
      throw writeFailure(errno, path: path)
        ?? StoreError(
          .io, message: "cannot rename \(temporary) to \(path): \(errorText(errno))")
    }
    // Waiters for the lock have opened the old file, or will take the new one for the old. The
    // missing lock file makes them look again.
    unlink(lockPath)
    try makeDurable(folder(of: realPath))
  }

  /// Removes the store and its lock file; false if neither existed.
  func remove() throws(StoreError) -> Bool {
    var isThere = false
    // The lock file of another name of the store is kept.
    let isLockOwn = lockPath == realPath + "-lock"
    for file in isLockOwn ? [realPath, lockPath] : [realPath] {
      if unlink(file) == 0 {
        isThere = isThere || file == realPath || hadLock
      } else if errno != ENOENT {
        throw StoreError(.locked, message: "cannot delete \(file): \(errorText(errno))")
      }
    }
    return isThere
  }
}

/// The lock file that belonged to a path when a store was opened, to notice that the files were
/// replaced.
struct OpenedFiles: Equatable {
  /// The identity of the lock file; nil if it could not be made.
  let lock: FileIdentity?

  /// Creates the lock file as LMDB would, so that it can be recognised later. Its permissions
  /// follow those of the store; otherwise a reader with another user could keep the owner from
  /// writing.
  init(_ path: String) {
    let lockPath = path + "-lock"
    let file = openFile(lockPath, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
    if file >= 0 {
      Permissions(of: path)?.give(to: file, atLeast: 0o600)
      close(file)
    }
    lock = FileIdentity(path: lockPath)
  }

  /// The process that has the store to itself, so that opening it waits, or nil if none has.
  ///
  /// Call this while the process has no lock on the lock file: closing the descriptor here drops
  /// them all.
  static func soleUser(of path: String) -> Int32? {
    let file = openFile(path + "-lock", flags: O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return LockHolder.ofFirstByte(file)
  }

  /// Whether an opened file and its lock file are still those of the path, and were not replaced
  /// meanwhile.
  func areCurrent(_ descriptor: Int32, path: String) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return true }
    let mine = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    return FileIdentity(path: path) == mine
      && (lock == nil || FileIdentity(path: path + "-lock") == lock)
  }
}
