package import CairnIO

/// Reads the layers of files with GDAL, in a process of its own, which ``ImportOptions/gdalReader``
/// names.
package struct GDALReader: LayerReader {
  /// Creates a reader.
  package init() {}

  package func open(
    _ path: String, size: Int64, options: ImportOptions
  ) throws(ImportError) -> any LayerSource {
    try LayerInput(path, size: size, options: options)
  }
}
