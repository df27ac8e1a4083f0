import CairnFormats
import CairnStorage

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
  /// The file being written, which gets its name in the end.
  private var pending: PendingFile?

  /// Whether the data goes anywhere but to standard output.
  var isFile: Bool { descriptor != STDOUT_FILENO }

  /// - Parameter path: nil or `-` for standard output.
  init(_ path: String?) throws {
    (descriptor, pending) = try path.map(Self.open) ?? (STDOUT_FILENO, nil)
    sink = OutputSink(descriptor: descriptor)
  }

  deinit {
    pending?.abandon()
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
    try UsedFiles.requireKept()
    try sink.flush()
    guard let pending else { return }
    try pending.publish()
    self.pending = nil
  }

  private static func open(
    _ path: String
  ) throws -> (descriptor: Int32, pending: PendingFile?) {
    guard path != "-" else { return (STDOUT_FILENO, nil) }
    try UsedFiles.refuse(output: path)
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // A device or a pipe has no other name to be written under.
      let descriptor = Self.descriptor(path)
      guard descriptor >= 0 else { throw PendingFile.failure(path) }
      return (descriptor, nil)
    }
    let pending = try PendingFile(path, permissions: exists ? status.st_mode & 0o777 : nil)
    return (pending.descriptor, pending)
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
}
