import CairnSystem

/// Locks on ranges of bytes of an open file (`fcntl`). The bytes need not exist.
///
/// A lock of the **process** (POSIX) is dropped when the process closes any of its descriptors of the
/// file. A lock of the **open file** (`F_OFD_SETLK`, Linux) belongs to one descriptor and those
/// duplicated from it, and conflicts with locks of other open files of the same process too.
enum RecordLock {
  /// The kind of a lock, by its owner.
  enum Kind {
    case process
    case openFile
  }

  /// Whether the system has locks of open files.
  static var hasOpenFileLocks: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }

  /// Takes a lock, or releases it with `F_UNLCK`.
  ///
  /// - Parameters:
  ///   - type: `F_RDLCK`, `F_WRLCK` or `F_UNLCK`.
  ///   - waits: whether to wait until nobody holds a lock that conflicts.
  /// - Returns: 0, or the error number. EAGAIN: another owner holds a lock that conflicts.
  static func set(
    _ type: Int32, on descriptor: Int32, bytes: Range<Int64>, kind: Kind, waits: Bool = false
  ) -> Int32 {
    var request = request(type, bytes: bytes)
    while fcntl(descriptor, command(kind, waits: waits), &request) != 0 {
      if errno == EINTR { continue }
      return errno == EACCES ? EAGAIN : errno
    }
    return 0
  }

  /// The first lock of another owner that conflicts with a lock of that type, or nil if there is none
  /// or the system does not tell. The process of a lock of an open file is -1.
  static func conflict(
    _ type: Int32, on descriptor: Int32, bytes: Range<Int64>, kind: Kind
  ) -> (offset: Int64, process: Int32)? {
    guard !bytes.isEmpty else { return nil }
    var request = request(type, bytes: bytes)
    guard fcntl(descriptor, kind == .process ? F_GETLK : getOpenFile, &request) == 0,
      Int32(request.l_type) != Int32(F_UNLCK)
    else { return nil }
    return (Int64(request.l_start), request.l_pid)
  }

  private static func command(_ kind: Kind, waits: Bool) -> Int32 {
    switch kind {
    case .process: waits ? F_SETLKW : F_SETLK
    case .openFile: waits ? setOpenFileWaiting : setOpenFile
    }
  }

  // `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW`, which Swift does not import.
  #if os(Linux)
  private static let getOpenFile: Int32 = 36
  private static let setOpenFile: Int32 = 37
  private static let setOpenFileWaiting: Int32 = 38
  #else
  private static let getOpenFile = F_GETLK
  private static let setOpenFile = F_SETLK
  private static let setOpenFileWaiting = F_SETLKW
  #endif

  private static func request(_ type: Int32, bytes: Range<Int64>) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(bytes.lowerBound)
    request.l_len = off_t(bytes.count)
    return request
  }
}
