import CairnIndex

/// The R-tree of one column of locations or boxes: runs that together hold every row that is not null.
package struct SpatialIndex<Entry: SpatialEntry> {
  /// Runs whose leaf entries are the column itself.
  package let baseRuns: [BaseRun]
  /// Runs of rows that were inserted or changed one by one.
  package let deltaRuns: [DeltaRun]
  /// Whether delta entries must be checked against the column with `isCurrent`, because rows have
  /// changed or were deleted since.
  package let deltaMayBeStale: Bool
  /// Keys that this and earlier write transactions touched, in rising order, for individual checks.
  /// The runs do not cover them: the rows are deleted in base runs and outdated in delta runs.
  package let pending: [Int]
  let touched: RowBitmaps

  /// A run of consecutive rows in Hilbert order.
  package struct BaseRun {
    /// The rows, from a chunk boundary on. Position p of the tree is row `rows.lowerBound + p`.
    package let rows: Range<Int>
    /// The R-tree over the rows.
    package let tree: RTree<Entry.Block>
    /// The rows that the run no longer covers, because they were deleted, changed or touched by the open
    /// transaction.
    package let tombstones: TombstoneBitmap
  }

  /// A run of entries.
  package struct DeltaRun {
    /// The R-tree over the entries.
    package let tree: RTree<Entry.Block>
    /// The rows of the entries, by the position in the tree.
    package let keys: DeltaKeys
  }
}

/// The keys of a delta run, read in place. Valid while the snapshot is.
package struct DeltaKeys {
  /// The keys of each block.
  private let blocks: [UnsafePointer<Int64>]
  /// The number of entries.
  package let count: Int

  init(_ blocks: [UnsafePointer<Int64>], count: Int) {
    self.blocks = blocks
    self.count = count
  }

  /// Returns the key of the entry at a position.
  package subscript(position: Int) -> Int {
    assert(position >= 0 && position < count, "the run does not have the entry")
    return Int(blocks[RowAddress(position).chunk][RowAddress(position).row])
  }
}
