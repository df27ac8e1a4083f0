package import CairnIO

/// Writes rows to files with GDAL, in a process of its own.
package struct GDALWriter: FormatWriter {
  private let executable: String?

  /// Creates a writer.
  ///
  /// - Parameter executable: A program that calls ``GDALWorker/run(_:)``. Nil is an error when a file is
  ///   written.
  package init(executable: String?) { self.executable = executable }

  package func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)? {
    guard let format = format.layerFormat else { return nil }
    return try LayerEncoder(columns, format: format, system: system)
  }

  package func process(writing path: String, format: OutputFormat) throws(OutputError) -> (
    any OutputProcess
  )? {
    guard format.layerFormat != nil else { return nil }
    return try LayerOutput(path, format: format, executable: executable)
  }
}
