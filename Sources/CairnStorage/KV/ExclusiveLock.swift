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
  private let file: LockFile
  private var lockPath: String { file.path }
  /// Whether the lock file existed before.
  private let hadLock: Bool

  /// - Parameter seconds: The time that those who have the store open get to close it. Nobody opens
  ///   it meanwhile.
  /// - Throws: `.inUse` if the store is still open anywhere then.
  init(_ path: String, waitingFor seconds: Double = 0) throws(StoreError) {
    self.path = path
    realPath = resolvedPath(path)
    let name = LockName.name(for: realPath)
    try FileCheck.checkLockFile(name + "-lock", of: path)
    try EnvironmentRegistry.shared.reserve(realPath, path: path)
    hadLock = access(name + "-lock", F_OK) == 0
    do throws(StoreError) {
      file = try Self.lock(name, realPath: realPath, path: path, waitingFor: seconds)
    } catch {
      EnvironmentRegistry.shared.unreserve(realPath)
      throw error
    }
  }

  deinit {
    file.close()
    EnvironmentRegistry.shared.unreserve(realPath)
  }

  /// The milliseconds that others get to finish opening the store.
  private static let openingTime = 200
  /// The microseconds between two attempts.
  private static let pause: UInt32 = 2000

  private static func lock(
    _ name: String, realPath: String, path: String, waitingFor seconds: Double
  ) throws(StoreError) -> LockFile {
    let start = MonotonicClock.milliseconds
    let patience = Int(seconds * 1000)
    var code: Int32 = 0
    repeat {
      let file = try LockFile.opening(
        name, of: path, waitingFor: max(patience, openingTime), code: &code)
      guard let file else { break }
      while true {
        code = file.tryClaimAlone()
        if code == 0, !isMarked(realPath) { return file }
        let isOver = MonotonicClock.milliseconds - start >= patience
        // Open with another lock file: that one was deleted since, or the store has another name.
        if code == 0, isOver { throw inUse(path, in: "another process") }
        if code != 0, code != EAGAIN || isOver {
          throw refusal(
            code, path: path, user: LockHolder.ofFirstByte(file.descriptor, for: Int32(F_WRLCK)))
        }
        usleep(pause)
        guard file.isCurrent else { break }
      }
    } while true
    throw refusal(code, path: path, user: nil)
  }

  /// Whether a process has the store open with another lock file.
  ///
  /// A child that another thread has just forked keeps the mark of a store that this process has
  /// closed, until it runs another program. So a mark is looked at again for a moment.
  private static func isMarked(_ path: String) -> Bool {
    for look in 0..<looks {
      if look > 0 { usleep(pause) }
      if LockMark.offset(on: path) == nil { return false }
    }
    return true
  }

  /// The number of looks at a mark.
  private static let looks = 50

  /// Returns nil if the store is open anywhere.
  static func ifFree(_ path: String) throws(StoreError) -> ExclusiveLock? {
    do throws(StoreError) { return try ExclusiveLock(path) } catch {
      if error.kind == .inUse { return nil }
      throw error
    }
  }

  private static func refusal(_ code: Int32, path: String, user: Int32?) -> StoreError {
    guard code == EAGAIN else {
      return StoreError(.locked, message: "cannot lock \(path): \(errorText(code))")
    }
    return inUse(path, in: user.map { "process \($0)" } ?? "another process")
  }

  private static func inUse(_ path: String, in user: String) -> StoreError {
    StoreError(.inUse, message: "\(path) is open in \(user); close it there first")
  }

  /// Replaces the store by a file that nobody has open either, atomically and durably: after a
  /// crash it is one or the other.
  func replace(with temporary: String) throws(StoreError) {
    try file.replaceStore(realPath, with: temporary)
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
