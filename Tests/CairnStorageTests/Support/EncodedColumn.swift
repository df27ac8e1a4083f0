import CairnValues

@testable import CairnStorage

/// Values of one column, encoded as a chunk and read back.
struct EncodedColumn {
  let schema: ColumnSchema
  let values: [Value]
  let bytes: [UInt8]
  let zone: Zone

  init(_ type: ValueType, _ values: [Value]) {
    schema = ColumnSchema(id: 0, name: "value", type: type, isOptional: true, position: 0)
    self.values = values
    let buffer = ChunkBuffer(layout: schema.layout)
    buffer.count = values.count
    for (row, value) in values.enumerated() { buffer.set(value, at: row) }
    (bytes, zone) = ChunkEncoder.encode(buffer)
  }

  /// Calls `body` with the chunk in place; nil if the bytes are not a chunk.
  func read<R>(_ body: (Chunk) throws -> R) rethrows -> R? {
    try bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let chunk = Chunk(encoded: base, size: buffer.count)
      else { return nil }
      return try body(chunk)
    }
  }

  /// The rows that are read back differently, and the differences.
  var differences: [String] {
    read { chunk in
      guard chunk.count == values.count else { return ["\(chunk.count) rows"] }
      var differences: [String] = []
      for (row, value) in values.enumerated() {
        let found = chunk.value(at: row, type: schema.type)
        if identical(found, value) { continue }
        differences.append("row \(row): \(found) instead of \(value)")
      }
      return differences
    } ?? ["no chunk"]
  }
}
