internal import CairnStorage
import CairnSystem

/// A file that can be read at any offset, as often as needed. Input that does not allow this
/// (standard input, a pipe, a gzip file, text that is not UTF-8) is first copied to an unlinked
/// temporary file as plain UTF-8.
///
/// The file is never mapped: if another program truncates it, the result must be an error and not a
/// signal.
package final class InputFile: Sendable {
  /// The name in messages.
  package let name: String
  /// The size in bytes.
  package let size: Int64
  /// The open file; negative for one that is opened for each read.
  private let descriptor: Int32
  /// The state of a file that is opened for each read; nil for one that stays open.
  private let state: ReopenedFile?

  /// Opens a path; `-` is standard input.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of the text; nil for UTF-8, unless a byte order mark says
  /// otherwise.
  ///   - member: The file of the archive at the path; nil for a path that is not an archive.
  ///   - name: The name in messages; nil for the path.
  ///   - staysOpen: Whether the file stays open. A process may have some hundred open files, and a folder
  ///     more.
  ///   - progress: Called while the file is copied, with the bytes read and the size of the file.
  ///     Its error ends the copying.
  init(
    path: String, encoding: TextEncoding? = nil, spoolDirectory: String?,
    member: ZipArchive.Member? = nil, name: String? = nil, staysOpen: Bool = true,
    progress: (Int64, Int64) throws(ImportError) -> Void = { _, _ in }
  ) throws(ImportError) {
    let isStandardInput = path == "-"
    let name =
      name ?? (isStandardInput ? "standard input" : member.map { "\(path)/\($0.name)" } ?? path)
    self.name = name
    guard !isStandardInput || StandardStreams.hasInput else {
      throw ImportError(.noInput, message: "standard input is closed")
    }
    let source = isStandardInput ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Self.cannotOpen(name, code: errno) }
    var keepsSource = false
    defer { if !keepsSource { close(source) } }
    var info = stat()
    guard fstat(source, &info) == 0 else { throw Self.cannotOpen(name, code: errno) }
    let isFolder = info.st_mode & S_IFMT == S_IFDIR
    guard !isFolder || LayerFormats.isGeodatabase(path) else {
      throw ImportError(.noInput, message: "\(name) is a folder; name the files in it")
    }
    let isRegular = info.st_mode & S_IFMT == S_IFREG
    if isFolder || isRegular, member == nil, try Self.isPlain(source, encoding: encoding) {
      size = Int64(info.st_size)
      keepsSource = staysOpen
      descriptor = staysOpen ? source : -1
      state = staysOpen ? nil : ReopenedFile(path, info)
      return
    }
    let bytes = DescriptorSource(source, name: name)
    let packed = try member?.source(in: source, size: Int64(info.st_size), name: name) ?? bytes
    let text = try Self.text(packed, encoding: encoding, name: name)
    let total = isRegular ? Int64(info.st_size) : 0
    state = nil
    (descriptor, size) = try Spool.copy(text, name: name, directory: spoolDirectory) {
      () throws(ImportError) in try progress(bytes.bytesRead, total)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func cannotOpen(_ name: String, code: Int32) -> ImportError {
    let reason = code == ENOENT ? "the file does not exist" : errorText(code)
    return ImportError(.noInput, message: "\(name): \(reason)")
  }

  private static let headSize = 4

  /// Whether the file's own bytes are UTF-8, judging by its first bytes.
  private static func isPlain(
    _ descriptor: Int32, encoding: TextEncoding?
  ) throws(ImportError) -> Bool {
    var head = [UInt8](repeating: 0, count: headSize)
    let count = pread(descriptor, &head, headSize, 0)
    head.removeLast(headSize - max(0, count))
    if head.starts(with: InflateSource.magic) { return false }
    return encoding.map { $0 == .utf8 } ?? (TextEncoding.marked(by: head) == nil)
  }

  /// Returns the text of a source, unpacked and decoded if necessary.
  private static func text(
    _ source: any ByteSource, encoding: TextEncoding?, name: String
  ) throws(ImportError) -> any ByteSource {
    var peeked = try PeekedSource(source, count: headSize)
    if peeked.head.starts(with: InflateSource.magic) {
      peeked = try PeekedSource(InflateSource(peeked, name: name), count: headSize)
    }
    let mark = TextEncoding.marked(by: peeked.head)
    guard let known = Self.known(encoding, marked: mark?.encoding), known != .utf8 else {
      return peeked
    }
    if peeked.head.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw ImportError(
        .usage,
        message: "\(name) begins with the byte order mark of UTF-8; "
          + "\(option: .encoding, known.name) is not right")
    }
    if let mark, mark.encoding == known { peeked.skip(mark.length) }
    return try DecodingSource(peeked, encoding: known, name: name)
  }

  /// Returns the encoding to use. A mark is more reliable than a name about the byte order.
  private static func known(_ given: TextEncoding?, marked: TextEncoding?) -> TextEncoding? {
    if case .utf16 = given, case .utf16 = marked { return marked }
    return given ?? marked
  }

  /// Reads `count` bytes from the offset on. Reads fewer bytes only at the end of the file.
  package func read(
    into target: UnsafeMutableRawPointer, count: Int, at offset: Int64
  ) throws(ImportError) -> Int {
    assert(count >= 0 && offset >= 0, "the bytes are outside of the file")
    let wanted = Int(min(Int64(count), max(0, size - offset)))
    let reopened = try state?.open(name)
    defer { if let reopened { close(reopened) } }
    let descriptor = reopened ?? descriptor
    var done = 0
    while done < wanted {
      let read = pread(descriptor, target + done, wanted - done, off_t(offset) + off_t(done))
      if read > 0 {
        done += read
      } else if read == 0 {
        throw ImportError(.io, message: "\(name) became shorter while it was read")
      } else if errno != EINTR {
        throw ImportError(.io, message: "\(name): reading failed: \(errorText(errno))")
      }
    }
    return done
  }
}

/// A file that is opened for each read, and must not be replaced meanwhile.
private struct ReopenedFile {
  private let path: String
  private let device: UInt64
  private let number: UInt64
  private let size: Int64

  init(_ path: String, _ info: stat) {
    self.path = path
    device = UInt64(truncatingIfNeeded: info.st_dev)
    number = UInt64(info.st_ino)
    size = Int64(info.st_size)
  }

  /// Opens the file; the caller closes it.
  ///
  /// - Parameter name: The name in messages.
  func open(_ name: String) throws(ImportError) -> Int32 {
    let descriptor = openFile(path, flags: O_RDONLY)
    guard descriptor >= 0 else {
      throw ImportError(.io, message: "\(name): reading failed: \(errorText(errno))")
    }
    var now = stat()
    guard fstat(descriptor, &now) == 0, device == UInt64(truncatingIfNeeded: now.st_dev),
      number == UInt64(now.st_ino), size == Int64(now.st_size)
    else {
      close(descriptor)
      throw ImportError(.io, message: "\(name) was changed while it was read")
    }
    return descriptor
  }
}

extension InputFile {
  /// Reads `count` bytes from the offset on. Reads fewer bytes only at the end of the file.
  package func readBytes(at offset: Int64, count: Int) throws(ImportError) -> [UInt8] {
    var failure: ImportError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      do throws(ImportError) {
        filled = try read(into: UnsafeMutableRawPointer(base), count: count, at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

// Lines.
extension InputFile {
  /// Returns the number, from 1, of the line that contains the byte.
  func line(of offset: Int64, lineEnd: UInt8 = UInt8(ascii: "\n")) -> Int {
    lines(of: [offset], lineEnd: lineEnd)[0]
  }

  /// Returns the numbers of the lines that contain the bytes. The offsets must be in ascending
  /// order.
  func lines(of offsets: [Int64], lineEnd: UInt8 = UInt8(ascii: "\n")) -> [Int] {
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

extension InputBlock {
  /// Reads as many bytes as fit, from the offset on, and returns their count.
  func fill(from input: InputFile, at offset: Int64) throws(ImportError) -> Int {
    let count = try input.read(into: bytes, count: capacity, at: offset)
    assert(count >= 0 && count <= capacity, "the file gave more bytes than the block holds")
    (bytes + count).initialize(repeating: 0, count: Self.padding)
    self.offset = offset
    return count
  }
}

/// Keeps input that can be read only once.
enum Spool {
  /// Copies a source into an unnamed file. `name` is the name of the source in messages.
  static func copy(
    _ source: any ByteSource, name: String, directory: String?,
    progress: () throws(ImportError) -> Void
  ) throws(ImportError) -> (descriptor: Int32, size: Int64) {
    let directory = directory ?? TemporaryFiles.folder
    let target = try create(in: directory)
    do throws(ImportError) {
      return (target, try copy(source, to: target, in: directory, name: name, progress: progress))
    } catch {
      close(target)
      throw error
    }
  }

  private static func copy(
    _ source: any ByteSource, to target: Int32, in directory: String, name: String,
    progress: () throws(ImportError) -> Void
  ) throws(ImportError) -> Int64 {
    let capacity = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { buffer.deallocate() }
    var size: Int64 = 0
    while true {
      let count = try source.read(into: buffer, count: capacity)
      if count == 0 { return size }
      guard writeAll(target, buffer: buffer, count: count) else {
        let code = errno
        throw code == ENOSPC || code == EDQUOT
          ? ImportError(
            .io,
            message: "\(name): disk full while Cairn copied it to \(directory); "
              + "nothing was changed")
          : ImportError(
            .io,
            message: "\(name): copying it to \(directory) failed: \(errorText(code))")
      }
      size += Int64(count)
      try progress()
    }
  }

  /// Creates a file and removes its name.
  private static func create(in directory: String) throws(ImportError) -> Int32 {
    let nameless = openNameless(in: directory)
    if nameless >= 0 { return nameless }
    guard let file = TemporaryFiles.create(prefix: "\(directory)/.cairn-input-") else {
      throw ImportError(
        .io,
        message: "\(directory): cannot create a temporary file for the input: \(errorText(errno))")
    }
    unlink(file.path)
    return file.descriptor
  }

  private static func writeAll(
    _ target: Int32, buffer: UnsafeMutableRawPointer, count: Int
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
