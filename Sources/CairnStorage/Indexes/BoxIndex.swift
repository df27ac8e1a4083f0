import CairnGeometry
import CairnIndex

/// The R-tree over the boxes of geometries: runs that together hold every row whose geometry has a
/// vertex.
package struct BoxIndex {
  /// Runs whose leaf entries are the column of boxes itself.
  package let baseRuns: [BaseRun]
  /// Runs of rows that were inserted or changed one by one.
  package let deltaRuns: [DeltaRun]
  /// Whether delta entries must be checked against the column with `isCurrent`, because boxes have
  /// changed or rows were deleted since.
  package let deltaMayBeStale: Bool
  /// Keys that this and earlier write transactions touched, in rising order, for individual checks.
  /// The runs do not cover them: the rows are deleted in base runs and outdated in delta runs.
  package let pending: [Int]
  let touched: RowBitmaps

  /// A run of consecutive rows in Hilbert order of the centres of their boxes.
  package struct BaseRun {
    /// The rows, from a chunk boundary on. Position p of the tree is row `rows.lowerBound + p`.
    package let rows: Range<Int>
    /// The R-tree over the rows.
    package let tree: BoxTree
    let marks: TombstoneBitmap

    /// Whether any row of the run is deleted from it.
    package var hasDeletedRows: Bool { !marks.isEmpty }

    /// Returns the number of rows among `rows` that the run no longer covers, because they were
    /// deleted, changed or touched by the open transaction.
    package func deletedCount(in rows: Range<Int>) -> Int { marks.count(in: rows) }

    /// Returns the tombstone bitmap of a chunk of the class, 64 words in which a set bit is a row
    /// that the run no longer covers; nil if there are no such rows. It is valid while the index and
    /// its snapshot are.
    package func tombstones(chunk: Int) -> UnsafePointer<UInt64>? { marks.words(chunk: chunk) }
  }

  /// A run of (box, key) entries.
  package struct DeltaRun {
    /// The R-tree over the entries.
    package let tree: BoxTree
    /// The number of entries.
    package var count: Int { tree.count }
    let blocks: [BoxBlock]

    /// Returns the key of the entry at a position of the tree.
    package func key(at position: Int) -> Int {
      blocks[RowAddress(position).chunk].key(RowAddress(position).row)
    }

    /// Returns the box of the entry at a position of the tree, as it was when the run was written.
    package func box(at position: Int) -> Envelope {
      blocks[RowAddress(position).chunk].box(RowAddress(position).row)
    }
  }
}
