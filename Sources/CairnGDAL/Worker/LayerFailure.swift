internal import CairnArrow

/// The reason why a layer cannot be read.
struct LayerFailure: Error {
  /// The kind of a failure.
  enum Kind: UInt8 {
    /// The file that is read is damaged, or the format that is written cannot hold the rows.
    case data = 0
    /// libgdal is missing, or too old.
    case library
    /// The file cannot be written.
    case output
  }

  let kind: Kind
  let message: String

  init(_ message: String, kind: Kind = .data) {
    self.message = message
    self.kind = kind
  }

  /// Wraps a fault of the arrays that GDAL hands over.
  init(_ error: ArrowError) { self.init(error.message) }
}
