package import CairnIO

/// Reads Arrow's files and streams with typed columns, and the geometries of GeoArrow.
package struct ArrowReader: ColumnFileReader {
  /// Creates a reader.
  package init() {}

  package var format: InputFormat { .arrow }

  package func open(
    _ input: InputFile, head: UnsafeRawBufferPointer, options: ImportOptions
  ) throws(ImportError) -> (any ColumnFile)? {
    // Old streams begin with a number, so only their name tells what they are.
    guard ArrowFile.recognizes(head) || options.format == .arrow else { return nil }
    return try ArrowFile(input, head: head)
  }
}
