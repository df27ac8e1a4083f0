#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// The text of a C error number.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Whether the file system that holds `path` has no room left.
func isDiskFull(_ path: String) -> Bool {
  var info = statvfs()
  guard statvfs(path, &info) == 0 else { return false }
  return UInt64(info.f_bavail) * UInt64(info.f_frsize) < 1 << 20
}
