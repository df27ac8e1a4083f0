internal import CairnIO
import CairnSystem

extension ColumnValues {
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
      try Self.checkSize(heap, adding: Int(slice.count))
      heap.append(heapStart + Int(slice.start), count: Int(slice.count))
      endValue()
      value += 1
    }
  }
}
