import CairnSystem

/// A fault of a Parquet file, or something in it that is not supported.
package struct ParquetError: Error {
  /// The message, without the place in the file.
  package let message: String
  /// Whether a library that is not installed would read the file.
  package let needsLibrary: Bool

  /// Creates an error.
  init(_ message: String) {
    self.message = message
    needsLibrary = false
  }

  /// The absence of a codec's library.
  init(_ error: LibraryError) {
    message = error.message
    needsLibrary = true
  }
}
