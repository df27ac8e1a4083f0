/// Whether the file system that holds `path` is full.
package func isDiskFull(_ path: String) -> Bool { freeBytes(path).map { $0 < 1 << 20 } ?? false }

/// The free bytes in the file system that holds `path`, or nil if it does not tell.
package func freeBytes(_ path: String) -> UInt64? {
  var info = statvfs()
  guard statvfs(path, &info) == 0 else { return nil }
  return UInt64(info.f_bavail) * UInt64(info.f_frsize)
}

/// Opens a file in a folder that never has a name, so that nothing is left of it however the
/// process ends; -1 if the file system has no such files.
package func openNameless(in folder: String) -> Int32 {
  #if os(Linux)
  // `O_TMPFILE`, which Swift does not import.
  openFile(folder, flags: 0o20000000 | O_DIRECTORY | O_RDWR, mode: 0o600)
  #else
  -1
  #endif
}

/// The path that leads to an open file by its descriptor. All such paths have the same prefix.
package func openFilePath(_ descriptor: Int32) -> String { "\(openFilePrefix)\(descriptor)" }
private let openFilePrefix = "/proc/self/fd/"

/// Gives a file without a name its first one.
///
/// - Returns: false with `errno` set, for example to `EEXIST` if a file has that name already.
package func linkNameless(_ descriptor: Int32, to path: String) -> Bool {
  linkat(AT_FDCWD, openFilePath(descriptor), AT_FDCWD, path, followLink) == 0
}

#if os(Linux)
private let followLink = AT_SYMLINK_FOLLOW
#else
private let followLink = Int32(AT_SYMLINK_FOLLOW)
#endif

/// The absolute path of a file with its links resolved, so that everyone who reaches it agrees on
/// the name of its lock file. For a file that does not exist yet, its folder is resolved. A path
/// whose links lead to a name that is not UTF-8 is returned unchanged, as is that of an open file
/// without a name.
package func resolvedPath(_ path: String) -> String {
  if path.hasPrefix(openFilePrefix) { return path }
  if let whole = realpath(path, nil) {
    defer { free(whole) }
    return String(validatingCString: whole) ?? path
  }
  let cut = path.lastIndex(of: "/")
  let folder = cut.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
  guard let known = realpath(folder, nil) else { return path }
  defer { free(known) }
  guard let known = String(validatingCString: known) else { return path }
  return known + "/"
    + path[(cut.map { path.index(after: $0) } ?? path.startIndex)...]
}

/// The folder that contains a file.
package func folder(of path: String) -> String {
  guard let cut = path.lastIndex(of: "/") else { return "." }
  return cut == path.startIndex ? "/" : String(path[..<cut])
}

/// Whether a path leads to a folder.
package func isFolder(_ path: String) -> Bool {
  var info = stat()
  return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
}

/// The names of the files and folders in a folder, sorted; empty if it cannot be read.
package func names(inFolder path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Whether the process may hardly extend the file any further, as after a short write.
package func isSizeLimited(_ path: String) -> Bool {
  var limit = rlimit()
  var info = stat()
  #if canImport(Glibc)
  let code = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
  let code = getrlimit(RLIMIT_FSIZE, &limit)
  #endif
  guard code == 0, stat(path, &info) == 0 else { return false }
  return UInt64(limit.rlim_cur) < UInt64(info.st_size) + 1 << 16
}

/// The owner, group and mode of a file.
package struct Permissions {
  private let owner: uid_t
  private let group: gid_t
  private let mode: mode_t

  /// Returns nil if the file does not exist.
  package init?(of path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (owner, group, mode) = (info.st_uid, info.st_gid, info.st_mode & 0o777)
  }

  /// Whether the process can give a new file the same owner and group.
  package var canBeKept: Bool {
    if geteuid() == 0 { return true }
    guard owner == geteuid() else { return false }
    var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return group == getegid() || groups.prefix(max(0, Int(count))).contains(group)
  }

  /// Gives an open file the same owner, group and mode, as far as the process may.
  ///
  /// - Returns: Whether the file has the same owner, group and mode now.
  @discardableResult
  package func give(to descriptor: Int32, atLeast least: mode_t = 0) -> Bool {
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, .max, group) }
    _ = fchmod(descriptor, mode | least)
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_uid == owner && info.st_gid == group
      && info.st_mode & 0o777 == mode | least
  }
}
