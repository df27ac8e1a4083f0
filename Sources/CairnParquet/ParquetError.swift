/// A fault of a Parquet file, or something in it that is not supported.
package struct ParquetError: Error {
  /// The message, without the place in the file.
  package let message: String

  /// Creates an error.
  init(_ message: String) { self.message = message }
}
