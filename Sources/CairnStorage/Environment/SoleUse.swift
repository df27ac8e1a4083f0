#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The right to put another file in the place of a store: nobody has it open, and who wants to open it waits.
///
/// It is LMDB's own lock, that of the first byte of the lock file, which every process shares that has the store open.
/// The kernel drops it with the process.
final class SoleUse {
  let path: String
  /// Where the file really is.
  let realPath: String
  private let descriptor: Int32
  private let lockPath: String
  /// Whether there was a lock file before.
  private let hadLock: Bool

  /// - Throws: `.inUse` where somebody has the store open.
  init(_ path: String) throws(StoreError) {
    self.path = path
    realPath = resolvedPath(path)
    lockPath = LockName.name(for: realPath) + "-lock"
    try FileCheck.checkLockFile(lockPath, of: path)
    try EnvironmentRegistry.shared.reserve(realPath, path)
    hadLock = access(lockPath, F_OK) == 0
    descriptor = openFile(lockPath, O_RDWR | O_CREAT, mode: 0o644)
    var request = Self.firstByte
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &request) == 0 else {
      let error = Self.refusal(errno, path, descriptor)
      EnvironmentRegistry.shared.unreserve(realPath)
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    guard LockMark.lockInode(of: realPath) == nil else {
      // Not by this lock file: it was deleted since, or the store has another name.
      EnvironmentRegistry.shared.unreserve(realPath)
      close(descriptor)
      throw StoreError(.inUse, "\(path) is open in another process; close it there first")
    }
  }

  /// Nil where somebody has the store open.
  static func ifFree(_ path: String) throws(StoreError) -> SoleUse? {
    do throws(StoreError) { return try SoleUse(path) } catch {
      if error.kind == .inUse { return nil }
      throw error
    }
  }

  deinit {
    close(descriptor)
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

  private static func refusal(_ code: Int32, _ path: String, _ descriptor: Int32) -> StoreError {
    guard descriptor >= 0, code == EACCES || code == EAGAIN else {
      return StoreError(.locked, "cannot lock \(path): \(errorText(code))")
    }
    var request = firstByte
    let who =
      fcntl(descriptor, F_GETLK, &request) == 0 && Int32(request.l_type) != F_UNLCK
      ? "process \(request.l_pid)" : "another process"
    return StoreError(.inUse, "\(path) is open in \(who); close it there first")
  }

  /// Puts a file, which nobody has open either, in the place of the store, at once and for good: after a crash it is one
  /// or the other.
  func replace(with temporary: String) throws(StoreError) {
    try makeDurable(temporary)
    unlink(temporary + "-lock")
    guard rename(temporary, realPath) == 0 else {
      throw writeFailure(errno, path)
        ?? StoreError(
          .io, "cannot rename \(temporary) to \(path): \(errorText(errno))")
    }
    // Who waits for the lock has opened the old file, or will take the new one for the old: this tells them to look again.
    unlink(lockPath)
    try makeDurable(folder(of: realPath))
  }

  /// Removes the store and its lock file; false where there was neither.
  func remove() throws(StoreError) -> Bool {
    var isThere = false
    // The lock file of another name stays with that.
    let isLockOwn = lockPath == realPath + "-lock"
    for file in isLockOwn ? [realPath, lockPath] : [realPath] {
      if unlink(file) == 0 {
        isThere = isThere || file == realPath || hadLock
      } else if errno != ENOENT {
        throw StoreError(.locked, "cannot delete \(file): \(errorText(errno))")
      }
    }
    return isThere
  }
}

/// What a path led to when a store was opened: the file, and its lock file.
struct OpenedFiles: Equatable {
  private let lock: FileIdentity?

  /// Makes the lock file, as LMDB would, so that it can be recognised. It is for those whom the store is for: else a
  /// look by somebody else would keep them from writing.
  init(_ path: String) {
    let lockPath = path + "-lock"
    let file = openFile(lockPath, O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
    if file >= 0 {
      Permissions(of: path)?.give(to: file, atLeast: 0o600)
      close(file)
    }
    lock = FileIdentity(path: lockPath)
  }

  /// The process that has the store alone, so that opening it waits; nil where none has.
  ///
  /// To be called while the process has no lock on the lock file: it loses them all here.
  static func soleUser(of path: String) -> Int32? {
    let file = openFile(path + "-lock", O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return LockHolder.ofFirstByte(file)
  }

  /// Whether an opened file and its lock are still those of the path, and no other was put in its place meanwhile.
  func areCurrent(_ descriptor: Int32, path: String) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return true }
    let mine = FileIdentity(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    return FileIdentity(path: path) == mine
      && (lock == nil || FileIdentity(path: path + "-lock") == lock)
  }
}
