import CairnIndex
import CairnValues

/// Reads bytes as every encoding of the store, as `verify` would: a check that lets bytes pass by which a reader would
/// leave them is found by feeding it any.
///
/// What is read and written again reads as the same.
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

  private static func readSegments(_ bytes: UnsafeRawBufferPointer) {
    for numeric in [false, true] {
      guard let segment = ValueSegment(checking: bytes, numeric: numeric) else { continue }
      let entries = (0..<segment.count).map {
        ValueEntry(value: segment.value($0), key: segment.key($0))
      }
      check(ValueSegment.encoded(entries[...], numeric: numeric)) { raw in
        guard let again = ValueSegment(checking: raw, numeric: numeric) else { return false }
        return entries.indices.allSatisfy {
          again.value($0) == entries[$0].value && again.key($0) == entries[$0].key
        }
      }
    }
    guard let block = LooseBlock(checking: bytes) else { return }
    let entries = (0..<block.count).map {
      let point = block.points.point(at: $0)
      return LooseEntry(
        longitude: point.longitude, latitude: point.latitude, key: Int(block.keys[$0]))
    }
    check(LooseBlock.encoded(entries[...])) { raw in
      guard let again = LooseBlock(checking: raw) else { return false }
      return entries.indices.allSatisfy { Int(again.keys[$0]) == entries[$0].key }
    }
  }

  /// What was written stands at such a place as in the map.
  private static func check(_ written: [UInt8], _ isSame: (UnsafeRawBufferPointer) -> Bool) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: written.count, alignment: 16)
    defer { memory.deallocate() }
    memory.copyBytes(from: written)
    precondition(isSame(UnsafeRawBufferPointer(memory)), "what was written reads as another")
  }

  /// As a chunk of every layout, with the checksum that it would have.
  private static func readChunk(_ bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: UInt32(bytes.count), toByteOffset: 28, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(
      of: Checksum.xxh64(UnsafeRawBufferPointer(bytes)), toByteOffset: 8, as: UInt64.self)
    let raw = UnsafeRawBufferPointer(bytes)
    let rows = min(Int(raw.load(fromByteOffset: 4, as: UInt32.self)), ChunkShape.rows)
    for type in ValueType.allCases {
      let column = ColumnSchema(id: 0, name: "", type: type, isOptional: true, position: 0)
      guard ChunkForm.objection(raw, column.layout, rows: rows) == nil, let base = raw.baseAddress,
        let chunk = Chunk(encoded: base, size: raw.count)
      else { continue }
      let values = (0..<rows).map { chunk.value(at: $0, type: type) }
      let buffer = ChunkBuffer(layout: column.layout, copying: chunk)
      let written = ChunkEncoder.encode(buffer).bytes
      check(written) { raw in
        guard ChunkForm.objection(raw, column.layout, rows: rows) == nil,
          let base = raw.baseAddress,
          let again = Chunk(encoded: base, size: raw.count)
        else { return false }
        let twice = ChunkEncoder.encode(ChunkBuffer(layout: column.layout, copying: again)).bytes
        // A point that is none is not equal to itself; but its bytes are.
        return twice == written
          && (type == .point
            || values.indices.allSatisfy { again.value(at: $0, type: type) == values[$0] })
      }
    }
    damage(bytes)
  }

  /// A chunk of which one bit is another is not intact.
  private static func damage(_ bytes: UnsafeMutableRawBufferPointer) {
    precondition(ChunkEncoder.isIntact(UnsafeRawBufferPointer(bytes)))
    let bit = Int(truncatingIfNeeded: Checksum.xxh64(UnsafeRawBufferPointer(bytes)) >> 1)
    bytes[bit % bytes.count] ^= 1 << UInt8(bit & 7)
    precondition(!ChunkEncoder.isIntact(UnsafeRawBufferPointer(bytes)), "damage goes unnoticed")
  }
}
