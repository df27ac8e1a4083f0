import CairnGeometry
import CairnIndex

/// A block of a bulk load, ready to be written.
struct EncodedBlock: Sendable {
  /// The number of its first row in the load.
  let firstRow: Int
  let rowCount: Int
  /// In the order in which they are written.
  private(set) var chunks: [EncodedChunk] = []
  /// Leaves of the R-tree over the block, by column.
  private(set) var leaves: [Int: [Envelope]] = [:]
  /// Where each row stood in the source, when that is kept.
  var ordinals: [UInt64] = []

  struct EncodedChunk: Sendable {
    let column: Int
    /// The chunk, counted from the start of the block.
    let index: Int
    let bytes: [UInt8]
    let zone: Zone
  }

  init(firstRow: Int, rowCount: Int) {
    self.firstRow = firstRow
    self.rowCount = rowCount
  }

  mutating func append(_ encoded: (bytes: [UInt8], zone: Zone), column: Int, leavesOf isPoint: Bool)
  {
    let index = (chunks.last?.column == column ? chunks[chunks.count - 1].index + 1 : 0)
    chunks.append(
      EncodedChunk(column: column, index: index, bytes: encoded.bytes, zone: encoded.zone))
    if isPoint { appendLeaves(encoded.bytes, column, nullCount: Int(encoded.zone.nullCount)) }
  }

  /// Rows without a location come last, and no leaf speaks for them.
  private mutating func appendLeaves(_ bytes: [UInt8], _ column: Int, nullCount: Int) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let chunk = Chunk(encoded: base, size: buffer.count)
      else { return }
      let points = chunk.points(first: chunk.count - nullCount)
      let count = (points.count + PointBlock.leafSize - 1) / PointBlock.leafSize
      leaves[column, default: []] += [Envelope](unsafeUninitializedCapacity: count) { made, size in
        if let first = made.baseAddress { RTree.leafEnvelopes(of: points, into: first) }
        size = count
      }
    }
  }
}
