import CairnSystem

/// A reusable unnamed file, in memory where the system supports that.
final class ScratchFile {
  let descriptor: Int32

  init() {
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var name = Array("\(folder)/cairn-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    precondition(descriptor >= 0, "cannot create a file in \(folder)")
    unlink(&name)
  }

  deinit { close(descriptor) }

  /// The path under which other code opens the file.
  var path: String { "/dev/fd/\(descriptor)" }

  /// Truncates the file and moves to its start.
  func empty() {
    precondition(ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0)
  }

  /// Replaces the content of the file.
  func fill(_ bytes: [UInt8]) {
    empty()
    precondition(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  /// The whole content of the file.
  var bytes: [UInt8] {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
  }
}
