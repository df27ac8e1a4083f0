internal import CairnIO
internal import CairnValues

/// The values of a column in a batch that is being written.
final class ColumnBuffer {
  private let type: LayerColumnType
  private let marks = OutputSink.memory()
  /// The numbers, or the ends of the texts.
  private let values = OutputSink.memory()
  private let heap = OutputSink.memory()

  init(_ type: LayerColumnType) { self.type = type }

  /// The size of the values in bytes.
  var size: Int { values.count + heap.count }

  /// Appends a value. Returns false if it is of another type.
  @inline(__always)
  func append(_ cell: Cell) -> Bool {
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

  func appendNull() {
    marks.append(LayerMark.null.rawValue)
    switch type {
    case .int, .double, .date: values.append(bits: UInt64(0))
    case .bool: values.append(UInt8(0))
    case .text, .data, .geometry: values.append(bits: UInt32(heap.count))
    }
  }

  private func append<T: BitwiseCopyable>(_ value: T) {
    marks.append(LayerMark.value.rawValue)
    values.append(bits: value)
  }

  func append(bytes: UnsafeRawBufferPointer) {
    heap.append(bytes)
    endValue()
  }

  /// Appends a point as well-known binary.
  func append(x: Double, y: Double, z: Double?) {
    heap.append(UInt8(1))
    heap.append(bits: UInt32(z == nil ? 1 : 1001))
    heap.append(bits: x)
    heap.append(bits: y)
    if let z { heap.append(bits: z) }
    endValue()
  }

  /// Ends a value of the heap. A message is shorter than 2 GB, so its size fits.
  private func endValue() {
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

  /// Moves all values to a message, in the order that ``LayerBatch`` reads.
  func move(to message: LayerMessage) {
    message.append(bytes: marks.collected)
    let hasHeap = type == .text || type == .data || type == .geometry
    if hasHeap { message.append(UInt64(heap.count)) }
    message.append(bytes: values.collected)
    if hasHeap { message.append(bytes: heap.collected) }
    for buffer in [marks, values, heap] { buffer.removeAll() }
  }
}
