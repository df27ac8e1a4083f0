import CairnValues

/// One property of a class in one snapshot: its chunks and their zones.
///
/// Confined to the thread of its snapshot; the chunks that it returns may be read by any thread
/// for as long as the snapshot lives.
package final class Column {
  package let schema: ColumnSchema
  private let table: UInt32
  private let state: TableState
  private let transaction: LMDBTransaction
  private let overlay: TableOverlay?
  /// Chunks that were looked up before, and whether they were.
  @usableFromInline let known: UnsafeMutablePointer<Chunk>
  @usableFromInline let isKnown: UnsafeMutablePointer<Bool>
  /// How many of them can be taken as they are: none while a transaction may lie over them, or for several threads.
  @usableFromInline let lastingCount: Int
  let storedCount: Int
  /// Held while it remembers what it read; nil where one thread alone reads it.
  private let lock: Lock?
  /// The zone segment that was read last.
  private var zones: (extent: UInt32, segment: Int, bytes: UnsafeRawBufferPointer)?
  private lazy var absent = ChunkBuffer.absent(schema)

  init(schema: ColumnSchema, table: Table) {
    self.schema = schema
    self.table = table.schema.id
    state = table.state
    transaction = table.transaction
    overlay = table.overlay
    lock = table.set.lock
    storedCount = table.storedChunkCount
    lastingCount = overlay == nil && lock == nil ? storedCount : 0
    known = .allocate(capacity: max(storedCount, 1))
    isKnown = .allocate(capacity: max(storedCount, 1))
    isKnown.initialize(repeating: false, count: max(storedCount, 1))
  }

  deinit {
    known.deallocate()
    isKnown.deallocate()
  }

  /// The rows of a chunk. One that was never written reads as nulls, or defaults where null is not allowed.
  @inlinable
  package func chunk(_ index: Int) -> Chunk {
    if UInt(bitPattern: index) < UInt(bitPattern: lastingCount), isKnown[index] {
      return known[index]
    }
    return lookUp(index)
  }

  @usableFromInline
  func lookUp(_ index: Int) -> Chunk {
    if let overlay {
      if let buffer = overlay.buffer(schema.position, index) { return buffer.view }
      if !overlay.derived.isEmpty, index < storedCount,
        let derived = overlay.derived[schema.position]
      {
        return derived.chunk(index)
      }
    }
    guard let lock else { return rememberedChunk(index) }
    return lock.withLock { rememberedChunk(index) }
  }

  private func rememberedChunk(_ index: Int) -> Chunk {
    guard index >= 0, index < storedCount else { return absent.view }
    if isKnown[index] { return known[index] }
    let chunk = stored(index) ?? absent.view
    known[index] = chunk
    isKnown[index] = true
    return chunk
  }

  /// A chunk as the snapshot holds it, whatever a transaction has made of it; nil when there is none.
  func stored(_ index: Int) -> Chunk? {
    guard index < storedCount else { return nil }
    let (extent, number) = state.storage(ofChunk: index)
    return transaction.chunk(.chunk(table, schema.id, extent, number))
  }

  /// The same, of one that was never written as it reads.
  func storedOrAbsent(_ index: Int) -> Chunk { stored(index) ?? absent.view }

  /// What is known of a chunk without touching it.
  package func zone(_ index: Int) -> Zone {
    if let overlay, overlay.buffer(schema.position, index) != nil { return .unknown }
    guard index < storedCount else { return .unknown }
    let (extent, number) = state.storage(ofChunk: index)
    let segment = number / Zone.perSegment
    let found =
      lock.map { $0.withLock { zoneSegment(extent, segment) } } ?? zoneSegment(extent, segment)
    let start = (number % Zone.perSegment) * Zone.size
    guard let found, let base = found.baseAddress, start + Zone.size <= found.count else {
      return .unknown
    }
    return Zone(reading: base + start) ?? .unknown
  }

  private func zoneSegment(_ extent: UInt32, _ segment: Int) -> UnsafeRawBufferPointer? {
    if let zones, zones.extent == extent, zones.segment == segment { return zones.bytes }
    guard let bytes = transaction.get(.zones(table, schema.id, extent, segment)) else { return nil }
    zones = (extent, segment, bytes)
    return bytes
  }
}

extension Zone {
  /// Reads a zone where it stands in a zone table; nil when the chunk was never written.
  init?(reading base: UnsafeRawPointer) {
    self.init(
      minimum: base.loadUnaligned(as: Int64.self),
      maximum: base.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    nullCount = base.loadUnaligned(fromByteOffset: 16, as: Int32.self)
    flags = base.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
    if flags & Zone.isWrittenFlag == 0 { return nil }
  }

  /// Writes the zone into a zone table.
  func write(to base: UnsafeMutableRawPointer) {
    base.storeBytes(of: minimum, as: Int64.self)
    base.storeBytes(of: maximum, toByteOffset: 8, as: Int64.self)
    base.storeBytes(of: nullCount, toByteOffset: 16, as: Int32.self)
    base.storeBytes(of: flags | Zone.isWrittenFlag, toByteOffset: 20, as: UInt32.self)
  }
}

extension ChunkBuffer {
  /// 4096 rows of a column that were never written.
  static func absent(_ schema: ColumnSchema) -> ChunkBuffer {
    absent(schema, rows: ChunkShape.rows)
  }

  /// Rows of a column that were never written: nulls, or blanks where null is not allowed.
  static func absent(_ schema: ColumnSchema, rows: Int) -> ChunkBuffer {
    let buffer = ChunkBuffer(layout: schema.layout)
    buffer.count = rows
    if schema.isNullable {
      for row in 0..<rows { buffer.setNull(true, at: row) }
    } else if schema.storedType == .decimal128 {
      // All zeros are a zero with an exponent of its own.
      for row in 0..<rows { buffer.set(.blank(.decimal128), at: row) }
    }
    return buffer
  }
}
