internal import CairnIO

extension ImportError {
  /// Wraps a fault of a file.
  init(_ error: ParquetError, file: String) {
    self.init(error.needsLibrary ? .library : .data, message: "\(file): \(error.message)")
  }

  /// Wraps a fault of a page.
  init(_ error: ParquetError, file: String, column: String, group: Int, page: Int, offset: Int64) {
    self.init(
      error.needsLibrary ? .library : .data,
      message:
        "\(file): column `\(column)`, row group \(group + 1), page \(page) at byte \(offset): "
        + "\(error.message)")
  }
}
