internal import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is read by position, as often as needed. What cannot be read so (standard input, a pipe, a gzip file,
/// text that is no UTF-8) is copied to an unlinked temporary file first, as plain UTF-8.
///
/// Never mapped: a file that another program cuts short must give an error, not a signal.
final class InputFile: Sendable {
  /// As messages call it.
  let name: String
  let size: Int64
  private let descriptor: Int32

  /// Opens a path; `-` is standard input.
  ///
  /// - Parameters:
  ///   - encoding: of the text; nil: UTF-8, unless a byte order mark says otherwise.
  ///   - progress: called with the bytes read and those of the file while it is copied.
  init(
    path: String, encoding: TextEncoding? = nil, spoolDirectory: String?,
    progress: (Int64, Int64) -> Void = { _, _ in }
  ) throws(ImportError) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    guard !isStandardInput || StandardStreams.hasInput else {
      throw ImportError(.noInput, "standard input is closed")
    }
    let source = isStandardInput ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.cannotOpen(name, errno) }
    var keepsSource = false
    defer { if !keepsSource { close(source) } }
    var info = stat()
    guard fstat(source, &info) == 0 else { throw Self.cannotOpen(name, errno) }
    guard info.st_mode & S_IFMT != S_IFDIR else {
      throw ImportError(.noInput, "\(name) is a folder: name the files in it")
    }
    let isRegular = info.st_mode & S_IFMT == S_IFREG
    if isRegular, try Self.isPlain(source, encoding) {
      descriptor = source
      size = Int64(info.st_size)
      keepsSource = true
      return
    }
    let bytes = DescriptorSource(source, name: name)
    let text = try Self.text(bytes, encoding, name)
    let total = isRegular ? Int64(info.st_size) : 0
    (descriptor, size) = try Spool.copy(text, name: name, directory: spoolDirectory) {
      progress(bytes.bytesRead, total)
    }
  }

  deinit { close(descriptor) }

  private static func cannotOpen(_ name: String, _ code: Int32) -> ImportError {
    let reason = code == ENOENT ? "there is no such file" : String(cString: strerror(code))
    return ImportError(.noInput, "\(name): \(reason)")
  }

  private static let headSize = 4

  /// Whether the file's own bytes are UTF-8, as far as its head says.
  private static func isPlain(
    _ descriptor: Int32, _ encoding: TextEncoding?
  ) throws(ImportError) -> Bool {
    var head = [UInt8](repeating: 0, count: headSize)
    let count = pread(descriptor, &head, headSize, 0)
    head.removeLast(headSize - max(0, count))
    if head.starts(with: InflateSource.magic) { return false }
    return encoding.map { $0 == .utf8 } ?? (TextEncoding.marked(by: head) == nil)
  }

  /// The text of a source, unpacked and decoded where that is needed.
  private static func text(
    _ source: any ByteSource, _ encoding: TextEncoding?, _ name: String
  ) throws(ImportError) -> any ByteSource {
    var peeked = try PeekedSource(source, count: headSize)
    if peeked.head.starts(with: InflateSource.magic) {
      peeked = try PeekedSource(InflateSource(peeked, name: name), count: headSize)
    }
    let mark = TextEncoding.marked(by: peeked.head)
    guard let known = Self.known(encoding, mark?.encoding), known != .utf8 else { return peeked }
    if peeked.head.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw ImportError(
        .usage, "\(name) begins with the mark of UTF-8: `--encoding \(known.name)` is not right")
    }
    if let mark, mark.encoding == known { peeked.skip(mark.length) }
    return try DecodingSource(peeked, known, name: name)
  }

  /// A mark says the order of bytes more surely than a name.
  private static func known(_ given: TextEncoding?, _ marked: TextEncoding?) -> TextEncoding? {
    if case .utf16 = given, case .utf16 = marked { return marked }
    return given ?? marked
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
}

// Lines.
extension InputFile {
  /// The number, from 1, of the line that holds the byte.
  func line(of offset: Int64, lineEnd: UInt8 = CSVQuotes.newline) -> Int {
    lines(of: [offset], lineEnd: lineEnd)[0]
  }

  /// The numbers of the lines that hold the bytes, which rise.
  func lines(of offsets: [Int64], lineEnd: UInt8 = CSVQuotes.newline) -> [Int] {
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
        for index in 0..<count where buffer[index] == lineEnd { line &+= 1 }
        position += Int64(count)
      }
      return line
    }
  }
}
