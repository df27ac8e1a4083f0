internal import CairnValues

/// The values of a column in a batch that is being written, in the layout that ``LayerBatch/Column``
/// reads.
package final class ColumnBuffer {
  package let type: LayerColumnType
  /// The number of values.
  package private(set) var count = 0
  private let marks = OutputSink.memory()
  /// The numbers, or the ends of the texts.
  private let values = OutputSink.memory()
  private let heap = OutputSink.memory()

  package init(_ type: LayerColumnType) { self.type = type }

  /// The bytes of the last text, data or geometry; valid until the next change.
  package var lastBytes: UnsafeRawBufferPointer {
    let ends = values.collected
    guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    func end(_ row: Int) -> Int {
      row < 0 ? 0 : Int(ends.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
    }
    return UnsafeRawBufferPointer(rebasing: heap.collected[end(count - 2)..<end(count - 1)])
  }

  /// The size of the values in bytes.
  package var size: Int { values.count + heap.count }

  /// A ``LayerMark`` for each value. This and the following are valid until the next change.
  package var markBytes: UnsafeRawBufferPointer { marks.collected }
  /// The numbers, or the ends of the texts in 4 bytes.
  package var valueBytes: UnsafeRawBufferPointer { values.collected }
  /// The bytes of texts, of data and of geometries.
  package var heapBytes: UnsafeRawBufferPointer { heap.collected }

  /// Appends a value. Returns false if it is of another type.
  @inline(__always)
  package func append(_ cell: Cell) -> Bool {
    if cell.isNull {
      appendNull()
      return true
    }
    switch type {
    case .text: return append(text: cell)
    case .data: return append(data: cell)
    case .int:
      guard case .int(let value) = cell else { return false }
      append(value)
    case .double:
      switch cell {
      case .double(let value): append(value)
      case .float(let value): append(Double(value))
      case .int(let value): append(Double(value))
      default: return false
      }
    case .bool:
      guard case .bool(let flag) = cell else { return false }
      append(UInt8(flag ? 1 : 0))
    case .date:
      guard case .date(let seconds, _) = cell else { return false }
      append(seconds)
    case .geometry: return false
    }
    return true
  }

  package func appendNull() {
    count += 1
    marks.append(LayerMark.null.rawValue)
    switch type {
    case .int, .double, .date: values.append(bits: UInt64(0))
    case .bool: values.append(UInt8(0))
    case .text, .data, .geometry: values.append(bits: UInt32(heap.count))
    }
  }

  private func append<T: BitwiseCopyable>(_ value: T) {
    count += 1
    marks.append(LayerMark.value.rawValue)
    values.append(bits: value)
  }

  package func append(bytes: UnsafeRawBufferPointer) {
    heap.append(bytes)
    endValue()
  }

  /// Appends a point as well-known binary.
  package func append(x: Double, y: Double, z: Double?) {
    heap.append(UInt8(1))
    heap.append(bits: UInt32(z == nil ? 1 : 1001))
    heap.append(bits: x)
    heap.append(bits: y)
    if let z { heap.append(bits: z) }
    endValue()
  }

  /// Ends a value of the heap. A batch is shorter than 2 GB, so its size fits.
  private func endValue() {
    count += 1
    marks.append(LayerMark.value.rawValue)
    values.append(bits: UInt32(truncatingIfNeeded: heap.count))
  }

  private func append(text cell: Cell) -> Bool {
    switch cell {
    case .text(let bytes), .json(let bytes): heap.append(bytes)
    case .string(let text), .other(let text): heap.append(text)
    case .int(let value): heap.append(int: value)
    case .double(let value): heap.append(double: value)
    case .float(let value): heap.append(float: value)
    case .point, .projected: heap.append(cell.pointText() ?? "")
    case .geometry(let geometry): geometry.wkt.withUnsafeBytes { heap.append($0) }
    default: heap.append(TableText.rawText(cell))
    }
    endValue()
    return true
  }

  /// Appends bytes, whose cell has them in Base64.
  private func append(data cell: Cell) -> Bool {
    guard case .other(let text) = cell, let bytes = Base64.decode(text) else { return false }
    bytes.withUnsafeBytes { append(bytes: $0) }
    return true
  }

  /// The marks of values and of nulls.
  package static var value: UInt8 { 0 }
  package static var null: UInt8 { 1 }

  /// Appends values of a fixed size, which the caller sets with their marks.
  package func reserve<Number: BitwiseCopyable>(
    _ count: Int, as type: Number.Type
  ) -> (marks: UnsafeMutablePointer<UInt8>, numbers: UnsafeMutablePointer<Number>) {
    let size = count * MemoryLayout<Number>.size
    let target = (
      marks.reserve(count).assumingMemoryBound(to: UInt8.self),
      values.reserve(size).assumingMemoryBound(to: Number.self)
    )
    marks.advance(count)
    values.advance(size)
    self.count += count
    return target
  }

  /// Removes all values.
  package func removeAll() {
    for buffer in [marks, values, heap] { buffer.removeAll() }
    count = 0
  }
}
