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
func isDiskFull(_ path: String) -> Bool {
  var info = statvfs()
  guard statvfs(path, &info) == 0 else { return false }
  return UInt64(info.f_bavail) * UInt64(info.f_frsize) < 1 << 20
}

/// Makes an empty file in the folder for temporary ones; gives its path.
func temporaryFile() throws(StoreError) -> String {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  return try temporaryFile(named: "\(folder)/cairn")
}

/// Makes an empty file whose name begins so; gives its path.
func temporaryFile(named name: String) throws(StoreError) -> String {
  var template = Array("\(name)-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else {
    throw StoreError(.io, "cannot make a temporary file \(name)-…: \(errorText(errno))")
  }
  close(descriptor)
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Processors that the process may use.
func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// The absolute path of a file behind its links, so that everyone who reaches it agrees on the name of
/// its lock file; of a file that is not there yet, in its folder.
func resolvedPath(_ path: String) -> String {
  if let whole = realpath(path, nil) {
    defer { free(whole) }
    return String(cString: whole)
  }
  let cut = path.lastIndex(of: "/")
  let folder = cut.map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
  guard let known = realpath(folder, nil) else { return path }
  defer { free(known) }
  return String(cString: known) + "/"
    + path[(cut.map { path.index(after: $0) } ?? path.startIndex)...]
}

/// The folder that a file is in.
func folder(of path: String) -> String {
  guard let cut = path.lastIndex(of: "/") else { return "." }
  return cut == path.startIndex ? "/" : String(path[..<cut])
}

/// Makes a file durable, or the names in a folder.
func makeDurable(_ path: String) throws(StoreError) {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else {
    throw StoreError(.io, "cannot open \(path): \(errorText(errno))")
  }
  defer { close(file) }
  guard fsync(file) == 0 else {
    let code = errno
    throw code == ENOSPC || (code == EIO && isDiskFull(path))
      ? StoreError(.diskFull, "disk full while Cairn tried to write \(path); nothing was changed")
      : StoreError(.io, "cannot write \(path): \(errorText(code))")
  }
}
