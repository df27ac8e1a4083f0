import CairnSystem

/// A file that gets its name when it is complete, in place of one that may have the name already. An
/// incomplete file is removed.
package final class OutputFile {
  /// Receives the content.
  package let sink: OutputSink
  /// The number of bytes written; those of a file that GDAL writes once it is complete.
  package var bytesWritten: Int { layer == nil ? sink.bytesWritten : layerSize }
  /// Notes for the reader of the file, without a full stop.
  package var notes: [String] { layer?.notes ?? [] }
  /// The file descriptor; negative for a file that GDAL writes.
  package var descriptor: Int32 { pending?.descriptor ?? -1 }

  private let path: String
  /// The file that gets its name at the end; nil for one that GDAL writes.
  private let pending: PendingFile?
  /// The file that GDAL writes; nil for others.
  private let layer: LayerOutput?
  private var layerSize = 0

  /// Creates a file, compressed if its name ends in `.gz`.
  ///
  /// - Parameters:
  ///   - format: The format of the rows; nil for plain text.
  ///   - executable: A program that calls ``GDALWorker/run(_:)``, for the formats that GDAL writes.
  /// - Throws: `OutputError.file`.
  package init(
    _ path: String, format: OutputFormat?, executable: String?
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
      let layer = try LayerOutput(
        try PendingFile.realPath(path), format: format, executable: executable)
      (self.layer, pending, sink) = (layer, nil, OutputSink(layer))
      return
    }
    let pending = try PendingFile(path, permissions: exists ? status.st_mode & 0o777 : nil)
    (layer, self.pending) = (nil, pending)
    sink = OutputSink(descriptor: pending.descriptor, isCompressed: isCompressed)
  }

  /// Writes what is left, and gives the file its name.
  package func publish() throws(OutputError) {
    try sink.finish()
    if let layer { layerSize = try layer.finish() }
    try pending?.publish()
  }
}
