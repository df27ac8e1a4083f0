import CairnFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where the data goes: standard output, or a file that appears under its name only when it is whole.
final class OutputTarget {
  let sink: OutputSink
  let descriptor: Int32
  /// The file being written, and the name that it gets in the end.
  private var pending: (temporary: String, path: String)?

  /// Whether the data goes anywhere but to standard output.
  var isFile: Bool { descriptor != STDOUT_FILENO }

  /// - Parameter path: nil or `-` for standard output.
  init(_ path: String?) throws {
    (descriptor, pending) = try path.map(Self.open) ?? (STDOUT_FILENO, nil)
    sink = OutputSink(descriptor: descriptor)
  }

  deinit {
    if let pending { unlink(pending.temporary) }
    if descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// Text for people and programs that comes in one piece.
  static func print(_ text: String) throws {
    let target = try OutputTarget(nil)
    target.sink.append(text)
    try target.finish()
  }

  /// Hands everything over, and gives the file its name.
  func finish() throws {
    try sink.flush()
    guard let pending else { return }
    guard rename(pending.temporary, pending.path) == 0 else { throw Self.failure(pending.path) }
    self.pending = nil
  }

  private static func open(
    _ path: String
  ) throws -> (descriptor: Int32, pending: (temporary: String, path: String)?) {
    guard path != "-" else { return (STDOUT_FILENO, nil) }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // A device or a pipe has no other name to be written under.
      let descriptor = Self.descriptor(path)
      guard descriptor >= 0 else { throw failure(path) }
      return (descriptor, nil)
    }
    return try openTemporary(for: path, permissions: exists ? status.st_mode & 0o777 : nil)
  }

  private static func descriptor(_ path: String) -> Int32 {
    #if canImport(Glibc)
    Glibc.open(path, O_WRONLY | O_CLOEXEC)
    #elseif canImport(Musl)
    Musl.open(path, O_WRONLY | O_CLOEXEC)
    #else
    Darwin.open(path, O_WRONLY | O_CLOEXEC)
    #endif
  }

  private static func openTemporary(
    for path: String, permissions: mode_t?
  ) throws -> (descriptor: Int32, pending: (temporary: String, path: String)?) {
    let path = realPath(path) ?? path
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(path) }
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, permissions ?? 0o666 & ~mask)
    let name = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (descriptor, (name, path))
  }

  /// The file that a symbolic link leads to; nil where there is none yet.
  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.io, "cannot write \(path): \(System.errorText())")
  }
}
