import CairnSystem
import CairnValues

/// A wait for another process that has lasted for a while.
package struct LockWait: Sendable {
  /// The use of the store that the other process has to finish.
  package enum Purpose: Sendable {
    /// It has the store to itself, as a compaction does.
    case open
    /// It writes.
    case write
    /// It imports.
    case load
  }

  /// The path of the store as the caller gave it.
  package let path: String
  /// The use that the other process has to finish.
  package let purpose: Purpose
  /// The process that holds the lock, or nil if the system does not tell.
  package let holder: Int32?
}

/// Reports waits for other processes to the program.
package enum LockWaits {
  private static let observer = Mutex<(@Sendable (LockWait) -> Void)?>(nil)

  /// The time after which a wait is reported.
  private static let delay = 1000

  /// Sets the function that is called once for every wait that lasts longer than a second, on a
  /// thread of its own.
  package static func observe(_ body: (@Sendable (LockWait) -> Void)?) {
    observer.withLock { $0 = body }
  }

  /// Whether an observer is set.
  static var areObserved: Bool { observer.withLock { $0 != nil } }

  /// Runs a body that waits for another process, and reports the wait if it is long.
  ///
  /// - Parameter holder: finds the other process.
  static func report<R>(
    _ path: String, purpose: LockWait.Purpose, holder: @escaping @Sendable () -> Int32?,
    during body: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    guard let report = observer.withLock({ $0 }) else { return try body() }
    let timer = LockTimer()
    Threads.start {
      guard timer.expires(after: delay) else { return }
      report(LockWait(path: path, purpose: purpose, holder: holder()))
    }
    defer { timer.stop() }
    return try body()
  }
}

/// A timer that another thread stops.
private final class LockTimer: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private var isStopped = false

  func stop() {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
  }

  /// Blocks for the given time; false if the timer is stopped earlier.
  func expires(after milliseconds: Int) -> Bool {
    let start = MonotonicClock.milliseconds
    return lock.withLock {
      while !isStopped {
        let passed = MonotonicClock.milliseconds - start
        guard passed < milliseconds else { return true }
        changed.wait(lock, milliseconds: milliseconds - passed)
      }
      return false
    }
  }
}

/// Finds the processes that hold locks.
enum LockHolder {
  /// The process that holds `flock` on an open file, or nil if the system does not tell.
  static func ofWholeFile(_ descriptor: Int32) -> Int32? {
    #if os(Linux)
    guard let identity = FileIdentity(descriptor: descriptor), let table = systemTable() else {
      return nil
    }
    // 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 6, fields[1] == "FLOCK", fields[3] == "WRITE",
        fields[5].split(separator: ":").last == "\(identity.inode)", let process = Int32(fields[4])
      else { continue }
      return process > 0 ? process : nil
    }
    #endif
    return nil
  }

  /// The process whose lock on the first byte keeps others from a lock of that type, or nil if none
  /// does.
  static func ofFirstByte(_ descriptor: Int32, for type: Int32 = Int32(F_RDLCK)) -> Int32? {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_len = 1
    guard fcntl(descriptor, F_GETLK, &request) == 0, Int32(request.l_type) != Int32(F_UNLCK) else {
      return nil
    }
    return request.l_pid
  }

  private static func systemTable() -> String? {
    let file = openFile("/proc/locks", flags: O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
