#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The name of a store that its lock file is named after.
enum LockName {
  /// The name that everyone uses who reaches the file through one folder: that whose lock file is in use, else the first
  /// in the order of bytes. A file with one name has that.
  ///
  /// - Parameter realPath: a name of the file, behind all symbolic links.
  static func name(for realPath: String) -> String {
    var info = stat()
    guard stat(realPath, &info) == 0, info.st_nlink > 1, info.st_mode & S_IFMT == S_IFREG else {
      return realPath
    }
    let names = names(of: UInt64(info.st_ino), beside: realPath)
    guard names.count > 1 else { return realPath }
    if let inode = LockMark.lockInode(of: realPath) {
      let used = names.first { name in
        FileIdentity(path: name + "-lock").map { LockMark.matches($0, inode) } ?? false
      }
      if let used { return used }
    }
    // A process of an older Cairn makes no mark.
    return names.first { isInUse($0 + "-lock") } ?? names[0]
  }

  /// How many names a file has; 1 where that cannot be told.
  static func count(_ path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_nlink) : 1
  }

  /// The names of a file in one folder, sorted.
  private static func names(of inode: UInt64, beside path: String) -> [String] {
    let place = folder(of: path)
    guard let stream = opendir(place) else { return [path] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard UInt64(entry.pointee.d_ino) == inode else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let whole = name.map { place == "/" ? "/\($0)" : "\(place)/\($0)" }
      guard let whole, FileIdentity(path: whole)?.inode == inode else { continue }
      names.append(whole)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether LMDB has the lock file open in another process.
  private static func isInUse(_ lockPath: String) -> Bool {
    let descriptor = openFile(lockPath, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return LockHolder.ofFirstByte(descriptor, for: Int32(F_WRLCK)) != nil
  }
}
