import CairnSystem

/// Locks on a store and on its lock file that show which of them belong together.
///
/// LMDB derives the name of its lock file from the name of the store. A file may have several names
/// (hard links), and a lock file may be deleted while it is in use, so two processes may have one
/// store open with two lock files, and neither sees the readers of the other. And a store may be
/// replaced by another file while a process has it open: then the lock file at the path still counts
/// the commits of the old file, and whoever used it for the new one would read an old state and lose
/// commits. Each process therefore holds a read lock on one byte far past the end of the store, whose
/// offset is the inode of the lock file, and one on the lock file, whose offset is the inode of the
/// store, and checks whether anyone holds a lock on another byte. They are locks of the open file
/// (`F_OFD_SETLK`), which other descriptors of the process do not drop.
final class LockMark {
  private let descriptor: Int32

  /// The byte offsets of the marks.
  private static let base: Int64 = 1 << 62
  private static let mask: UInt64 = 1 << 61 - 1
  private static let end = base + Int64(mask) + 1

  enum Outcome {
    case marked
    /// Another process has marked another file, or has this one to itself.
    case conflict
    /// The system or the file system has no such locks.
    case unavailable
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The identity of the file that the mark is on.
  var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

  /// Marks a file with another one that belongs to it. The mark is nil if the file cannot be opened.
  ///
  /// - Parameter isWritable: Whether ``whileAlone(_:)`` will be called.
  static func make(
    on path: String, for other: FileIdentity, isWritable: Bool = false
  ) -> (mark: LockMark?, outcome: Outcome) {
    #if os(Linux)
    let descriptor = openFile(path, flags: isWritable ? O_RDWR : O_RDONLY)
    guard descriptor >= 0 else { return (nil, .unavailable) }
    let mark = LockMark(descriptor)
    let offset = base + Int64(other.inode & mask)
    var request = range(offset..<offset + 1, type: Int32(F_RDLCK))
    guard fcntl(descriptor, setLock, &request) == 0 else {
      return (mark, errno == EAGAIN || errno == EACCES ? .conflict : .unavailable)
    }
    let others = [base..<offset, offset + 1..<end]
    let isAlone = others.allSatisfy { holder(descriptor, in: $0) == nil }
    return (mark, isAlone ? .marked : .conflict)
    #else
    return (nil, .unavailable)
    #endif
  }

  /// Runs `body` while no other process does so with a mark on the same file.
  func whileAlone<R>(_ body: () -> R) -> R {
    #if os(Linux)
    var request = Self.range(Self.end..<Self.end + 1, type: Int32(F_WRLCK))
    while fcntl(descriptor, Self.waitForLock, &request) != 0, errno == EINTR {}
    defer {
      request.l_type = Int16(F_UNLCK)
      _ = fcntl(descriptor, Self.setLock, &request)
    }
    #endif
    return body()
  }

  /// The inode of the lock file that a process uses for a store, or nil if nobody has the store
  /// open or the system does not tell.
  static func lockInode(of path: String) -> UInt64? {
    #if os(Linux)
    let descriptor = openFile(path, flags: O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return holder(descriptor, in: base..<end).map { UInt64($0 - base) }
    #else
    return nil
    #endif
  }

  /// Whether `inode` is the value that a mark stores for `identity`.
  static func matches(_ identity: FileIdentity, inode: UInt64) -> Bool {
    identity.inode & mask == inode
  }

  #if os(Linux)
  /// `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW`, which Swift does not import.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
  private static let waitForLock: Int32 = 38

  private static func range(_ bytes: Range<Int64>, type: Int32) -> flock {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(bytes.lowerBound)
    request.l_len = off_t(bytes.count)
    return request
  }

  /// The first byte among `bytes` that another process has marked.
  private static func holder(_ descriptor: Int32, in bytes: Range<Int64>) -> Int64? {
    guard !bytes.isEmpty else { return nil }
    var request = range(bytes, type: Int32(F_WRLCK))
    guard fcntl(descriptor, getLock, &request) == 0, Int32(request.l_type) != Int32(F_UNLCK) else {
      return nil
    }
    return Int64(request.l_start)
  }
  #endif
}

/// The name of a store that its lock file is named after.
enum LockName {
  /// The name that everyone uses who reaches the file through one folder: the name whose lock file
  /// is in use, otherwise the first in byte order. A file with a single name uses that one.
  ///
  /// - Parameter realPath: a name of the file, with all symbolic links resolved.
  static func name(for realPath: String) -> String {
    var info = stat()
    guard stat(realPath, &info) == 0, info.st_nlink > 1, info.st_mode & S_IFMT == S_IFREG else {
      return realPath
    }
    let names = names(of: UInt64(info.st_ino), beside: realPath)
    guard names.count > 1 else { return realPath }
    if let inode = LockMark.lockInode(of: realPath) {
      let used = names.first { name in
        FileIdentity(path: name + "-lock").map { LockMark.matches($0, inode: inode) } ?? false
      }
      if let used { return used }
    }
    // A process of an older Cairn makes no mark.
    return names.first { isInUse($0 + "-lock") } ?? names[0]
  }

  /// The number of names a file has; 1 if the system does not tell.
  static func count(_ path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_nlink) : 1
  }

  /// The names of a file in one folder, sorted.
  private static func names(of inode: UInt64, beside path: String) -> [String] {
    let folderPath = folder(of: path)
    guard let stream = opendir(folderPath) else { return [path] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard UInt64(entry.pointee.d_ino) == inode else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let whole = name.map { folderPath == "/" ? "/\($0)" : "\(folderPath)/\($0)" }
      guard let whole, FileIdentity(path: whole)?.inode == inode else { continue }
      names.append(whole)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether LMDB has the lock file open in another process.
  private static func isInUse(_ lockPath: String) -> Bool {
    let descriptor = openFile(lockPath, flags: O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return LockHolder.ofFirstByte(descriptor, for: Int32(F_WRLCK)) != nil
  }
}
