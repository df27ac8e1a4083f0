package import CairnIO

/// Reads Parquet files with typed columns and geometries, GeoParquet among them.
package struct ParquetReader: ColumnFileReader {
  /// Creates a reader.
  package init() {}

  package var format: InputFormat { .parquet }

  package func open(
    _ input: InputFile, head: UnsafeRawBufferPointer, options: ImportOptions
  ) throws(ImportError) -> (any ColumnFile)? {
    guard ParquetFile.recognizes(head) else { return nil }
    return try ParquetFile(input)
  }
}
