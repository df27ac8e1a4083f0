import CairnFormats
import CairnStorage
import CairnSystem
import CairnValues

/// The destination of data: standard output, or a file that appears under its name only when it is
/// complete.
final class OutputTarget {
  let sink: OutputSink
  let descriptor: Int32
  /// The file being written, which gets its name at the end.
  private var pending: PendingFile?
  /// The file that GDAL writes, which gets its name at the end.
  private let layer: LayerOutput?
  private var layerSize = 0

  /// Whether the destination is not standard output.
  var isFile: Bool { descriptor != STDOUT_FILENO }

  /// The number of bytes written.
  var bytesWritten: Int { layer == nil ? sink.bytesWritten : layerSize }

  /// - Parameters:
  ///   - path: The path of a file; nil or `-` for standard output.
  ///   - format: The format of the rows; nil for plain text.
  init(_ path: String?, format: OutputFormat? = nil) throws {
    if let format, format.isWrittenByGDAL {
      let layer = try Self.layer(path, format: format)
      self.layer = layer
      descriptor = -1
      sink = OutputSink(layer)
      return
    }
    layer = nil
    (descriptor, pending) = try path.map(Self.open) ?? (STDOUT_FILENO, nil)
    sink = OutputSink(
      descriptor: descriptor, isCompressed: path.map(OutputFormat.isCompressed) ?? false)
  }

  private static func layer(_ path: String?, format: OutputFormat) throws -> LayerOutput {
    let name = format.rawValue
    guard let path, path != "-" else {
      throw Failure(
        .usage,
        message: "the format \(name) is written to a file only: --output rows.\(name)")
    }
    guard !OutputFormat.isCompressed(path) else {
      throw Failure(
        .usage, message: "the format \(name) is not compressed; leave out .gz in '\(path)'")
    }
    guard !System.isDevice(path) else {
      throw Failure(
        .usage, message: "the format \(name) is written to a file, and \(path) is a device")
    }
    try UsedFiles.rejectOutput(to: path)
    return try LayerOutput(
      try PendingFile.realPath(path), format: format, executable: System.executable)
  }

  deinit {
    pending?.abandon()
    if descriptor >= 0, descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// Writes a text to standard output in one piece.
  static func print(_ text: String) throws {
    let target = try OutputTarget(nil)
    target.sink.append(text)
    try target.finish()
  }

  /// Flushes all data, and gives the file its name.
  func finish() throws {
    try UsedFiles.requireKept()
    try sink.finish()
    if let layer {
      layerSize = try layer.finish()
      for note in layer.notes { Console.printMessage("Note: \(PrintableText.escaped(note)).") }
    }
    guard let pending else { return }
    try pending.publish()
    self.pending = nil
  }

  private static func open(
    _ path: String
  ) throws -> (descriptor: Int32, pending: PendingFile?) {
    guard path != "-" else { return (STDOUT_FILENO, nil) }
    try UsedFiles.rejectOutput(to: path)
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // A device or a pipe cannot be replaced, so it is written directly.
      let descriptor = openFile(path, flags: O_WRONLY)
      guard descriptor >= 0 else { throw PendingFile.failure(path) }
      return (descriptor, nil)
    }
    let pending = try PendingFile(path, permissions: exists ? status.st_mode & 0o777 : nil)
    return (pending.descriptor, pending)
  }
}

/// An output file that does not have its final name yet.
///
/// If the file system supports files without a name, it has none, so nothing remains however the
/// command ends. Otherwise it has a temporary name, which the signal handlers remove.
final class PendingFile {
  let descriptor: Int32
  private let path: String
  /// The temporary name of the file; nil if it has no name.
  private var temporary: String?

  /// - Parameter permissions: The mode of the file to replace; nil for a new file.
  init(_ path: String, permissions: mode_t?) throws {
    let path = try Self.realPath(path)
    self.path = path
    let nameless = Self.canLinkUnnamedFiles ? openNameless(in: folder(of: path)) : -1
    (descriptor, temporary) = nameless >= 0 ? (nameless, nil) : try Self.named(path)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, permissions ?? 0o666 & ~mask)
  }

  /// Whether this system can give a name to a file without one.
  private static var canLinkUnnamedFiles: Bool { access("/proc/self/fd", F_OK) == 0 }

  private static func named(_ path: String) throws -> (Int32, String?) {
    guard let file = TemporaryFiles.create(prefix: path + ".") else { throw failure(path) }
    TemporaryFiles.note(file.path)
    return (file.descriptor, file.path)
  }

  /// Gives the file its final name.
  func publish() throws {
    if temporary == nil {
      if linkNameless(descriptor, to: path) { return }
      guard errno == EEXIST else { throw Self.failure(path) }
      try linkTemporarily()
    }
    guard let temporary, rename(temporary, path) == 0 else { throw Self.failure(path) }
    TemporaryFiles.forget(temporary)
    self.temporary = nil
  }

  /// Gives the file a temporary name, with which it can replace an existing file.
  private func linkTemporarily() throws {
    for _ in 0..<100 {
      let name = "\(path).\(String(UInt32.random(in: 0..<1 << 30) + 1 << 30, radix: 36))"
      TemporaryFiles.note(name)
      if linkNameless(descriptor, to: name) {
        temporary = name
        return
      }
      let code = errno
      TemporaryFiles.forget(name)
      errno = code
      guard code == EEXIST else { break }
    }
    throw Self.failure(path)
  }

  /// Removes the temporary name of an incomplete file.
  func abandon() {
    guard let temporary else { return }
    unlink(temporary)
    TemporaryFiles.forget(temporary)
  }

  /// The path with symbolic links resolved; the path itself if the file does not exist yet.
  fileprivate static func realPath(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      if errno == ENOENT, lstat(path, &status) == 0 {
        throw Failure(
          .io,
          message:
            "cannot write \(path): it is a link to a file that does not exist; remove it first")
      }
      return path
    }
    defer { free(resolved) }
    if let text = String(validatingCString: resolved) { return text }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
      throw Failure(.io, message: "cannot write \(path): it is a link to a name that is not UTF-8")
    }
    return path
  }

  static func failure(_ path: String) -> Failure {
    Failure(.io, message: "cannot write \(path): \(System.errorText())")
  }
}
