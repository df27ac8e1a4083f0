package import CairnIO

/// Writes Parquet files, without GDAL.
package struct ParquetWriter: FormatWriter {
  /// Creates a writer.
  package init() {}

  package func encoder(
    _ format: OutputFormat, columns: [OutputColumn], system: OutputSystem?, style: OutputStyle
  ) throws(OutputError) -> (any RowEncoder)? {
    guard format == .parquet else { return nil }
    return try ParquetEncoder(columns, system: system, groupSize: style.rowGroupSize)
  }
}
