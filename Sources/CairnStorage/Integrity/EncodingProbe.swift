import CairnIndex
import CairnValues

/// Reads bytes as every encoding of the store, as `verify` would: a check that lets bytes pass by which a reader would
/// leave them is found by feeding it any.
package enum EncodingProbe {
  /// Nothing that is read may lie outside the bytes; what they say does not matter.
  package static func read(_ bytes: [UInt8]) {
    readRecords(bytes)
    readCollections(bytes)
    let size = max(bytes.count, ChunkShape.minimumSize)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    memory.copyBytes(from: bytes)
    readSegments(UnsafeRawBufferPointer(memory))
    readChunk(memory)
  }

  private static func readRecords(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      _ = try? TableSchema(id: 1, decoding: raw)
      _ = try? TableState(decoding: raw, table: "probe")
      _ = try? PendingLoad(decoding: raw)
      if let element = try? Element(decoding: raw) { _ = element.encoded() }
    }
  }

  private static func readCollections(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      for type in ValueType.allCases {
        for kind in [CollectionKind.list, .set, .map] {
          let column = ColumnSchema(
            id: 0, name: "", type: type, collection: kind, isOptional: true, position: 0)
          let collection = StoredCollection(raw, of: type, isMap: kind == .map)
          for index in 0..<min(collection.count, 1000) {
            _ = collection.value(at: index)
            if kind == .map { _ = collection.keyText(at: index) }
          }
          _ = CollectionForm.objection(raw, column)
        }
      }
    }
  }

  private static func readSegments(_ bytes: UnsafeRawBufferPointer) {
    for numeric in [false, true] {
      guard let segment = ValueSegment(checking: bytes, numeric: numeric) else { continue }
      for index in 0..<segment.count { _ = (segment.key(index), segment.value(index)) }
    }
    if let block = LooseBlock(checking: bytes) {
      for index in 0..<block.count { _ = (block.keys[index], block.points.point(at: index)) }
    }
  }

  /// As a chunk of every layout, with the checksum that it would have.
  private static func readChunk(_ bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: UInt32(bytes.count), toByteOffset: 28, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(
      of: Checksum.xxh64(UnsafeRawBufferPointer(bytes)), toByteOffset: 8, as: UInt64.self)
    let raw = UnsafeRawBufferPointer(bytes)
    for type in ValueType.allCases {
      let column = ColumnSchema(id: 0, name: "", type: type, isOptional: true, position: 0)
      let rows = min(Int(raw.load(fromByteOffset: 4, as: UInt32.self)), ChunkShape.rows)
      guard ChunkForm.objection(raw, column.layout, rows: rows) == nil, let base = raw.baseAddress,
        let chunk = Chunk(encoded: base, size: raw.count)
      else { continue }
      for row in 0..<rows { _ = chunk.value(at: row, type: type) }
      _ = ChunkEncoder.encode(ChunkBuffer(layout: column.layout, copying: chunk))
    }
  }
}
