internal import CairnIO

// As a message.
extension LayerBatch {
  /// Reads the layout of the message in a block.
  init(_ block: InputBlock, schema: LayerSchema) throws(LayerMessageReader.Damage) {
    try self.init(block.content, schema: schema)
  }

  /// Reads the layout of a message, whose memory must outlive the batch.
  init(
    _ bytes: UnsafeRawBufferPointer, schema: LayerSchema
  ) throws(LayerMessageReader.Damage) {
    var reader = LayerMessageReader(bytes)
    guard let first = Int(exactly: try reader.take(UInt64.self)), first <= Int(Int32.max) * 1024
    else { throw LayerMessageReader.Damage() }
    let rows = Int(try reader.take(UInt32.self))
    guard rows > 0 else { throw LayerMessageReader.Damage() }
    var columns: [Column] = []
    for column in schema.columns {
      columns.append(try Column(column.type, rows: rows, reader: &reader))
    }
    guard reader.isAtEnd else { throw LayerMessageReader.Damage() }
    self.init(firstRow: first, rowCount: rows, columns: columns)
  }
}

extension LayerBatch.Column {
  fileprivate init(
    _ type: LayerColumnType, rows: Int, reader: inout LayerMessageReader
  ) throws(LayerMessageReader.Damage) {
    let marks = try reader.takeAddress(count: rows)
    switch type {
    case .int, .double, .date, .bool:
      let values = try reader.takeAddress(count: type == .bool ? rows : rows * 8)
      let heap = UnsafeRawBufferPointer(start: values, count: 0)
      self.init(marks: marks, values: values, heap: heap, rows: rows)
    case .text, .data, .geometry:
      guard let size = Int(exactly: try reader.take(UInt64.self)) else {
        throw LayerMessageReader.Damage()
      }
      let values = try reader.takeAddress(count: rows * 4)
      let heap = try reader.take(count: size)
      var last = 0
      for row in 0..<rows {
        let end = Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
        guard end >= last else { throw LayerMessageReader.Damage() }
        last = end
      }
      guard last <= size else { throw LayerMessageReader.Damage() }
      self.init(marks: marks, values: values, heap: heap, rows: rows)
    }
  }
}

extension LayerMessageReader {
  /// Takes bytes and returns their address, which is valid as long as the message.
  fileprivate mutating func takeAddress(count: Int) throws(Damage) -> UnsafeRawPointer {
    guard let address = try take(count: count).baseAddress else { throw Damage() }
    return address
  }
}
