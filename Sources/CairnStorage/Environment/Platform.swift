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

/// Processors that the process may use.
func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
