import CairnIO

/// The output of the rows of a query.
enum RowOutput {
  /// A file, or standard output for nil and `-`.
  case file(OutputFormat, String?)
  /// A folder of Parquet.
  case folder(String)

  /// The format of the rows.
  var format: OutputFormat {
    switch self {
    case .file(let format, _): format
    case .folder: .parquet
    }
  }
}
