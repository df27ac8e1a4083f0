import CairnGeometry
import CairnIndex
import CairnValues

/// One row of a delta run: a location or a box, and the key of its row.
protocol SpatialEntry {
  /// The entries of up to 4096 rows as they are stored.
  associatedtype Block: SpatialBlock where Block.Entry == Self

  /// The key of the row.
  var key: Int { get }
  /// The position on the Hilbert curve.
  var hilbertKey: UInt64 { get }
  /// Makes the entry of a row that is not null.
  init(_ chunk: Chunk, row: Int, key: Int)
  /// Returns whether a row that is not null still has this location or box.
  func matches(_ chunk: Chunk, row: Int) -> Bool
}

/// A block of entries of a delta run, read in place.
protocol SpatialBlock {
  /// The type of the entries.
  associatedtype Entry: SpatialEntry

  /// Returns nil if the block is missing or leads outside of its bytes, which must outlive it.
  init?(_ bytes: UnsafeRawBufferPointer?)
  /// The number of entries.
  var count: Int { get }
  /// The leaves over the entries.
  var leaves: [Envelope] { get }
  /// Returns the entry at an index.
  func entry(_ index: Int) -> Entry
  /// The fault of an entry that no writer makes, or nil if it is sound.
  func fault(at index: Int) -> String?
  /// Encodes a block.
  static func encoded(_ entries: ArraySlice<Entry>) -> [UInt8]
}

extension ColumnSchema {
  /// The type of the entries of the column's R-tree.
  var entryType: any SpatialEntry.Type { type == .box ? BoxEntry.self : DeltaEntry.self }
}

extension SpatialBlock {
  /// Returns nil unless the block is one that the store writes, with at least one entry.
  init?(checking bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= ChunkShape.minimumSize else { return nil }
    self.init(bytes)
    guard count > 0 else { return nil }
  }
}

extension SpatialEntry {
  /// Returns the entries of an encoded chunk, whose rows have keys from `first` on.
  static func all(in chunk: Chunk, firstKey first: Int) -> [Self] {
    (0..<chunk.count).filter { !chunk.isNull($0) }.map { Self(chunk, row: $0, key: first + $0) }
  }
}
