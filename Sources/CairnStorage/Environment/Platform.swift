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
  var template = Array("\(folder)/cairn-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else {
    throw StoreError(.io, "cannot make a temporary file in \(folder): \(errorText(errno))")
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
