package import CairnIO
import CairnSystem

/// The values of a column of a batch.
package final class ColumnValues {
  let type: LayerColumnType
  let marks = ColumnMemory()
  /// The numbers, or the ends of the values in `heap`.
  let numbers = ColumnMemory()
  package let heap = ColumnMemory()

  /// The largest size of the texts of a batch.
  private static let largestHeap = Int(Int32.max)

  package init(_ type: LayerColumnType) { self.type = type }

  package func removeAll() {
    for memory in [marks, numbers, heap] { memory.removeAll() }
  }

  /// The values, which are valid until the next change.
  package func column(rows: Int) -> LayerBatch.Column {
    LayerBatch.Column(
      marks: marks.base, values: numbers.base, heap: heap.bytes, rows: rows)
  }

  /// The marks. This and the following are valid until the next change.
  package var markBytes: UnsafeRawBufferPointer { marks.bytes }
  /// The numbers, or the ends of the values in `heap`.
  package var numberBytes: UnsafeRawBufferPointer { numbers.bytes }

  /// Whether the values lie in `heap`.
  package var hasHeap: Bool {
    switch type {
    case .text, .data, .geometry: true
    case .int, .double, .date, .bool: false
    }
  }

  /// Appends rows without values.
  package func appendNulls(_ count: Int) {
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

  /// Appends marks and numbers, or marks and the ends of values in the heap, which the caller fills.
  /// Valid until the next append.
  package func appendSpace<Number: BitwiseCopyable>(
    _ count: Int, for type: Number.Type
  ) -> (marks: UnsafeMutablePointer<UInt8>, numbers: UnsafeMutablePointer<Number>) {
    let marks = marks.appendSpace(count).assumingMemoryBound(to: UInt8.self)
    let space = numbers.appendSpace(count * MemoryLayout<Number>.stride)
    return (marks, space.bindMemory(to: Number.self, capacity: count))
  }

  /// Ends a value in the heap, which the caller has appended.
  @inline(__always)
  package func endValue() {
    marks.append(LayerMark.value.rawValue)
    numbers.append(UInt32(truncatingIfNeeded: heap.count))
  }

  /// Throws if the texts are more than a batch holds.
  package func checkSize() throws(ParquetError) { try Self.checkSize(heap) }

  /// Throws if texts are more than a batch holds, with the bytes that are going to be appended.
  @inline(__always)
  static func checkSize(_ heap: ColumnMemory, adding bytes: Int = 0) throws(ParquetError) {
    guard heap.count + bytes <= largestHeap else {
      throw ParquetError("the values of a part of the rows have more than 2 GB")
    }
  }
}
