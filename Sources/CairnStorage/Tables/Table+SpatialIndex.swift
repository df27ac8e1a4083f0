import CairnGeometry
import CairnIndex

extension Table {
  fileprivate func baseRun(
    _ run: SpatialRun, schema: ColumnSchema, touched: RowBitmaps
  ) -> SpatialIndex.BaseRun? {
    guard let levels = levels(of: run, schema) else { return nil }
    let column = column(schema.position)
    let first = RowAddress(run.firstRow).chunk
    let tree = RTree(count: run.count, levels: levels) { block in
      column.chunk(first + block).points(first: run.count - block * ChunkShape.rows)
    }
    return SpatialIndex.BaseRun(
      rows: run.firstRow..<run.firstRow + run.count, tree: tree,
      marks: TombstoneBitmap(
        run, table: self.schema.id, column: schema.id, in: transaction, also: touched))
  }

  /// Returns a delta run with its blocks; nil if the store has lost some of them.
  func deltaRun(_ run: SpatialRun, schema: ColumnSchema) -> SpatialIndex.DeltaRun? {
    guard let blocks = DeltaEntry.blocks(of: run, in: self), let levels = levels(of: run, schema)
    else { return nil }
    let tree = RTree(count: run.count, levels: levels) { blocks[$0].points }
    return SpatialIndex.DeltaRun(tree: tree, blocks: blocks)
  }

  /// Returns the stored nodes of a run, level by level, valid until the snapshot ends; nil if the store
  /// has lost some of them.
  func levels(of run: SpatialRun, _ schema: ColumnSchema) -> [[UnsafePointer<Envelope>]]? {
    var levels: [[UnsafePointer<Envelope>]] = []
    for (level, size) in RTree.levelSizes(count: run.count).enumerated() {
      var segments: [UnsafePointer<Envelope>] = []
      for segment in 0..<(size + RTree.segmentSize - 1) / RTree.segmentSize {
        let key = StorageKey.runNodes(
          self.schema.id, column: schema.id, run: run.id, level: level, segment: segment)
        let count = min(RTree.segmentSize, size - segment * RTree.segmentSize)
        guard let bytes = transaction.get(key), let base = bytes.baseAddress,
          bytes.count >= count * MemoryLayout<Envelope>.stride, Int(bitPattern: base) & 15 == 0
        else { return nil }
        segments.append(base.assumingMemoryBound(to: Envelope.self))
      }
      levels.append(segments)
    }
    return levels
  }

  /// Returns the runs of a column's R-tree; none once the open transaction has deleted all rows.
  func runs(of column: ColumnSchema) -> [SpatialRun] {
    overlay?.isCleared == true ? [] : state.spatialRuns.filter { $0.column == column.id }
  }

  /// Returns the older rows of a column's R-tree that this and earlier transactions touched.
  func touchedKeys(_ position: Int) -> RowBitmaps {
    var touched = overlay?.touchedLocations[position] ?? RowBitmaps()
    guard overlay?.isCleared != true else { return touched }
    for key in state.unindexedKeys(schema.columns[position].id) { touched.insert(key) }
    return touched
  }

  /// Returns the keys of the rows that no run covers, in rising order.
  func pendingKeys<Entry: SpatialEntry>(
    _ type: Entry.Type, _ position: Int, touched: RowBitmaps
  ) -> [Int] {
    let rows = unindexedRows
    return touched.below(rows.lowerBound).keys
      + entries(type, position, keys: rows).map(\.key)
  }
}

extension SpatialIndex {
  /// Returns whether a delta entry still matches its row.
  package func isCurrent(
    key: Int, longitude: Double, latitude: Double, in table: Table, _ position: Int
  ) -> Bool {
    guard deltaMayBeStale else { return true }
    guard !touched.contains(key) else { return false }
    return table.hasLocation(position, key: key, longitude: longitude, latitude: latitude)
  }

  /// Returns nil if the store has lost part of a run; then only a scan gives correct results.
  init?(table: Table, position: Int) {
    let column = table.schema.columns[position]
    let touched = table.touchedKeys(position)
    let runs = table.runs(of: column)
    baseRuns = runs.filter(\.isBaseRun).compactMap {
      table.baseRun($0, schema: column, touched: touched)
    }
    deltaRuns = runs.filter { !$0.isBaseRun }.compactMap { table.deltaRun($0, schema: column) }
    guard baseRuns.count + deltaRuns.count == runs.count else { return nil }
    deltaMayBeStale = table.state.deltaIsStale || !touched.isEmpty
    pending = table.pendingKeys(DeltaEntry.self, position, touched: touched)
    self.touched = touched
  }
}
