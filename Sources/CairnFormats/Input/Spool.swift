#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps what can be read only once.
enum Spool {
  static func copy(
    _ source: Int32, name: String, directory: String?
  ) throws(ImportError) -> (descriptor: Int32, size: Int64) {
    let target = try create(in: directory ?? temporaryDirectory)
    let capacity = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { buffer.deallocate() }
    var size: Int64 = 0
    while true {
      let count = read(source, buffer, capacity)
      if count == 0 { return (target, size) }
      if count > 0, writeAll(target, buffer, count) {
        size += Int64(count)
      } else if count > 0 || errno != EINTR {
        let code = errno
        close(target)
        throw ImportError(.io, "\(name): keeping a copy failed: \(String(cString: strerror(code)))")
      }
    }
  }

  private static var temporaryDirectory: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// A file that has no name any more.
  private static func create(in directory: String) throws(ImportError) -> Int32 {
    var template = Array("\(directory)/.cairn-input-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw ImportError(.io, "\(directory): no temporary file can be made for the input: \(reason)")
    }
    unlink(&template)
    return descriptor
  }

  private static func writeAll(
    _ target: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int
  ) -> Bool {
    var done = 0
    while done < count {
      let written = write(target, buffer + done, count - done)
      if written <= 0, written == 0 || errno != EINTR { return false }
      done += max(0, written)
    }
    return true
  }
}
