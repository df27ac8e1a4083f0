import CairnGeometry
import CairnIndex

/// The R-tree of one location: runs that together hold every row with a location.
package struct SpatialIndex {
  /// Runs whose leaf entries are the location column itself.
  package let baseRuns: [BaseRun]
  /// Runs of rows that were inserted or moved one by one.
  package let deltaRuns: [DeltaRun]
  /// Whether delta entries must be checked against the column, because rows have moved or were
  /// deleted since.
  package let deltaMayBeStale: Bool
  /// Keys that this and earlier write transactions touched, in rising order, for individual checks.
  /// The runs do not cover them: the rows are deleted in base runs and outdated in delta runs.
  package let pending: [Int]
  let touched: RowBitmaps

  /// A run of consecutive rows in Hilbert order of their locations.
  package struct BaseRun {
    /// The rows, from a chunk boundary on. Position p of the tree is row `rows.lowerBound + p`.
    package let rows: Range<Int>
    /// The R-tree over the rows.
    package let tree: RTree
    let marks: TombstoneBitmap

    /// Whether any row of the run is deleted from it.
    package var hasDeletedRows: Bool { !marks.isEmpty }

    /// Returns the number of rows among `rows` that the run no longer covers, because they were
    /// deleted, moved or touched by the open transaction.
    package func deletedCount(in rows: Range<Int>) -> Int { marks.count(in: rows) }

    /// Returns the tombstone bitmap of a chunk of the class, 64 words in which a set bit is a row
    /// that the run no longer covers; nil if there are no such rows. It is valid while the index and
    /// its snapshot are.
    package func tombstones(chunk: Int) -> UnsafePointer<UInt64>? { marks.words(chunk: chunk) }
  }

  /// A run of (location, key) entries.
  package struct DeltaRun {
    /// The R-tree over the entries.
    package let tree: RTree
    /// The number of entries.
    package var count: Int { tree.count }
    let blocks: [DeltaBlock]

    /// Returns the location of the entry at a position of the tree, as it was when the run was
    /// written.
    func point(at position: Int) -> (longitude: Double, latitude: Double) {
      blocks[RowAddress(position).chunk].points.point(at: RowAddress(position).row)
    }

    /// Returns the key of the entry at a position of the tree.
    package func key(at position: Int) -> Int {
      blocks[RowAddress(position).chunk].key(RowAddress(position).row)
    }
  }
}
