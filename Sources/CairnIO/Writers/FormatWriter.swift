/// A module that writes formats of its own. The program hands it to ``RowWriter`` and ``OutputFile``,
/// so that they do not depend on it.
package protocol FormatWriter: Sendable {
  /// Returns the encoder of a format; nil for a format that the module does not write.
  func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)?
  /// Starts a process that writes a file; nil for a format that needs none.
  ///
  /// - Parameter path: The path of the file, without symbolic links.
  func process(writing path: String, format: OutputFormat) throws(OutputError) -> (
    any OutputProcess
  )?
}

extension FormatWriter {
  /// Starts no process.
  package func process(writing path: String, format: OutputFormat) throws(OutputError) -> (
    any OutputProcess
  )? { nil }
}

/// A process that writes a file of rows, which it receives through a pipe. The file gets its name when
/// it is complete.
package protocol OutputProcess: AnyObject {
  /// The pipe to the process.
  var input: Int32 { get }
  /// Notes for the reader of the file, without a full stop.
  var notes: [String] { get }

  /// Adds a sentence for the reader of the file.
  func note(_ text: String)
  /// Returns the error of the process, after it has closed the pipe.
  func failure() -> OutputError
  /// Waits until the file is complete, and gives it its name.
  ///
  /// - Returns: The size of the file in bytes, with its parts.
  func finish() throws(OutputError) -> Int
}
