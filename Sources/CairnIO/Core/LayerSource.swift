package import CairnStorage

/// Opens the files of formats that have layers, such as GeoPackage. The program hands it to an import
/// in ``ImportOptions/layers``, so that the import does not depend on the module that reads them.
package protocol LayerReader: Sendable {
  /// Opens a file, chooses the layer that the options name, and reads its columns.
  ///
  /// - Parameter size: The size of the file in bytes.
  func open(
    _ path: String, size: Int64, options: ImportOptions
  ) throws(ImportError) -> any LayerSource
}

/// A layer of a file.
package protocol LayerSource: AnyObject, Sendable {
  /// The name of the file and the layer in messages.
  var name: String { get }
  /// The coordinate system that the file names; nil if it names none.
  var system: String? { get }
  /// The columns that hold the coordinates of a layer without geometries; empty for other layers.
  var coordinateColumns: [String] { get }
  /// The columns that become properties.
  var propertyNames: [String] { get }

  /// Returns the findings from the columns alone, without any rows.
  func inferred(_ options: ImportOptions) -> InferredColumns
  /// Returns a splitter of the rows into blocks.
  func makeSplitter() -> any BlockSplitter
  /// Returns the findings from the rows of a block.
  ///
  /// - Parameter form: The form in which geometries are inferred.
  func inspect(
    _ block: InputBlock, form: SpatialForm, options: ImportOptions
  ) throws(ParseAbort) -> InferredSchema
  /// Returns a parser of blocks, for use by one thread.
  ///
  /// - Parameter file: The path of the file.
  func makeParser(
    _ plan: ImportPlan, mapping: CoordinateMapping, file: String
  ) -> any LayerParser
  /// Returns notes on the rows for the user, once they are read.
  func notes(_ options: ImportOptions) -> [ImportMessage]
}

/// Reads the rows of a layer into the columns of a plan.
package protocol LayerParser: AnyObject {
  /// Appends the rows of a block and returns the rejected ones.
  func parse(_ block: InputBlock, into output: ColumnBatch) throws(ParseAbort) -> RecordLog
}
