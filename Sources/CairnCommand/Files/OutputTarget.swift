import CairnArrow
import CairnGDAL
import CairnIO
import CairnMaps
import CairnParquet
import CairnStorage
import CairnSystem
import CairnValues

/// The destination of data: standard output, a device, or a file that appears under its name only
/// when it is complete.
final class OutputTarget {
  let sink: OutputSink
  let descriptor: Int32
  /// The file, which gets its name at the end; nil for standard output and devices.
  private let file: OutputFile?

  /// The writers of formats of other modules, for files and rows.
  static let writers: [any FormatWriter] = [
    GDALWriter(executable: System.executable), MapWriter(), ParquetWriter(), ArrowWriter(),
  ]

  /// Whether the destination is not standard output.
  var isFile: Bool { descriptor != STDOUT_FILENO }

  /// The number of bytes written.
  var bytesWritten: Int { file?.bytesWritten ?? sink.bytesWritten }

  /// - Parameters:
  ///   - path: The path of a file; nil or `-` for standard output.
  ///   - format: The format of the rows; nil for plain text.
  ///   - snapshot: The snapshot that the command holds until it has written everything; nil if it
  ///     holds none for long.
  init(_ path: String?, format: OutputFormat? = nil, holding snapshot: Snapshot? = nil) throws {
    let path = path == "-" ? nil : path
    if let format, format.isWrittenByGDAL { try Self.requireFile(path, format: format) }
    if let path { try UsedFiles.rejectOutput(to: path) }
    if let path, !System.isDevice(path) {
      let file = try OutputFile(path, format: format, with: Self.writers)
      (self.file, sink, descriptor) = (file, file.sink, file.descriptor)
      return
    }
    file = nil
    // A device or a pipe cannot be replaced, so it is written directly.
    descriptor = path.map { openFile($0, flags: O_WRONLY) } ?? STDOUT_FILENO
    guard let path else {
      sink = OutputSink(
        descriptor: descriptor, spool: OutputSpools.spool(descriptor, holding: snapshot))
      return
    }
    guard descriptor >= 0 else {
      throw Failure(.io, message: "cannot write \(path): \(System.errorText())")
    }
    sink = OutputSink(
      descriptor: descriptor, isCompressed: OutputFormat.isCompressed(path),
      spool: OutputSpools.spool(descriptor, holding: snapshot))
  }

  /// Throws if GDAL cannot write to the destination.
  private static func requireFile(_ path: String?, format: OutputFormat) throws {
    let name = format.rawValue
    guard let path else {
      throw Failure(
        .usage,
        message: "the format \(name) is written to a file only: --output rows.\(name)")
    }
    guard !System.isDevice(path) else {
      throw Failure(
        .usage, message: "the format \(name) is written to a file, and \(path) is a device")
    }
  }

  deinit {
    if file == nil, descriptor >= 0, descriptor != STDOUT_FILENO { close(descriptor) }
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
    guard let file else { return try sink.finish() }
    try file.publish()
    for note in file.notes { Console.printMessage("Note: \(PrintableText.escaped(note)).") }
  }
}

/// The output that the command keeps in temporary files, because its readers pause while it
/// holds snapshots.
enum OutputSpools {
  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var all: [OutputSpool] = []

  /// Returns the spool for an output during a snapshot; nil if the output cannot pause, or
  /// there is no snapshot.
  fileprivate static func spool(_ descriptor: Int32, holding snapshot: Snapshot?) -> OutputSpool? {
    guard let snapshot else { return nil }
    let spool = OutputSpool(descriptor) { [weak snapshot] in snapshot?.isOutdated ?? false }
    if let spool { all.append(spool) }
    return spool
  }

  /// Writes what was kept to the output. Call this when the command holds no snapshot any more.
  static func complete() throws(OutputError) {
    defer { all = [] }
    for spool in all { try spool.complete() }
  }
}
