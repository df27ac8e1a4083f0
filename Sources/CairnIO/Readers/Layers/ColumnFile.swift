package import CairnQuery

/// A file of a format that stores columns, in which any rows can be decoded.
package protocol ColumnFile: AnyObject, Sendable {
  var input: InputFile { get }
  /// The columns, and the number of rows.
  var schema: LayerSchema { get }

  /// Returns the rows that may meet a condition, as far as the file states it; nil if it states nothing.
  func rows(for pruning: LayerPruning) -> RowRanges?
  /// The ends of the parts of the file that are quickest to read as a whole, in order.
  var partEnds: [Int64] { get }
  /// Returns the bounds of all values of a column, as far as the file states them.
  func bounds(ofColumn index: Int) -> ValueBounds
  /// Returns the number of bytes that some columns take up in some rows, about.
  func size(of columns: Set<Int>, in rows: RowRanges) -> Int64

  /// Returns a decoder of blocks of a ``RowSplitter``, for use by one thread.
  ///
  /// - Parameter needed: The indices of the columns whose values are read.
  /// - Throws: An error if one of them has a type that is not read.
  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder
}

extension ColumnFile {
  package func rows(for pruning: LayerPruning) -> RowRanges? { nil }
  package var partEnds: [Int64] { [] }
  package func bounds(ofColumn index: Int) -> ValueBounds { ValueBounds() }

  package func size(of columns: Set<Int>, in rows: RowRanges) -> Int64 {
    let parts = Double(max(1, schema.count ?? 0)) * Double(max(1, schema.columns.count))
    return Int64(Double(input.size) * Double(rows.count) * Double(columns.count) / parts)
  }
}

/// A file of columns as the only layer of an import.
package final class ColumnFileSource: LayerSource {
  package let columns: LayerColumns
  let file: any ColumnFile

  /// The most ranges of rows. Each of them becomes a block, and many blocks take long to be put together.
  private static let mostRanges = 128

  package init(_ file: any ColumnFile, options: ImportOptions) throws(ImportError) {
    self.file = file
    columns = try LayerColumns(
      file.schema, name: file.input.name, options: options, hasSchema: true)
  }

  package var name: String { file.input.name }

  package func rows(for pruning: LayerPruning) -> RowRanges? {
    file.rows(for: pruning)?.filled(most: Self.mostRanges)
  }

  package func bounds(ofColumn index: Int) -> ValueBounds { file.bounds(ofColumn: index) }

  package func makeSplitter(_ rows: RowRanges?) -> any BlockSplitter {
    let count = Int64(file.schema.count ?? 0)
    return RowSplitter(
      rows ?? RowRanges(count: count), rowCount: count, size: file.input.size,
      partEnds: file.partEnds)
  }

  package func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder {
    try file.makeDecoder(needed)
  }

  package func notes(_ options: ImportOptions) -> [ImportMessage] {
    columns.notes(name: name, options: options)
  }
}

extension ImportError {
  /// The error of a column that a file has and that is not read.
  ///
  /// - Parameter objection: The reason, as in "has the type VARIANT, which Cairn does not read".
  package static func unreadable(
    _ column: String, of file: String, _ objection: String
  ) -> ImportError {
    ImportError(
      .data,
      message: "\(file): the column `\(column)` \(objection); leave it out with "
        + "\(option: .droppedColumns, column)")
  }
}
