#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file in memory where the system has such, without a name, to be filled again and again.
final class ScratchFile {
  let descriptor: Int32

  init() {
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var name = Array("\(folder)/cairn-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    precondition(descriptor >= 0, "no file can be made in \(folder)")
    unlink(&name)
  }

  deinit { close(descriptor) }

  /// Where others find it.
  var path: String { "/dev/fd/\(descriptor)" }

  /// Leaves nothing in it; what is written comes first.
  func empty() {
    precondition(ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0)
  }

  /// Leaves just these bytes in it.
  func fill(_ bytes: [UInt8]) {
    empty()
    precondition(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  /// All of it.
  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }
}
