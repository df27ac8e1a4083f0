import CairnSystem

/// The reason why writing stopped.
package enum OutputError: Error, Sendable, Equatable {
  /// The reader closed the pipe, as `head` does; this is not a failure.
  case closed
  /// The device is full.
  case diskFull
  /// Writing failed, with the system's error number.
  case io(Int32)
  /// A file cannot be written; the text says which one and why.
  case file(OutputProblem, String)
  /// The format needs a location column, and none of the columns is one.
  case noLocation
  /// A location is outside the coordinate system; the text says why.
  case outsideSystem(String)
  /// A value has more than 512 nested objects and collections.
  case tooDeep
  /// There are more rows than can be coloured or sized one by one; the number is the limit.
  case tooManyRows(Int)
  /// The format cannot name its coordinate system; the text says why.
  case unnamedSystem(String)
}

/// The kind of a problem with a file.
package enum OutputProblem: Sendable {
  /// The format does not fit the name or the kind of the file.
  case usage
  /// The format cannot hold the rows.
  case data
  /// GDAL is missing.
  case library
  /// The file cannot be written.
  case output
}

extension OutputError {
  /// The reason in words.
  package var message: String {
    switch self {
    case .closed: "the reader closed the output"
    case .diskFull: "the disk is full"
    case .io(let code): "writing failed: \(errorText(code))"
    case .file(_, let reason), .outsideSystem(let reason), .unnamedSystem(let reason): reason
    case .noLocation: "the format needs a location, and none of the properties is one"
    case .tooDeep: "an object nests more than 512 objects and collections"
    case .tooManyRows(let limit): "the format shows at most \(limit) objects one by one"
    }
  }
}
