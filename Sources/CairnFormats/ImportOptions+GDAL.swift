internal import CairnGDAL
internal import CairnIO

extension ImportOptions {
  /// The options with GDAL as the reader of layers.
  var withGDAL: ImportOptions {
    var options = self
    options.gdalReader = gdalReader ?? GDALProgram.path
    options.layers = GDALReader()
    return options
  }
}
