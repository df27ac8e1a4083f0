internal import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps what can be read only once.
enum Spool {
  /// Copies all of a source into a file that has no name; `name` is what messages call the source.
  static func copy(
    _ source: any ByteSource, name: String, directory: String?, progress: () -> Void
  ) throws(ImportError) -> (descriptor: Int32, size: Int64) {
    let directory = directory ?? temporaryDirectory
    let target = try create(in: directory)
    do throws(ImportError) {
      return (target, try copy(source, to: target, in: directory, name: name, progress))
    } catch {
      close(target)
      throw error
    }
  }

  private static func copy(
    _ source: any ByteSource, to target: Int32, in directory: String, name: String,
    _ progress: () -> Void
  ) throws(ImportError) -> Int64 {
    let capacity = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { buffer.deallocate() }
    var size: Int64 = 0
    while true {
      let count = try source.read(into: buffer, count: capacity)
      if count == 0 { return size }
      guard writeAll(target, buffer, count) else {
        let code = errno
        throw code == ENOSPC || code == EDQUOT
          ? ImportError(
            .io, "\(name): disk full while Cairn kept a copy in \(directory); nothing was changed")
          : ImportError(
            .io,
            "\(name): keeping a copy in \(directory) failed: \(String(cString: strerror(code)))")
      }
      size += Int64(count)
      progress()
    }
  }

  private static var temporaryDirectory: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  /// A file that has no name any more.
  private static func create(in directory: String) throws(ImportError) -> Int32 {
    let nameless = openNameless(in: directory)
    if nameless >= 0 { return nameless }
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
