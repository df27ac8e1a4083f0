package import CairnIO

/// Writes rows as Arrow's files and streams.
package struct ArrowWriter: FormatWriter {
  /// Creates a writer.
  package init() {}

  package func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)? {
    guard format == .arrow || format == .feather else { return nil }
    return ArrowEncoder(columns, system: system, isFile: format == .feather)
  }
}
