import CairnSystem

/// A lock on the store's own file that shows which lock file a process uses for it.
///
/// LMDB derives the name of its lock file from the name of the store. A file may have several names
/// (hard links), and a lock file may be deleted while it is in use, so two processes may have one
/// store open with two lock files, and neither sees the readers of the other. Each process
/// therefore holds a read lock on one byte far past the end of the store, whose offset follows from
/// the inode of the lock file, and checks whether anyone holds a lock on another byte. It is a lock of
/// the open file (`F_OFD_SETLK`), which other descriptors of the process do not drop.
///
/// Versions of Cairn before format 5 mark another byte for the same lock file. They can go back to an
/// older commit when another process dies while it opens the store, and do not notice that a file was
/// replaced, so they and this one do not have a store open at the same time.
final class LockMark {
  private let descriptor: Int32

  /// The byte offsets of the marks.
  private static let base: Int64 = 1 << 62
  private static let mask: UInt64 = 1 << 61 - 1
  private static let end = base + Int64(mask) + 1

  enum Outcome {
    case marked(LockMark)
    /// Another process uses another lock file, or has the store to itself.
    case conflict
    /// A process of an older Cairn has the store open.
    case olderCairn
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
    let descriptor = openFile(path, flags: O_RDONLY)
    guard descriptor >= 0 else { return .unavailable }
    let mark = LockMark(descriptor)
    let offset = offset(of: lock)
    let own = offset..<offset + 1
    let code = RecordLock.set(Int32(F_RDLCK), on: descriptor, bytes: own, kind: .openFile)
    guard code == 0 else { return code == EAGAIN ? .conflict : .unavailable }
    let others = [base..<offset, offset + 1..<end].compactMap { holder(descriptor, in: $0) }
    if others.isEmpty { return .marked(mark) }
    return others.contains(olderOffset(of: lock)) ? .olderCairn : .conflict
    #else
    return .unavailable
    #endif
  }

  /// The offset of a mark on a store, or nil if nobody has the store open or the system does not
  /// tell.
  static func offset(on path: String) -> Int64? {
    #if os(Linux)
    let descriptor = openFile(path, flags: O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return holder(descriptor, in: base..<end)
    #else
    return nil
    #endif
  }

  /// Whether `offset` is that of a mark for a lock file, by any version of Cairn.
  static func matches(_ lock: FileIdentity, offset: Int64) -> Bool {
    offset == Self.offset(of: lock) || offset == olderOffset(of: lock)
  }

  private static func offset(of lock: FileIdentity) -> Int64 { base + Int64(~lock.inode & mask) }

  /// The offset of the mark of a Cairn before format 5.
  private static func olderOffset(of lock: FileIdentity) -> Int64 {
    base + Int64(lock.inode & mask)
  }

  /// The first byte among `bytes` that another open file has marked.
  private static func holder(_ descriptor: Int32, in bytes: Range<Int64>) -> Int64? {
    RecordLock.conflict(Int32(F_WRLCK), on: descriptor, bytes: bytes, kind: .openFile)?.offset
  }
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
    if let offset = LockMark.offset(on: realPath) {
      let used = names.first { name in
        FileIdentity(path: name + "-lock").map { LockMark.matches($0, offset: offset) } ?? false
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
