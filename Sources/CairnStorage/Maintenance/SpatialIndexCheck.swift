import CairnGeometry
import CairnIndex
import CairnSystem
import CairnValues

/// Compares the R-tree of a column of points or boxes with the column: each live row that is not
/// null has exactly one valid entry, and it lies within every node above the entry.
struct SpatialIndexCheck<Entry: SpatialEntry> {
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
    guard let index = CheckedIndex(table, position: column.position) else {
      return note("a run has lost a part")
    }
    // Coverage comes first, so that the nodes are compared with existing rows only.
    if let fault = coverageObjection(index) { return note(fault) }
    for run in index.baseRuns {
      if let fault = fault(to: run) { return note(fault) }
    }
    for tree in index.deltaTrees {
      do { try tree.checkInvariants() } catch { return note(error.description) }
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
    var block = 0
    while left > 0 {
      let key = StorageKey.runEntries(table.id, column: column.id, run: run.id, block: block)
      guard let bytes = table.transaction.get(key), let entries = Entry.Block(checking: bytes),
        entries.count == min(left, ChunkShape.rows)
      else { return "a part of a run is missing or damaged" }
      for index in 0..<entries.count {
        let key = entries.entry(index).key
        guard key >= 0, key < table.endKey else {
          return "refers to object \(key), which never existed"
        }
        if let fault = entries.fault(at: index) { return fault }
      }
      left -= entries.count
      block += 1
    }
    return nodesObjection(run)
  }

  /// The fault of a run whose nodes are not all stored, or nil if they are.
  private func nodesObjection(_ run: SpatialRun) -> String? {
    for (level, size) in RTree.levelSizes(count: run.count).enumerated() {
      for segment in 0..<(size + RTree.segmentSize - 1) / RTree.segmentSize {
        let nodes = min(RTree.segmentSize, size - segment * RTree.segmentSize)
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
  private func fault(to run: CheckedIndex.BaseRun) -> String? {
    do {
      if run.marks.isEmpty {
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
  private func coverageObjection(_ index: CheckedIndex) -> String? {
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
      for entry in (Entry.blocks(of: run, in: table) ?? []).lazy.flatMap(\.entries) {
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

  private func isDead(_ key: Int, in run: CheckedIndex.BaseRun) -> Bool {
    guard let deleted = run.marks.words(chunk: RowAddress(key).chunk) else { return false }
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

extension SpatialBlock {
  /// The entries in order.
  fileprivate var entries: some Sequence<Entry> { (0..<count).lazy.map(entry) }
}

/// The parts of an index that are checked in the same way for points and boxes.
private struct CheckedIndex {
  typealias BaseRun = (rows: Range<Int>, marks: TombstoneBitmap, tree: any PackedTree)

  let baseRuns: [BaseRun]
  let deltaTrees: [any PackedTree]
  let pending: [Int]

  init?(_ table: Table, position: Int) {
    if let index = table.spatialIndex(position) {
      baseRuns = index.baseRuns.map { ($0.rows, $0.marks, $0.tree) }
      deltaTrees = index.deltaRuns.map(\.tree)
      pending = index.pending
    } else if let index = table.boxIndex(position) {
      baseRuns = index.baseRuns.map { ($0.rows, $0.marks, $0.tree) }
      deltaTrees = index.deltaRuns.map(\.tree)
      pending = index.pending
    } else {
      return nil
    }
  }
}
