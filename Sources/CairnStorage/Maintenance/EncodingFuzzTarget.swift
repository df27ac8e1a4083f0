import CairnIndex
import CairnValues

/// Decodes bytes as every encoding of the store, with the checks of `verify`. Feeding it arbitrary
/// bytes finds a check that lets a reader leave the bytes.
///
/// Values that are read and written again read as the same.
package enum EncodingFuzzTarget {
  /// Reads the bytes. No read may lie outside of them; the values do not matter.
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
    readBlock(PointEntry.self, bytes)
    readBlock(BoxEntry.self, bytes)
  }

  private static func readBlock<Entry: SpatialEntry>(
    _ type: Entry.Type, _ bytes: UnsafeRawBufferPointer
  ) {
    guard let block = DeltaBlock<Entry>(checking: bytes) else { return }
    let entries = Array(block.entries)
    if entries.allSatisfy({ $0.fault == nil }) {
      _ = (block.rows.leafEnvelopes, entries.map(\.hilbertKey))
    }
    check(DeltaBlock.encoded(entries[...])) { raw in
      guard let again = DeltaBlock<Entry>(checking: raw) else { return false }
      return again.entries.elementsEqual(entries) { $0.key == $1.key }
    }
  }

  /// Copies the output to aligned memory, as it is aligned in the mapped file.
  private static func check(_ written: [UInt8], isSame: (UnsafeRawBufferPointer) -> Bool) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: written.count, alignment: 16)
    defer { memory.deallocate() }
    memory.copyBytes(from: written)
    precondition(isSame(UnsafeRawBufferPointer(memory)), "the output reads as something else")
  }

  /// Reads the bytes as a chunk of every layout, with a valid checksum.
  private static func readChunk(_ bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: UInt32(bytes.count), toByteOffset: 28, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(
      of: Checksum.xxh64(UnsafeRawBufferPointer(bytes)), toByteOffset: 8, as: UInt64.self)
    let raw = UnsafeRawBufferPointer(bytes)
    let rows = min(Int(raw.load(fromByteOffset: 4, as: UInt32.self)), ChunkShape.rows)
    for type in ValueType.allCases {
      let column = ColumnSchema(id: 0, name: "", type: type, isOptional: true, position: 0)
      guard ChunkValidator.fault(raw, layout: column.layout, rows: rows) == nil,
        let base = raw.baseAddress,
        let chunk = Chunk(encoded: base, size: raw.count)
      else { continue }
      let values = (0..<rows).map { chunk.value(at: $0, type: type) }
      let buffer = ChunkBuffer(layout: column.layout, copying: chunk)
      let written = ChunkEncoder.encode(buffer).bytes
      check(written) { raw in
        guard ChunkValidator.fault(raw, layout: column.layout, rows: rows) == nil,
          let base = raw.baseAddress,
          let again = Chunk(encoded: base, size: raw.count)
        else { return false }
        let twice = ChunkEncoder.encode(ChunkBuffer(layout: column.layout, copying: again)).bytes
        // An invalid point is not equal to itself, but its bytes are.
        return twice == written
          && (type == .point
            || values.indices.allSatisfy { again.value(at: $0, type: type) == values[$0] })
      }
    }
    damage(bytes)
  }

  /// A chunk with one flipped bit is not intact.
  private static func damage(_ bytes: UnsafeMutableRawBufferPointer) {
    precondition(ChunkEncoder.isIntact(UnsafeRawBufferPointer(bytes)))
    let bit = Int(truncatingIfNeeded: Checksum.xxh64(UnsafeRawBufferPointer(bytes)) >> 1)
    bytes[bit % bytes.count] ^= 1 << UInt8(bit & 7)
    precondition(!ChunkEncoder.isIntact(UnsafeRawBufferPointer(bytes)), "damage is not noticed")
  }
}

/// Small records, and rows that hold many values.
extension EncodingFuzzTarget {
  static func readRecords(_ bytes: [UInt8]) {
    check(bytes, read: { try TableSchema(id: 1, decoding: $0) }, write: { $0.encoded() })
    check(bytes, read: { try TableState(decoding: $0, table: "probe") }) {
      _ = ($0.chunkCount, $0.unindexedRows)
      _ = ($0.valueRuns.map(\.segments), $0.textRuns.map(\.segments))
      return $0.encoded()
    }
    check(bytes, read: { try PendingLoad(decoding: $0) }) {
      _ = 0..<$0.columnEnd
      return $0.encoded()
    }
    check(
      bytes, read: { try ChangeLogCoding.entries(in: $0, of: 1) },
      write: { CommitLog.record(of: ChangeLogCoding.encoded($0)) })
    bytes.withUnsafeBytes { raw in
      guard let element = try? Element(decoding: raw) else { return }
      let written = element.encoded()
      // The encodings are compared, because some numbers are not equal to themselves.
      let again = written.withUnsafeBytes { try? Element(decoding: $0).encoded() }
      precondition(again == written, "an element changes when it is written and read")
    }
  }

  private static func check<Record: Equatable>(
    _ bytes: [UInt8], read: (UnsafeRawBufferPointer) throws -> Record,
    write: (Record) -> [UInt8]
  ) {
    guard let record = try? bytes.withUnsafeBytes(read) else { return }
    let again = try? write(record).withUnsafeBytes(read)
    precondition(again == record, "\(record) changes when it is written and read")
  }

  static func readCollections(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      // No collection holds geometries or boxes.
      for type in ValueType.allCases where !type.isGeometry && type != .box {
        for kind in [CollectionKind.list, .set, .map] {
          let column = ColumnSchema(
            id: 0, name: "", type: type, collection: kind, isOptional: true, position: 0)
          let isSound = CollectionValidator.fault(raw, column: column) == nil
          let values = values(raw, column: column)
          // Keeps the optimizer from dropping the reads.
          withExtendedLifetime(values) {}
          if isSound, type != .mixed, raw.count > 0 { check(values, column: column) }
        }
      }
    }
  }

  private static func values(
    _ raw: UnsafeRawBufferPointer, column: ColumnSchema
  ) -> [(key: String, value: Value)] {
    let isMap = column.collection == .map
    let collection = StoredCollection(raw, of: column.type, isMap: isMap)
    return (0..<min(collection.count, 1000)).map {
      (key: isMap ? collection.keyText(at: $0) : "", value: collection.value(at: $0))
    }
  }

  /// A collection that `verify` accepts is read back as it was written.
  private static func check(_ entries: [(key: String, value: Value)], column: ColumnSchema) {
    guard entries.count < 1000 else { return }
    let written = encoded(entries, column: column)
    written.withUnsafeBytes { raw in
      precondition(
        CollectionValidator.fault(raw, column: column) == nil, "\(entries) are written incorrectly")
      let again = values(raw, column: column)
      // An invalid point is not equal to itself, but its bytes are.
      let isSame = column.type == .point || again.map(\.value) == entries.map(\.value)
      precondition(
        isSame && again.map(\.key) == entries.map(\.key)
          && encoded(again, column: column) == written,
        "\(entries) are written and read as \(again)")
    }
  }

  private static func encoded(
    _ entries: [(key: String, value: Value)], column: ColumnSchema
  ) -> [UInt8] {
    switch column.collection {
    case .map: StoredCollection.encode(map: entries, of: column.type)
    case .set: StoredCollection.encode(set: entries.map(\.value), of: column.type)
    default: StoredCollection.encode(entries.map(\.value), of: column.type)
    }
  }
}
