internal import CairnIO
internal import CairnQuery
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
  /// The number of the dictionary that was shared last.
  private var sharedDictionary = 0

  /// Whether the values are texts as the file stores them, which may have a dictionary.
  var hasTexts: Bool { reader.leaf.kind == .text }

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

  /// Reads rows of texts: as indexes of the dictionary of the row group if all of them have one, and
  /// otherwise as they are.
  ///
  /// - Returns: Whether the rows are in `texts`; otherwise they are in `values`.
  func read(
    rows: Range<Int64>, of group: Int, into texts: SharedTexts, or values: ColumnValues
  ) throws(ImportError) -> Bool {
    assert(reader.leaf.kind == .text, "the column has no texts")
    reader.values.keepsIndexes = true
    defer { reader.values.keepsIndexes = false }
    values.removeAll()
    texts.indexes.removeAll(keepingCapacity: true)
    try reader.move(to: rows.lowerBound, group: group)
    var (left, areShared) = (rows.count, true)
    while left > 0 {
      guard try reader.readNext(left) else { throw reader.ended }
      left -= reader.count
      let hasIndexes = reader.valueCount == 0 || reader.values.hasIndexes
      if areShared, hasIndexes {
        share(texts)
        continue
      }
      do throws(ParquetError) {
        if areShared {
          try values.append(texts, where: Array(repeating: true, count: texts.indexes.count))
          areShared = false
        }
        if hasIndexes { reader.values.lookUp(reader.valueCount) }
        try values.appendBytes(reader)
      } catch { throw reader.failure(error) }
    }
    return areShared
  }

  /// Appends the indexes that were read last, with those of nulls.
  private func share(_ texts: SharedTexts) {
    let values = reader.values
    if values.dictionaryNumber != sharedDictionary {
      sharedDictionary = values.dictionaryNumber
      texts.replace(count: values.dictionarySize) { [unowned values] in values.dictionaryBytes($0) }
    }
    let most = UInt8(reader.leaf.maxDefinition)
    if reader.valueCount == reader.count {
      texts.indexes.append(
        contentsOf: UnsafeBufferPointer(start: values.indexes, count: reader.count))
      return
    }
    var value = 0
    for row in 0..<reader.count {
      let isPresent = reader.definitions[row] == most
      texts.indexes.append(isPresent ? values.indexes[value] : SharedTexts.null)
      value += isPresent ? 1 : 0
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
