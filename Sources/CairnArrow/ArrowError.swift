internal import CairnIO
internal import CairnParquet

/// A fault of Arrow's data, or something in it that is not supported.
package struct ArrowError: Error {
  /// The message, without the place in the file.
  package let message: String
  /// The kind of the error of an import.
  let kind: ImportError.Kind

  /// Creates an error.
  package init(_ message: String) { self.init(message, kind: .data) }

  private init(_ message: String, kind: ImportError.Kind) {
    self.message = message
    self.kind = kind
  }
}

extension ArrowError {
  /// The failure of reading a file, whose name the message already has.
  init(_ error: ImportError) { self.init("\(error.message)", kind: error.kind) }

  /// The fault of a part that Parquet has too.
  init(_ error: ParquetError) {
    self.init(error.message, kind: error.needsLibrary ? .library : .data)
  }

  /// Returns the error with a place before its message.
  func located(_ place: String) -> ArrowError { ArrowError("\(place): \(message)", kind: kind) }
}
