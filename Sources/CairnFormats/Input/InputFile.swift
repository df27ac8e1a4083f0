#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is read by position, as often as needed: standard input and pipes are copied to an
/// unlinked temporary file first.
///
/// Never mapped: a file that another program cuts short must give an error, not a signal.
final class InputFile: Sendable {
  /// As messages call it.
  let name: String
  let size: Int64
  private let descriptor: Int32

  /// Opens a path; `-` is standard input.
  init(path: String, spoolDirectory: String?) throws(ImportError) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    let source = isStandardInput ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.cannotOpen(name, errno) }
    var info = stat()
    guard fstat(source, &info) == 0 else { throw Self.cannotOpen(name, errno) }
    if info.st_mode & S_IFMT == S_IFDIR {
      close(source)
      throw ImportError(.noInput, "\(name) is a folder: name the files in it")
    }
    if info.st_mode & S_IFMT == S_IFREG {
      descriptor = source
      size = Int64(info.st_size)
      return
    }
    defer { close(source) }
    (descriptor, size) = try Spool.copy(source, name: name, directory: spoolDirectory)
  }

  deinit { close(descriptor) }

  private static func cannotOpen(_ name: String, _ code: Int32) -> ImportError {
    let reason = code == ENOENT ? "there is no such file" : String(cString: strerror(code))
    return ImportError(.noInput, "\(name): \(reason)")
  }

  /// Fills the memory from the offset on; fewer bytes only at the file's end.
  func read(
    into target: UnsafeMutableRawPointer, count: Int, at offset: Int64
  ) throws(ImportError) -> Int {
    let wanted = Int(min(Int64(count), max(0, size - offset)))
    var done = 0
    while done < wanted {
      let read = pread(descriptor, target + done, wanted - done, off_t(offset) + off_t(done))
      if read > 0 {
        done += read
      } else if read == 0 {
        throw ImportError(.io, "\(name) became shorter while it was read")
      } else if errno != EINTR {
        throw ImportError(.io, "\(name): reading failed: \(String(cString: strerror(errno)))")
      }
    }
    return done
  }

  /// The number, from 1, of the line that holds the byte.
  func line(of offset: Int64) -> Int { lines(of: [offset])[0] }

  /// The numbers of the lines that hold the bytes, which rise.
  func lines(of offsets: [Int64]) -> [Int] {
    let size = 1 << 20
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { buffer.deallocate() }
    var line = 1
    var position: Int64 = 0
    return offsets.map { offset in
      while position < offset {
        let wanted = Int(min(Int64(size), offset - position))
        guard let count = try? read(into: buffer, count: wanted, at: position), count > 0 else {
          break
        }
        line += Self.newlines(buffer, count)
        position += Int64(count)
      }
      return line
    }
  }

  private static func newlines(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var total = 0
    for index in 0..<count where bytes[index] == 10 { total &+= 1 }
    return total
  }
}
