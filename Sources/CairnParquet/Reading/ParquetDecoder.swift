internal import CairnIO
import CairnSystem

/// Decodes ranges of rows. For use by one thread.
final class ParquetDecoder: LayerDecoder {
  private let file: ParquetFile
  /// The readers of the columns that are needed, and their values.
  private let columns: [(reader: any RowReader, values: ColumnValues)?]
  /// The values of all others. Their zeros can be read as any type.
  private let blank = ColumnValues(.double)
  /// The reader of rows that a sieve lets pass; nil to read all rows.
  private var sieved: SievedReader?

  init(_ file: ParquetFile, needed: Set<Int>) throws(ImportError) {
    self.file = file
    var columns: [(any RowReader, ColumnValues)?] = []
    for (index, column) in file.schema.columns.enumerated() {
      columns.append(
        needed.contains(index) ? (try file.makeReader(index), ColumnValues(column.type)) : nil)
    }
    self.columns = columns
  }

  func rows(of block: InputBlock) throws(ParseAbort) -> LayerBatch {
    let rows = RowSplitter.rows(in: block)
    let parts = file.metadata.parts(of: rows)
    if let sieved { return try self.rows(of: rows, in: parts, sieved) }
    blank.removeAll()
    blank.appendNulls(rows.count)
    do throws(ImportError) {
      for case let (reader, values)? in columns {
        values.removeAll()
        for part in parts { try reader.append(rows: part.rows, of: part.group, to: values) }
      }
    } catch { throw .failed(error) }
    return LayerBatch(
      firstRow: Int(rows.lowerBound), rowCount: rows.count,
      columns: columns.map { ($0?.values ?? blank).column(rows: rows.count) })
  }
}

// Rows that pass a sieve.
extension ParquetDecoder {
  func leaveOut(by sieve: LayerSieve) {
    sieved = SievedReader(sieve, columns: columns, of: file.name)
  }

  private func rows(
    of rows: Range<Int64>, in parts: [(group: Int, rows: Range<Int64>)], _ sieved: SievedReader
  ) throws(ParseAbort) -> LayerBatch {
    for case let (_, values)? in columns { values.removeAll() }
    var (distances, first) = ([Int](), 0)
    do throws(ImportError) {
      for part in parts {
        try sieved.append(part.rows, of: part.group) { distances.append(first + $0) }
        first += part.rows.count
      }
    } catch { throw .failed(error) }
    blank.removeAll()
    blank.appendNulls(distances.count)
    return LayerBatch(
      firstRow: Int(rows.lowerBound), rowCount: distances.count,
      columns: columns.map { ($0?.values ?? blank).column(rows: distances.count) },
      distances: distances)
  }
}

extension FileMetadata {
  /// Returns the row groups that rows of the file lie in, with their rows there. O(log n + groups found).
  func parts(of rows: Range<Int64>) -> [(group: Int, rows: Range<Int64>)] {
    var (low, high) = (0, groups.count)
    while low < high {
      let middle = (low + high) / 2
      if groups[middle].endRow <= rows.lowerBound { low = middle + 1 } else { high = middle }
    }
    var parts: [(Int, Range<Int64>)] = []
    while low < groups.count, groups[low].firstRow < rows.upperBound {
      let first = groups[low].firstRow
      let part = rows.clamped(to: first..<groups[low].endRow)
      if !part.isEmpty { parts.append((low, part.lowerBound - first..<part.upperBound - first)) }
      low += 1
    }
    return parts
  }
}
