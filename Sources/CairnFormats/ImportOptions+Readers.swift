internal import CairnArrow
internal import CairnGDAL
internal import CairnIO
internal import CairnParquet

extension ImportOptions {
  /// The options with the readers of other modules.
  var withReaders: ImportOptions {
    var options = self
    options.gdalReader = gdalReader ?? GDALProgram.path
    options.readers = [ParquetReader(), ArrowReader(), GDALReader()]
    return options
  }
}
