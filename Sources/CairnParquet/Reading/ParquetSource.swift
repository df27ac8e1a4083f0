internal import CairnIO
import CairnSystem

/// A Parquet file as a layer of an import.
final class ParquetSource: LayerSource {
  let name: String
  let columns: LayerColumns
  private let file: ParquetFile

  /// Opens a file, and reads its columns.
  init(_ input: InputFile, options: ImportOptions) throws(ImportError) {
    file = try ParquetFile(input)
    name = file.name
    columns = try LayerColumns(file.schema, name: name, options: options)
  }

  func makeSplitter() -> any BlockSplitter {
    RowSplitter(rowCount: file.metadata.rowCount, size: file.input.size)
  }

  func makeDecoder(_ needed: Set<Int>) throws(ImportError) -> any LayerDecoder {
    try ParquetDecoder(file, needed: needed)
  }

  func notes(_ options: ImportOptions) -> [ImportMessage] {
    var notes = columns.notes(name: name, options: options)
    if file.hasSphericalEdges {
      notes.append(
        "\(name): the edges of the geometries are shortest paths on the earth; geodesic edges in "
          + "queries read them so")
    }
    return notes
  }
}

/// Decodes ranges of rows. For use by one thread.
final class ParquetDecoder: LayerDecoder {
  private let file: ParquetFile
  /// The readers of the columns that are needed.
  private let readers: [(any RowReader)?]
  private let values: [ColumnValues]

  init(_ file: ParquetFile, needed: Set<Int>) throws(ImportError) {
    self.file = file
    var readers: [(any RowReader)?] = []
    for index in file.columns.indices {
      readers.append(needed.contains(index) ? try file.makeReader(index) : nil)
    }
    self.readers = readers
    values = file.schema.columns.map { ColumnValues($0.type) }
  }

  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch {
    let rows = RowSplitter.rows(in: block)
    do throws(ImportError) {
      for (index, reader) in readers.enumerated() {
        values[index].removeAll()
        if let reader {
          try read(rows, reader, into: values[index])
        } else {
          values[index].appendNulls(rows.count)
        }
      }
    } catch { throw .failed(error) }
    return LayerBatch(
      firstRow: Int(rows.lowerBound), rowCount: rows.count,
      columns: values.map { $0.column(rows: rows.count) })
  }

  /// Reads rows from the row groups that they lie in.
  private func read(
    _ rows: Range<Int64>, _ reader: any RowReader, into values: ColumnValues
  ) throws(ImportError) {
    for (number, group) in file.metadata.groups.enumerated() {
      let own = group.firstRow..<group.firstRow + group.rowCount
      let part = own.clamped(to: rows)
      guard !part.isEmpty else { continue }
      try reader.append(
        rows: part.lowerBound - own.lowerBound..<part.upperBound - own.lowerBound, of: number,
        to: values)
    }
  }
}
