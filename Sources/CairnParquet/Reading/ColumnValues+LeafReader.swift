internal import CairnIO
internal import CairnQuery
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

  /// Appends the kept rows of other values of the same type.
  func append(_ other: ColumnValues, where isKept: [Bool]) throws(ParquetError) {
    let otherMarks = other.marks.bytes
    assert(isKept.count == otherMarks.count, "each row has a flag")
    guard !hasHeap else { return try appendTexts(other, where: isKept) }
    let width = type == .bool ? 1 : 8
    for row in isKept.indices where isKept[row] {
      marks.append(otherMarks[row])
      numbers.append(UnsafeRawPointer(other.numbers.base) + row * width, count: width)
    }
  }

  private func appendTexts(
    _ other: ColumnValues, where isKept: [Bool]
  ) throws(ParquetError) {
    let otherMarks = other.marks.bytes
    let ends = other.numbers.base.assumingMemoryBound(to: UInt32.self)
    for row in isKept.indices where isKept[row] {
      guard otherMarks[row] != LayerMark.null.rawValue else {
        appendNulls(1)
        continue
      }
      let start = row == 0 ? 0 : Int(ends[row - 1])
      assert(start <= Int(ends[row]) && Int(ends[row]) <= other.heap.count, "a text has no end")
      try append(bytes: UnsafeRawBufferPointer(rebasing: other.heap.bytes[start..<Int(ends[row])]))
    }
  }

  /// Appends the kept rows of texts with a dictionary.
  func append(_ texts: SharedTexts, where isKept: [Bool]) throws(ParquetError) {
    assert(isKept.count == texts.indexes.count, "each row has a flag")
    for row in isKept.indices where isKept[row] {
      if texts.indexes[row] == SharedTexts.null {
        appendNulls(1)
      } else {
        try append(bytes: texts.bytes(texts.indexes[row]))
      }
    }
  }

  private func append(bytes: UnsafeRawBufferPointer) throws(ParquetError) {
    try Self.checkSize(heap, adding: bytes.count)
    heap.append(bytes: bytes)
    endValue()
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
