import CairnIndex
import CairnValues

/// An entry with the functions that need a table.
///
/// Generic code is specialised only in this module. So what other modules call for each row or query is
/// a requirement, which each type has of its own.
package protocol IndexedEntry: SpatialEntry {
  /// Returns whether a column has an R-tree over entries of this type.
  static func isIndexed(_ column: ColumnSchema) -> Bool
  /// Returns the R-tree of a column; nil for a column of another type, and for an index that the open
  /// transaction will build.
  static func index(of table: Table, _ position: Int) -> SpatialIndex<Self>?
  /// Returns whether an entry of a delta run still matches its row.
  static func isCurrent(
    _ position: Int, of run: SpatialIndex<Self>.DeltaRun, in table: Table, _ column: Int
  ) -> Bool
}

extension PointEntry: IndexedEntry {
  package static func isIndexed(_ column: ColumnSchema) -> Bool { column.isPoint }

  package static func index(of table: Table, _ position: Int) -> SpatialIndex<PointEntry>? {
    table.spatialIndex(position, known: &table.pointIndexes)
  }

  package static func isCurrent(
    _ position: Int, of run: SpatialIndex<PointEntry>.DeltaRun, in table: Table, _ column: Int
  ) -> Bool {
    run.isCurrent(position, in: table, column)
  }
}

extension BoxEntry: IndexedEntry {
  package static func isIndexed(_ column: ColumnSchema) -> Bool { column.type == .box }

  package static func index(of table: Table, _ position: Int) -> SpatialIndex<BoxEntry>? {
    table.spatialIndex(position, known: &table.boxIndexes)
  }

  package static func isCurrent(
    _ position: Int, of run: SpatialIndex<BoxEntry>.DeltaRun, in table: Table, _ column: Int
  ) -> Bool {
    run.isCurrent(position, in: table, column)
  }
}

extension ColumnSchema {
  /// The type of the entries of the column's R-tree.
  package var entryType: any IndexedEntry.Type { type == .box ? BoxEntry.self : PointEntry.self }
}

extension SpatialIndex where Entry: IndexedEntry {
  /// Returns whether an entry of a delta run still matches its row.
  package func isCurrent(
    _ position: Int, of run: DeltaRun, in table: Table, _ column: Int
  ) -> Bool {
    guard deltaMayBeStale else { return true }
    return !touched.contains(run.keys[position])
      && Entry.isCurrent(position, of: run, in: table, column)
  }
}

extension SpatialIndex.DeltaRun {
  /// Returns whether the row of an entry still has the location or box that it had when the run was
  /// written.
  fileprivate func isCurrent(_ position: Int, in table: Table, _ column: Int) -> Bool {
    let (block, index) = tree.entry(at: position)
    return Entry(block, at: index, key: keys[position]).isCurrent(in: table, column)
  }
}
