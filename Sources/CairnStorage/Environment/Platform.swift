#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The text of a C error number.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Whether the file system that holds `path` has no room left.
func isDiskFull(_ path: String) -> Bool { freeBytes(path).map { $0 < 1 << 20 } ?? false }

/// Bytes that are left in the file system that holds `path`; nil where it does not say.
func freeBytes(_ path: String) -> UInt64? {
  var info = statvfs()
  guard statvfs(path, &info) == 0 else { return nil }
  return UInt64(info.f_bavail) * UInt64(info.f_frsize)
}

/// The error for a disk that ran full while Cairn did something beside a store, which is as it was.
func diskFull(_ doing: String, _ store: String) -> StoreError {
  let folder = folder(of: store)
  let left = freeBytes(folder).map { " (\($0) bytes are left in \(folder))" } ?? ""
  return StoreError(
    .diskFull, "disk full while Cairn \(doing) \(store)\(left); nothing was changed")
}

/// Makes an empty file in the folder for temporary ones; gives its path.
func temporaryFile() throws(StoreError) -> String {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  return try temporaryFile(named: "\(folder)/cairn")
}

/// Makes an empty file whose name begins so; gives its path.
func temporaryFile(named name: String) throws(StoreError) -> String {
  var template = Array("\(name)-XXXXXX".utf8CString)
  let descriptor = lifted(mkstemp(&template))
  guard descriptor >= 0 else {
    throw StoreError(.io, "cannot make a temporary file \(name)-…: \(errorText(errno))")
  }
  close(descriptor)
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Opens a file in a folder that never has a name, so that nothing is left of it however the process ends; -1: the file
/// system has no such files.
package func openNameless(in folder: String) -> Int32 {
  #if os(Linux)
  // `O_TMPFILE`, which Swift does not see.
  openFile(folder, 0o20000000 | O_DIRECTORY | O_RDWR, mode: 0o600)
  #else
  -1
  #endif
}

/// The path that leads to an open file by its descriptor, and the beginning of every such path.
func openFilePath(_ descriptor: Int32) -> String { "\(openFilePrefix)\(descriptor)" }
private let openFilePrefix = "/proc/self/fd/"

/// Gives a file without a name its first one.
///
/// - Returns: false with `errno` set, as to `EEXIST` where there is a file of that name.
package func linkNameless(_ descriptor: Int32, to path: String) -> Bool {
  linkat(AT_FDCWD, openFilePath(descriptor), AT_FDCWD, path, followLink) == 0
}

#if os(Linux)
private let followLink = AT_SYMLINK_FOLLOW
#else
private let followLink = Int32(AT_SYMLINK_FOLLOW)
#endif

/// Processors that the process may use.
func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// The absolute path of a file behind its links, so that everyone who reaches it agrees on the name of
/// its lock file; of a file that is not there yet, in its folder. A path whose links lead to a name that is not UTF-8
/// stays as it is, as does that of an open file without a name.
func resolvedPath(_ path: String) -> String {
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

/// The folder that a file is in.
package func folder(of path: String) -> String {
  guard let cut = path.lastIndex(of: "/") else { return "." }
  return cut == path.startIndex ? "/" : String(path[..<cut])
}

/// Makes a file durable, or the names in a folder.
func makeDurable(_ path: String) throws(StoreError) {
  let file = openFile(path, O_RDONLY)
  guard file >= 0 else {
    throw StoreError(.io, "cannot open \(path): \(errorText(errno))")
  }
  defer { close(file) }
  guard fsync(file) == 0 else {
    let code = errno
    // Some file systems cannot do it to a folder.
    if code == EINVAL || code == ENOTSUP { return }
    throw writeFailure(code, path)
      ?? StoreError(.io, "cannot write \(path): \(errorText(code))")
  }
}

/// What there is to say of a file that could not be written because the disk is full; nil: it was something else.
func writeFailure(_ code: Int32, _ path: String) -> StoreError? {
  if code == EFBIG { return sizeLimitReached(path) }
  guard code == ENOSPC || code == EDQUOT || (code == EIO && isDiskFull(path)) else { return nil }
  return StoreError(.diskFull, "disk full while Cairn tried to write \(path); nothing was changed")
}

/// The error for a write that went beyond the size that the process may give files.
func sizeLimitReached(_ path: String) -> StoreError {
  StoreError(
    .io,
    "\(path) would become larger than this process may make files; raise the limit (ulimit -f); "
      + "nothing was changed")
}

/// Whether the process may make the file hardly any larger, as after a short write.
func isSizeLimited(_ path: String) -> Bool {
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

/// Whose a file is, and who may do what with it.
struct Permissions {
  private let owner: uid_t
  private let group: gid_t
  private let mode: mode_t

  /// Nil where there is no such file.
  init?(of path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (owner, group, mode) = (info.st_uid, info.st_gid, info.st_mode & 0o777)
  }

  /// Whether the process can make a new file belong to the same user and group.
  var canBeKept: Bool {
    if geteuid() == 0 { return true }
    guard owner == geteuid() else { return false }
    var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return group == getegid() || groups.prefix(max(0, Int(count))).contains(group)
  }

  /// Makes an open file the same, as far as the process may.
  ///
  /// - Returns: whether the file has the same owner, group and mode now.
  @discardableResult
  func give(to descriptor: Int32, atLeast least: mode_t = 0) -> Bool {
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, .max, group) }
    _ = fchmod(descriptor, mode | least)
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_uid == owner && info.st_gid == group
      && info.st_mode & 0o777 == mode | least
  }
}
