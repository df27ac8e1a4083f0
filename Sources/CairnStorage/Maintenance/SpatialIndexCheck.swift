import CairnGeometry
import CairnIndex
import CairnSystem
import CairnValues

/// Compares the R-tree of a column of points or boxes with the column: each live row that is not
/// null has exactly one valid entry, and it lies within every node above the entry.
struct SpatialIndexCheck<Entry: IndexedEntry> {
  private let check: TableCheck
  private let column: ColumnSchema
  private var table: Table { check.table }

  init(_ check: TableCheck, column: ColumnSchema, _ type: Entry.Type) {
    self.check = check
    self.column = column
  }

  func run() {
    let runs = table.state.spatialRuns.filter { $0.column == column.id }
    for run in runs {
      if let fault = run.isBaseRun ? baseRunFault(run) : deltaRunFault(run) {
        return note(fault)
      }
    }
    guard let index = Entry.index(of: table, column.position) else {
      return note("a run has lost a part")
    }
    // Coverage comes first, so that the nodes are compared with existing rows only.
    if let fault = coverageObjection(index) { return note(fault) }
    for run in index.baseRuns {
      if let fault = fault(to: run) { return note(fault) }
    }
    for run in index.deltaRuns {
      do { try run.tree.checkInvariants() } catch { return note(error.description) }
    }
  }

  /// The fault that keeps a base run from being read, or nil if the run is sound.
  private func baseRunFault(_ run: SpatialRun) -> String? {
    guard run.firstRow % ChunkShape.rows == 0, run.count > 0, run.firstRow <= table.endKey,
      run.count <= table.endKey - run.firstRow
    else { return "a run is invalid" }
    let chunks =
      RowAddress(run.firstRow).chunk...RowAddress(run.firstRow + run.count - 1).chunk
    let deleted = run.deletedCounts.map(\.chunk)
    guard deleted == Set(deleted).sorted(), deleted.allSatisfy(chunks.contains) else {
      return "a run is invalid"
    }
    for entry in run.deletedCounts {
      let key = StorageKey.runTombstones(
        table.id, column: column.id, run: run.id, chunk: entry.chunk)
      guard let marks = table.transaction.get(key).flatMap(BitmapValidator.init),
        marks.count == entry.count,
        marks.isEmpty(from: run.firstRow + run.count - entry.chunk * ChunkShape.rows)
      else { return "the tombstone bitmap is invalid" }
    }
    return nodesObjection(run)
  }

  /// The fault that keeps a delta run from being read, or nil if the run is sound.
  private func deltaRunFault(_ run: SpatialRun) -> String? {
    guard run.count > 0 else { return "a run is invalid" }
    var left = run.count
    var number = 0
    while left > 0 {
      let key = StorageKey.runEntries(table.id, column: column.id, run: run.id, block: number)
      guard let bytes = table.transaction.get(key), let block = DeltaBlock<Entry>(checking: bytes),
        block.count == min(left, ChunkShape.rows)
      else { return "a part of a run is missing or damaged" }
      for entry in Entry.entries(of: block) {
        guard entry.key >= 0, entry.key < table.endKey else {
          return "refers to object \(entry.key), which never existed"
        }
        if let fault = entry.fault { return fault }
      }
      left -= block.count
      number += 1
    }
    return nodesObjection(run)
  }

  /// The fault of a run whose nodes are not all stored, or nil if they are.
  private func nodesObjection(_ run: SpatialRun) -> String? {
    for (level, size) in TreeNodes.levelSizes(count: run.count).enumerated() {
      for segment in 0..<(size + TreeNodes.segmentSize - 1) / TreeNodes.segmentSize {
        let nodes = min(TreeNodes.segmentSize, size - segment * TreeNodes.segmentSize)
        let key = StorageKey.runNodes(
          table.id, column: column.id, run: run.id, level: level, segment: segment)
        guard let bytes = table.transaction.get(key),
          bytes.count >= nodes * MemoryLayout<Envelope>.size
        else { return "a part of a run is missing" }
      }
    }
    return nil
  }

  /// The fault in the nodes of a base run, or nil if they are sound. Deleted rows may lie outside
  /// of their nodes.
  private func fault(to run: SpatialIndex<Entry>.BaseRun) -> String? {
    do {
      if run.tombstones.isEmpty {
        try run.tree.checkInvariants()
      } else {
        try run.tree.checkInvariants { !isDead(run.rows.lowerBound + $0, in: run) }
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// The fault in the set of rows that the runs cover, or nil if the set is right.
  private func coverageObjection(_ index: SpatialIndex<Entry>) -> String? {
    var inBaseRuns = BitSet(count: table.endKey)
    for run in index.baseRuns {
      for key in run.rows where !isDead(key, in: run) {
        guard hasLocation(key) else { return "covers object \(key), which has no location" }
        guard inBaseRuns.insert(key) else { return "covers object \(key) twice" }
      }
    }
    var inDeltaRuns = BitSet(count: table.endKey)
    let isStale = table.state.deltaIsStale
    // The runs do not cover these rows; their entries for them mean nothing.
    let unindexed = Set(index.pending)
    for run in table.state.spatialRuns where run.column == column.id && !run.isBaseRun {
      for entry in (Entry.blocks(of: run, in: table) ?? []).lazy.flatMap(Entry.entries) {
        let key = entry.key
        if unindexed.contains(key), key < table.state.indexedEnd { continue }
        let isTrue = entry.isCurrent(in: table, column.position)
        let isNew =
          isTrue && !inBaseRuns.contains(key) && !unindexed.contains(key) && inDeltaRuns.insert(key)
        guard isNew || (isStale && !inBaseRuns.contains(key)) || !isTrue else {
          return "covers object \(key) twice"
        }
        guard isTrue || isStale else {
          return "covers object \(key) at a wrong location"
        }
      }
    }
    let missing = (0..<table.endKey).first {
      hasLocation($0) && !inBaseRuns.contains($0) && !inDeltaRuns.contains($0)
        && !unindexed.contains($0)
    }
    return missing.map { "object \($0) cannot be found by its location" }
  }

  private func isDead(_ key: Int, in run: SpatialIndex<Entry>.BaseRun) -> Bool {
    guard let deleted = run.tombstones.words(chunk: RowAddress(key).chunk) else { return false }
    return deleted.isSet(RowAddress(key).row)
  }

  private func hasLocation(_ key: Int) -> Bool {
    table.isLive(key)
      && !table.column(column.position).chunk(RowAddress(key).chunk)
        .isNull(RowAddress(key).row)
  }

  private func note(_ message: String) {
    check.note(.index, column: column, chunk: nil, message: "its R-tree is damaged: \(message)")
  }
}
