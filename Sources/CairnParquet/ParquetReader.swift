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

  /// Estimates how much of a file an import with these options would read, from the description of its
  /// row groups; no row is read.
  ///
  /// - Throws: An error if the file is not a Parquet file, is damaged, or does not have what the options
  ///   name.
  package static func estimate(
    _ path: String, options: ImportOptions
  ) throws(ImportError) -> RowEstimate {
    var options = options
    options.format = .parquet
    options.readers = [ParquetReader()]
    guard let estimate = try Importer.estimate(of: path, options: options) else {
      throw ImportError(.data, message: "\(path): the file is not in the format parquet")
    }
    return estimate
  }
}
