import CairnSystem

/// A file that gets its name when it is complete, in place of one that may have the name already. An
/// incomplete file is removed.
final class ExportFile {
  /// Receives the content.
  let sink: OutputSink
  private let path: String
  private let descriptor: Int32
  private var temporary: String?

  /// Creates a file, compressed if its name ends in `.gz`.
  init(_ path: String) throws(ExportError) {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      throw ExportError(.io, message: "cannot write \(path): it is not a file")
    }
    guard let file = TemporaryFiles.create(prefix: path + ".") else {
      throw Self.failure(path, code: errno)
    }
    (descriptor, temporary) = (file.descriptor, file.path)
    TemporaryFiles.note(file.path)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o666 & ~mask)
    sink = OutputSink(
      descriptor: descriptor, isCompressed: path.lowercased().hasSuffix(".gz"))
  }

  deinit {
    close(descriptor)
    guard let temporary else { return }
    unlink(temporary)
    TemporaryFiles.forget(temporary)
  }

  /// Writes what is left, and gives the file its name.
  func publish() throws(ExportError) {
    do throws(OutputError) { try sink.finish() } catch { throw ExportError(error).about(path) }
    guard let temporary, rename(temporary, path) == 0 else {
      throw Self.failure(path, code: errno)
    }
    TemporaryFiles.forget(temporary)
    self.temporary = nil
  }

  private static func failure(_ path: String, code: Int32) -> ExportError {
    ExportError(.io, message: "cannot write \(path): \(errorText(code))")
  }
}

extension ExportError {
  /// The error with the path of the file.
  func about(_ path: String) -> ExportError {
    ExportError(kind, message: "cannot write \(path): \(message)")
  }
}
