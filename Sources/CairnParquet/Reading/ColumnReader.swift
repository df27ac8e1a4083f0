internal import CairnIO
import CairnSystem

/// Reads the rows of a column of the layer into memory. For use by one thread.
protocol RowReader: AnyObject {
  /// Appends rows of a row group to the values.
  func append(
    rows: Range<Int64>, of group: Int, to values: ColumnValues
  ) throws(ImportError)
}

/// The values of a column of a batch.
final class ColumnValues {
  private let type: LayerColumnType
  private let marks = ColumnMemory()
  /// The numbers, or the ends of the values in `heap`.
  private let numbers = ColumnMemory()
  let heap = ColumnMemory()

  /// The largest size of the texts of a batch.
  private static let largestHeap = Int(Int32.max)

  init(_ type: LayerColumnType) { self.type = type }

  func removeAll() {
    for memory in [marks, numbers, heap] { memory.removeAll() }
  }

  /// The number of rows.
  var count: Int { marks.count }

  /// The values, which are valid until the next change.
  func column(rows: Int) -> LayerBatch.Column {
    LayerBatch.Column(
      marks: marks.base, values: numbers.base, heap: heap.bytes, rows: rows)
  }

  /// Appends rows without values.
  func appendNulls(_ count: Int) {
    marks.appendSpace(count).initializeMemory(
      as: UInt8.self, repeating: LayerMark.null.rawValue, count: count)
    switch type {
    case .bool:
      numbers.appendSpace(count).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    case .int, .double, .date:
      numbers.appendSpace(count * 8).initializeMemory(as: UInt64.self, repeating: 0, count: count)
    case .text, .data, .geometry:
      let end = UInt32(truncatingIfNeeded: heap.count)
      numbers.appendSpace(count * 4).initializeMemory(as: UInt32.self, repeating: end, count: count)
    }
  }

  /// Ends a value in the heap, which the caller has appended.
  @inline(__always)
  func endValue() {
    marks.append(LayerMark.value.rawValue)
    numbers.append(UInt32(truncatingIfNeeded: heap.count))
  }

  /// Throws if the texts are more than a batch holds.
  func checkSize() throws(ParquetError) {
    guard heap.count <= Self.largestHeap else {
      throw ParquetError("the values of a part of the rows have more than 2 GB")
    }
  }

  /// Appends the entries that a reader has read, without lists.
  ///
  /// - Parameter mark: The mark of a value.
  func append(_ reader: LeafReader, mark: LayerMark) {
    if reader.valueCount == reader.count {
      return appendAll(reader, mark: mark)
    }
    let most = UInt8(reader.leaf.maxDefinition)
    let marks = marks.appendSpace(reader.count).assumingMemoryBound(to: UInt8.self)
    for row in 0..<reader.count {
      marks[row] = reader.definitions[row] == most ? mark.rawValue : LayerMark.null.rawValue
    }
    var value = 0
    if type == .bool {
      let target = numbers.appendSpace(reader.count).assumingMemoryBound(to: UInt8.self)
      for row in 0..<reader.count {
        let isPresent = reader.definitions[row] == most
        target[row] = isPresent ? UInt8(truncatingIfNeeded: reader.values.bits[value]) : 0
        value += isPresent ? 1 : 0
      }
    } else {
      let target = numbers.appendSpace(reader.count * 8).assumingMemoryBound(to: UInt64.self)
      for row in 0..<reader.count {
        let isPresent = reader.definitions[row] == most
        target[row] = isPresent ? reader.values.bits[value] : 0
        value += isPresent ? 1 : 0
      }
    }
  }

  private func appendAll(_ reader: LeafReader, mark: LayerMark) {
    let count = reader.count
    marks.appendSpace(count).initializeMemory(
      as: UInt8.self, repeating: mark.rawValue, count: count)
    guard type == .bool else {
      return numbers.append(reader.values.bits, count: count * 8)
    }
    let target = numbers.appendSpace(count).assumingMemoryBound(to: UInt8.self)
    for row in 0..<count { target[row] = UInt8(truncatingIfNeeded: reader.values.bits[row]) }
  }

  /// Appends the entries of bytes that a reader has read, without lists.
  func appendBytes(_ reader: LeafReader) throws(ParquetError) {
    let (count, heapStart) = (reader.count, reader.values.heap)
    let most = UInt8(reader.leaf.maxDefinition)
    let isFull = reader.valueCount == count
    var value = 0
    for row in 0..<count {
      guard isFull || reader.definitions[row] == most else {
        appendNulls(1)
        continue
      }
      let slice = reader.values.slices[value]
      heap.append(heapStart + Int(slice.start), count: Int(slice.count))
      endValue()
      value += 1
    }
    try checkSize()
  }
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
    guard kind != .null else { return values.appendNulls(rows.count) }
    try reader.move(to: rows.lowerBound, group: group)
    var left = rows.count
    while left > 0 {
      guard try reader.readNext(left) else { throw reader.ended }
      left -= reader.count
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

  /// Appends the texts of values that are none themselves.
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
