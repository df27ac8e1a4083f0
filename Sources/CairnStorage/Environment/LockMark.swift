#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A lock on the store's own file that tells which lock file a process uses for it.
///
/// LMDB finds its lock file by the name of the store. A file may have several names (hard links), and a lock file may be
/// deleted while it is in use, so two processes may have one store open with two lock files, neither seeing the readers
/// of the other. Each therefore holds a read lock on one byte far behind the end of the store, whose offset is the inode
/// of the lock file, and looks whether anyone holds one on another byte. It is a lock of the open file
/// (`F_OFD_SETLK`), which other descriptors of the process do not drop.
final class LockMark {
  private let descriptor: Int32

  /// The bytes that marks are made on.
  private static let base: Int64 = 1 << 62
  private static let mask: UInt64 = 1 << 61 - 1
  private static let end = base + Int64(mask) + 1

  enum Outcome {
    case marked(LockMark)
    /// Another process uses another lock file, or has the store alone.
    case conflict
    /// The system or the file system has no such locks.
    case unavailable
  }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Marks a store's file.
  ///
  /// - Parameter lock: the lock file that the process uses.
  static func make(on path: String, lock: FileIdentity) -> Outcome {
    #if os(Linux)
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return .unavailable }
    let mark = LockMark(descriptor)
    let offset = base + Int64(lock.inode & mask)
    var request = range(offset..<offset + 1, Int32(F_RDLCK))
    guard fcntl(descriptor, setLock, &request) == 0 else {
      return errno == EAGAIN || errno == EACCES ? .conflict : .unavailable
    }
    let others = [base..<offset, offset + 1..<end]
    let isAlone = others.allSatisfy { holder(descriptor, in: $0) == nil }
    return isAlone ? .marked(mark) : .conflict
    #else
    return .unavailable
    #endif
  }

  /// The inode of a lock file that anyone uses for a store; nil where nobody has it open or nothing can be told.
  static func lockInode(of path: String) -> UInt64? {
    #if os(Linux)
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return holder(descriptor, in: base..<end).map { UInt64($0 - base) }
    #else
    return nil
    #endif
  }

  /// Whether an inode is the one that a mark tells of.
  static func matches(_ identity: FileIdentity, _ inode: UInt64) -> Bool {
    identity.inode & mask == inode
  }

  #if os(Linux)
  /// `F_OFD_GETLK` and `F_OFD_SETLK`, which Swift does not see.
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37

  private static func range(_ bytes: Range<Int64>, _ type: Int32) -> flock {
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
    var request = range(bytes, Int32(F_WRLCK))
    guard fcntl(descriptor, getLock, &request) == 0, Int32(request.l_type) != Int32(F_UNLCK) else {
      return nil
    }
    return Int64(request.l_start)
  }
  #endif
}
