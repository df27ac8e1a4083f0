internal import CairnIO

extension LayerMessage {
  /// Moves all values of a column to the message, in the order that a batch reads.
  func append(moving buffer: ColumnBuffer) {
    append(bytes: buffer.markBytes)
    switch buffer.type {
    case .int, .double, .date, .bool: append(bytes: buffer.valueBytes)
    case .text, .data, .geometry:
      append(UInt64(buffer.heapBytes.count))
      append(bytes: buffer.valueBytes)
      append(bytes: buffer.heapBytes)
    }
    buffer.removeAll()
  }
}
