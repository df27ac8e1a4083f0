import CairnSystem
import CairnValues

/// One property of a class in one snapshot: its chunks and their zones.
///
/// Confined to the thread of its snapshot. Any thread may read the chunks that it returns while the
/// snapshot lives.
package final class Column {
  /// The schema of the property.
  package let schema: ColumnSchema
  private let table: UInt32
  private let state: TableState
  private let transaction: LMDBTransaction
  private let overlay: TableOverlay?
  /// The computation of the rows; nil for a stored column.
  private let computation: ColumnComputation?
  /// One past the highest key of the class, for a computed column.
  private let endKey: Int
  /// The chunks that were looked up before, and whether each was: memory for `storedCount` chunks that
  /// is valid while the column lives.
  @usableFromInline let cached: UnsafeMutablePointer<Chunk>
  @usableFromInline let isCached: UnsafeMutablePointer<Bool>
  /// The number of chunks that the cache can return directly: 0 if a transaction may overlay them,
  /// or if several threads read the column.
  @usableFromInline let cacheableCount: Int
  let storedCount: Int
  /// Guards the cached lookups; nil if only one thread reads the column.
  private let lock: Lock?
  /// The most recently read zone segment, valid until the snapshot ends.
  private var zones: (extent: UInt32, segment: Int, bytes: UnsafeRawBufferPointer)?
  /// The chunks with large values that were looked up.
  private var resolvedRows: [Int: ResolvedRows] = [:]
  private lazy var absent = ChunkBuffer.absent(schema)

  init(schema: ColumnSchema, table: Table) {
    self.schema = schema
    self.table = table.schema.id
    state = table.state
    transaction = table.transaction
    overlay = table.overlay
    let first = table.schema.columns.count - table.computations.count
    computation = schema.position < first ? nil : table.computations[schema.position - first]
    endKey = table.state.endKey
    lock = table.set.lock
    storedCount = table.storedChunkCount
    cacheableCount = overlay == nil && lock == nil && computation == nil ? storedCount : 0
    cached = .allocate(capacity: max(storedCount, 1))
    isCached = .allocate(capacity: max(storedCount, 1))
    isCached.initialize(repeating: false, count: max(storedCount, 1))
  }

  deinit {
    cached.deallocate()
    isCached.deallocate()
  }

  /// Returns the rows of a chunk. A chunk that was never written reads as nulls, or as default
  /// values if the column is not optional. In a write transaction, the chunk is valid until the next
  /// change of its rows.
  @inlinable
  package func chunk(_ index: Int) -> Chunk {
    if UInt(bitPattern: index) < UInt(bitPattern: cacheableCount), isCached[index] {
      return cached[index]
    }
    return lookUp(index)
  }

  @usableFromInline
  func lookUp(_ index: Int) -> Chunk {
    if let computation {
      let rows = min(ChunkShape.rows, endKey - RowAddress.firstKey(ofChunk: index))
      return computation.chunk(index, of: schema, rows: rows)
    }
    if let overlay {
      if let buffer = overlay.buffer(schema.position, chunk: index) {
        guard buffer.memory.hasReferences else { return buffer.view }
        return resolved(buffer.view, chunk: index, edits: buffer.memory.edits)
      }
      if let derived = derivation(of: index) { return derived.chunk(index) }
    }
    guard let lock else { return lookUpChunk(index) }
    return lock.withLock { lookUpChunk(index) }
  }

  private func lookUpChunk(_ index: Int) -> Chunk {
    guard index >= 0, index < storedCount else { return absent.view }
    if isCached[index] { return cached[index] }
    if overlay != nil, SharedWork.isRunning, let known = resolvedRows[index]?.latest {
      return known
    }
    var chunk = stored(index) ?? absent.view
    if chunk.hasReferences {
      chunk = resolved(chunk, chunk: index, edits: 0)
      // A transaction may edit the chunk, and its rows are then resolved in the same memory.
      if overlay != nil { return chunk }
    }
    keep(chunk, index)
    return chunk
  }

  private func keep(_ chunk: Chunk, _ index: Int) {
    cached[index] = chunk
    isCached[index] = true
  }

  /// Returns the derivation of a chunk; nil for a chunk that is not derived from another column.
  private func derivation(of index: Int) -> ColumnDerivation? {
    guard let overlay, !overlay.derived.isEmpty, index < storedCount else { return nil }
    return overlay.derived[schema.position]
  }

  /// Returns the chunk of a row for reading only that row: the others may be unresolved. It is valid until
  /// the next call. So a few reads take no longer in a chunk with many large values.
  package func chunk(forRow key: Int) -> Chunk {
    let address = RowAddress(key)
    return rowOnly(address) ?? chunk(address.chunk)
  }

  /// Returns a chunk in which only that row is resolved; nil if the whole chunk is resolved already, or
  /// has been read often enough to resolve it. It is valid until the next call.
  package func rowOnly(_ address: RowAddress) -> Chunk? {
    guard lock == nil, !SharedWork.isRunning, schema.layout == .bytes, computation == nil
    else { return nil }
    let (source, edits): (Chunk, Int)
    if let buffer = overlay?.buffer(schema.position, chunk: address.chunk) {
      guard buffer.memory.hasReferences else { return nil }
      (source, edits) = (buffer.view, buffer.memory.edits)
    } else {
      guard derivation(of: address.chunk) == nil, address.chunk >= 0, address.chunk < storedCount,
        !isCached[address.chunk], let chunk = stored(address.chunk)
      else { return nil }
      guard chunk.hasReferences else {
        keep(chunk, address.chunk)
        return nil
      }
      (source, edits) = (chunk, 0)
    }
    guard address.row < source.count else { return nil }
    let rows = resolvedRows(ofChunk: address.chunk)
    guard rows.current(for: source, edits: edits) == nil, rows.isSingleRead(edits: edits) else {
      return nil
    }
    var stored = storedLargeValues(ofChunk: address.chunk)
    return rows.chunk(of: source, row: address.row) { reference, row in
      largeValue(reference, chunk: address.chunk, row: row, stored: &stored)
    }
  }

  private func resolvedRows(ofChunk index: Int) -> ResolvedRows {
    if let known = resolvedRows[index] { return known }
    let made = ResolvedRows()
    resolvedRows[index] = made
    return made
  }

  /// Returns a chunk with its large values.
  private func resolved(_ chunk: Chunk, chunk index: Int, edits: Int) -> Chunk {
    // A transaction changes nothing while threads share a query, so what the query has prepared is
    // still right, and other threads may be reading it.
    if SharedWork.isRunning, let known = resolvedRows[index]?.latest { return known }
    let rows = resolvedRows(ofChunk: index)
    if let known = rows.current(for: chunk, edits: edits) { return known }
    var stored = storedLargeValues(ofChunk: index)
    return rows.chunk(of: chunk, edits: edits) { reference, row in
      largeValue(reference, chunk: index, row: row, stored: &stored)
    }
  }

  /// Returns the large value that a row of a chunk refers to: as the transaction has set it, or as the
  /// snapshot holds it.
  private func largeValue(
    _ reference: LargeReference, chunk index: Int, row: Int, stored: inout LargeValueReader?
  ) -> UnsafeRawBufferPointer? {
    let key = RowAddress.firstKey(ofChunk: index) + row
    return overlay?.largeValue(schema.position, at: key)?.bytes
      ?? stored?.value(reference, row: row)
  }

  /// Returns the reader of the large values of a chunk as the snapshot holds them; nil for a chunk that
  /// was never written.
  func storedLargeValues(ofChunk index: Int) -> LargeValueReader? {
    guard index < storedCount else { return nil }
    let (extent, number) = state.storage(ofChunk: index)
    return LargeValueReader(
      LargeValueKeys(table: table, column: schema.id, extent: extent), chunk: number,
      in: transaction)
  }

  /// Returns a chunk as the snapshot holds it, without a transaction's changes and large values; nil
  /// if it was never written.
  func stored(_ index: Int) -> Chunk? {
    guard index < storedCount else { return nil }
    let (extent, number) = state.storage(ofChunk: index)
    return transaction.chunk(.chunk(table, column: schema.id, extent: extent, chunk: number))
  }

  /// Returns the rows of a chunk with the references to large values, valid like those of `chunk`.
  func unresolved(_ index: Int) -> Chunk {
    if let buffer = overlay?.buffer(schema.position, chunk: index) { return buffer.view }
    return derivation(of: index)?.chunk(index) ?? storedOrAbsent(index)
  }

  /// Returns a chunk as the snapshot holds it, or the chunk of absent rows if it was never written.
  func storedOrAbsent(_ index: Int) -> Chunk { stored(index) ?? absent.view }

  /// Returns the zone of a chunk without reading the chunk.
  package func zone(_ index: Int) -> Zone {
    if let overlay, overlay.buffer(schema.position, chunk: index) != nil { return .unknown }
    guard index < storedCount, computation == nil else { return .unknown }
    let (extent, number) = state.storage(ofChunk: index)
    let segment = number / Zone.perSegment
    let found =
      lock.map { $0.withLock { zoneSegment(extent, segment: segment) } }
      ?? zoneSegment(extent, segment: segment)
    let start = (number % Zone.perSegment) * Zone.size
    guard let found, let base = found.baseAddress, start + Zone.size <= found.count else {
      return .unknown
    }
    return Zone(reading: base + start) ?? .unknown
  }

  /// Returns a segment of the zone table, valid until the snapshot ends.
  private func zoneSegment(_ extent: UInt32, segment: Int) -> UnsafeRawBufferPointer? {
    if let zones, zones.extent == extent, zones.segment == segment { return zones.bytes }
    guard
      let bytes = transaction.get(
        .zones(table, column: schema.id, extent: extent, segment: segment))
    else { return nil }
    zones = (extent, segment, bytes)
    return bytes
  }
}

extension ChunkBuffer {
  /// Returns the 4096 rows of a chunk that was never written.
  static func absent(_ schema: ColumnSchema) -> ChunkBuffer {
    absent(schema, rows: ChunkShape.rows)
  }

  /// Returns rows that were never written: nulls, or default values if the column is not optional.
  static func absent(_ schema: ColumnSchema, rows: Int) -> ChunkBuffer {
    let buffer = ChunkBuffer(layout: schema.layout)
    buffer.count = rows
    if schema.isNullable {
      for row in 0..<rows { buffer.setNull(true, at: row) }
    } else if schema.storedType == .decimal128 {
      // All-zero bytes are a zero with another exponent than the default value's.
      for row in 0..<rows { buffer.set(.defaultValue(of: .decimal128), at: row) }
    }
    return buffer
  }
}
