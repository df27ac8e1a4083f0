internal import CairnIO
import CairnSystem

/// Reads the rows of a column of the layer into memory. For use by one thread.
protocol RowReader: AnyObject {
  /// Appends rows of a row group to the values.
  func append(
    rows: Range<Int64>, of group: Int, to values: ColumnValues
  ) throws(ImportError)
}

/// Reads a column that lies in no list.
final class FlatColumnReader: RowReader {
  private let reader: LeafReader
  private let type: LayerColumnType

  init(_ leaf: LeafColumn, of file: ParquetFile) {
    reader = LeafReader(leaf, of: file)
    type = leaf.kind.columnType
  }

  func append(
    rows: Range<Int64>, of group: Int, to values: ColumnValues
  ) throws(ImportError) {
    let kind = reader.leaf.kind
    try reader.move(to: rows.lowerBound, group: group)
    var left = rows.count
    while left > 0 {
      guard try reader.readNext(left) else { throw reader.ended }
      left -= reader.count
      guard kind != .null else {
        values.appendNulls(reader.count)
        continue
      }
      switch type {
      case .int, .double, .bool: values.append(reader, mark: .value)
      case .date: values.append(reader, mark: kind.isLocal ? .local : .value)
      case .text, .data, .geometry:
        do throws(ParquetError) {
          if kind == .text || kind == .data || kind == .geometry {
            try values.appendBytes(reader)
          } else {
            try appendTexts(to: values)
          }
        } catch { throw reader.failure(error) }
      }
    }
  }

  /// Appends values of other types as text.
  private func appendTexts(to values: ColumnValues) throws(ParquetError) {
    let (kind, most) = (reader.leaf.kind, UInt8(reader.leaf.maxDefinition))
    var value = 0
    for row in 0..<reader.count {
      guard reader.valueCount == reader.count || reader.definitions[row] == most else {
        values.appendNulls(1)
        continue
      }
      values.heap.append(reader.values.text(value, kind))
      values.endValue()
      value += 1
    }
    try values.checkSize()
  }
}

extension ValueReader {
  /// The bytes of a value that was decoded.
  @inline(__always)
  func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: heap + Int(slices[index].start), count: Int(slices[index].count))
  }

  /// The text of a value that was decoded.
  func text(_ index: Int, _ kind: ValueKind) -> String {
    if kind.isNumeric { return ValueText.text(bits[index], kind) }
    return ValueText.text(bytes(index), kind) ?? String(decoding: bytes(index), as: UTF8.self)
  }
}
