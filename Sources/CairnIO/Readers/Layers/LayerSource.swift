package import CairnQuery

/// Opens the files of formats that have layers, such as GeoPackage.
package protocol LayerReader: FormatReader {
  /// Opens a file, chooses the layer that the options name, and reads its columns.
  ///
  /// - Parameter size: The size of the file in bytes.
  func open(
    _ path: String, size: Int64, options: ImportOptions
  ) throws(ImportError) -> any LayerSource
}

/// Opens the files of formats that store columns, such as Parquet.
package protocol ColumnFileReader: FormatReader {
  /// The format of the files.
  var format: InputFormat { get }

  /// Opens a file and reads its columns; returns nil for a file of another format.
  ///
  /// - Parameter head: The first bytes of the file.
  func open(
    _ input: InputFile, head: UnsafeRawBufferPointer, options: ImportOptions
  ) throws(ImportError) -> (any ColumnFile)?
}

/// A layer of a file.
package protocol LayerSource: AnyObject, Sendable {
  /// The name of the file and the layer in messages.
  var name: String { get }
  /// The columns.
  var columns: LayerColumns { get }

  /// Returns the rows that may meet a condition; nil if that is not known of any.
  func rows(for pruning: LayerPruning) -> RowRanges?
  /// Returns the bounds of all values of a column, as far as they are known without reading it.
  func bounds(ofColumn index: Int) -> ValueBounds
  /// Returns a splitter of the rows into blocks.
  ///
  /// - Parameter rows: The rows, as `rows(for:)` returns them; nil for all.
  func makeSplitter(_ rows: RowRanges?) -> any BlockSplitter
  /// Returns a decoder of blocks, for use by one thread.
  ///
  /// - Parameter needed: The indices of the columns whose values are read. The others may have any
  ///   values.
  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder
  /// Returns notes on the rows for the user, once they are read.
  func notes(_ options: ImportOptions) -> [ImportMessage]
}

extension LayerSource {
  package func rows(for pruning: LayerPruning) -> RowRanges? { nil }
  package func bounds(ofColumn index: Int) -> ValueBounds { ValueBounds() }
}

/// Decodes the blocks of a layer. For use by one thread.
package protocol LayerDecoder: AnyObject {
  /// Returns the rows of a block. They are valid until the next call, and as long as the block is
  /// not changed.
  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch

  /// Lets the decoder leave out rows that a sieve rejects. It need not.
  func leaveOut(by sieve: LayerSieve)
}

extension LayerDecoder {
  package func leaveOut(by sieve: LayerSieve) {}
}

extension ImportOptions {
  /// The reader of files that have layers.
  var layerReader: (any LayerReader)? {
    readers.lazy.compactMap { $0 as? any LayerReader }.first
  }

  /// The readers of files that store columns.
  var columnFileReaders: [any ColumnFileReader] {
    readers.compactMap { $0 as? any ColumnFileReader }
  }
}
