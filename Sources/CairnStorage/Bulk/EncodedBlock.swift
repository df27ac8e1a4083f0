import CairnGeometry
import CairnIndex

/// An encoded block of a bulk load, ready to be written.
struct EncodedBlock: Sendable {
  /// The index of its first row in the load.
  let firstRow: Int
  let rowCount: Int
  /// The chunks in write order.
  private(set) var chunks: [EncodedChunk] = []
  /// The R-tree leaves over the block, by column.
  private(set) var leaves: [Int: [Envelope]] = [:]
  /// The words of the columns with a full-text index, by column.
  var texts: [Int: TextBlock] = [:]
  /// The source ordinal of each row; empty if the load does not keep them.
  var ordinals: [UInt64] = []

  init(firstRow: Int, rowCount: Int) {
    self.firstRow = firstRow
    self.rowCount = rowCount
  }

  mutating func append(_ chunk: EncodedChunk, hasLeaves: Bool) {
    chunks.append(chunk)
    guard hasLeaves else { return }
    // Rows without a location come last, and no leaf covers them.
    let rows = Int(chunk.bytes.withUnsafeBytes { $0.load(fromByteOffset: 4, as: UInt32.self) })
    leaves[chunk.column, default: []] += SpatialLeaves.leaves(
      of: chunk.bytes, first: rows - Int(chunk.zone.nullCount))
  }
}

extension EncodedBlock {
  struct EncodedChunk: Sendable {
    let column: Int
    /// The index of the chunk within the block.
    let index: Int
    let bytes: [UInt8]
    let zone: Zone
    /// The large values, which rows refer to, in the order of the rows.
    let largeRows: [LargeRow]

    /// Encodes a chunk.
    ///
    /// - Parameter largeRows: The large values that rows refer to, in the order of the rows.
    init(_ buffer: ChunkBuffer, _ largeRows: [LargeRow], column: Int, index: Int) {
      (bytes, zone) = ChunkEncoder.encode(buffer)
      self.largeRows = largeRows
      self.column = column
      self.index = index
    }

    /// Calls `body` with a chunk and each of its rows. Only that row may be read, during the call.
    func forEachRow(
      _ spill: SpillFile, _ body: (Chunk, Int) -> Void
    ) throws(StoreError) {
      try bytes.withTypedBytes { (bytes) throws(StoreError) in
        guard let base = bytes.baseAddress, let view = Chunk(encoded: base, size: bytes.count)
        else {
          return
        }
        let resolved = ResolvedRows()
        defer { withExtendedLifetime(resolved) {} }
        var next = 0
        for row in 0..<view.count {
          guard next < largeRows.count, largeRows[next].row == row else {
            body(view, row)
            continue
          }
          let value = try largeRows[next].value.read(from: spill)
          next += 1
          withExtendedLifetime(value) {
            body(resolved.chunk(of: view, row: row) { _, _ in value.bytes }, row)
          }
        }
      }
    }
  }
}

/// A row with a large value.
struct LargeRow: Sendable {
  let row: Int
  let value: LargeValue
}

/// A value that a row of a load refers to.
enum LargeValue: Sendable {
  case owned(OwnedBytes)
  case spilled(SpilledValue)

  /// - Parameters:
  ///   - spilled: Its place in the spill file; nil for a value that is copied.
  ///   - bytes: The value.
  init(_ spilled: SpilledValue?, _ bytes: UnsafeRawBufferPointer) {
    self = spilled.map { .spilled($0) } ?? .owned(OwnedBytes(bytes))
  }

  /// Returns the bytes, which are in memory or read from the spill file.
  func read(from spill: SpillFile) throws(StoreError) -> OwnedBytes {
    switch self {
    case .owned(let bytes): bytes
    case .spilled(let value): try value.read(from: spill)
    }
  }
}

/// A value in a spill file.
struct SpilledValue: Sendable {
  let offset: Int
  let size: Int

  /// Returns the value.
  func read(from spill: SpillFile) throws(StoreError) -> OwnedBytes {
    try OwnedBytes(count: size) { (bytes) throws(StoreError) in try spill.read(bytes, at: offset) }
  }
}
