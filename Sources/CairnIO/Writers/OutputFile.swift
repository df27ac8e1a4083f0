import CairnSystem

/// A file that gets its name when it is complete, in place of one that may have the name already. An
/// incomplete file is removed.
package final class OutputFile {
  /// Receives the content.
  package let sink: OutputSink
  /// The number of bytes written; those of a file that a process writes once it is complete.
  package var bytesWritten: Int { process == nil ? sink.bytesWritten : processSize }
  /// Notes for the reader of the file, without a full stop.
  package var notes: [String] { process?.notes ?? [] }
  /// The file descriptor; negative for a file that a process writes.
  package var descriptor: Int32 { pending?.descriptor ?? -1 }

  private let path: String
  /// The file that gets its name at the end; nil for one that a process writes.
  private let pending: PendingFile?
  /// The process that writes the file; nil for others.
  private let process: (any OutputProcess)?
  private var processSize = 0

  /// Creates a file, compressed if its name ends in `.gz`.
  ///
  /// - Parameters:
  ///   - format: The format of the rows; nil for plain text.
  ///   - writers: The writers of formats of other modules.
  /// - Throws: `OutputError.file`.
  package init(
    _ path: String, format: OutputFormat?, with writers: [any FormatWriter] = []
  ) throws(OutputError) {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let reason = isFolder ? errorText(EISDIR) : "it is not a file"
      throw .file(.output, "cannot write \(path): \(reason)")
    }
    let isCompressed = OutputFormat.isCompressed(path)
    if let format, format.isWrittenByGDAL {
      guard !isCompressed else {
        throw .file(
          .usage, "the format \(format.rawValue) is not compressed; leave out .gz in '\(path)'")
      }
      let process = try Self.process(writing: path, format: format, with: writers)
      (self.process, pending, sink) = (process, nil, OutputSink(process))
      return
    }
    let pending = try PendingFile(path, permissions: exists ? status.st_mode & 0o777 : nil)
    (process, self.pending) = (nil, pending)
    sink = OutputSink(descriptor: pending.descriptor, isCompressed: isCompressed)
  }

  private static func process(
    writing path: String, format: OutputFormat, with writers: [any FormatWriter]
  ) throws(OutputError) -> any OutputProcess {
    let path = try PendingFile.realPath(path)
    for writer in writers {
      if let process = try writer.process(writing: path, format: format) { return process }
    }
    throw .file(.library, "\(path): this program has no process that writes files with GDAL")
  }

  /// Writes what is left, and gives the file its name.
  package func publish() throws(OutputError) {
    try sink.finish()
    if let process { processSize = try process.finish() }
    try pending?.publish()
  }
}
