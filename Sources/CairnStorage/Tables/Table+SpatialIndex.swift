import CairnGeometry
import CairnIndex

extension Table {
  fileprivate func baseRun(
    _ run: SpatialRun, schema: ColumnSchema, touched: Set<Int>
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
    let count = (run.count + ChunkShape.rows - 1) / ChunkShape.rows
    let blocks = (0..<count).compactMap { block in
      DeltaBlock(
        transaction.get(.runEntries(self.schema.id, column: schema.id, run: run.id, block: block)))
    }
    guard blocks.count == count, let levels = levels(of: run, schema) else { return nil }
    let tree = RTree(count: run.count, levels: levels) { blocks[$0].points }
    return SpatialIndex.DeltaRun(tree: tree, blocks: blocks)
  }

  /// Returns the stored nodes of a run, level by level.
  private func levels(of run: SpatialRun, _ schema: ColumnSchema) -> [[UnsafePointer<Envelope>]]? {
    var levels: [[UnsafePointer<Envelope>]] = []
    for (level, size) in RTree.levelSizes(count: run.count).enumerated() {
      var segments: [UnsafePointer<Envelope>] = []
      for segment in 0..<(size + RTree.segmentSize - 1) / RTree.segmentSize {
        let key = StorageKey.runNodes(
          self.schema.id, column: schema.id, run: run.id, level: level, segment: segment)
        guard let base = transaction.get(key)?.baseAddress else { return nil }
        segments.append(base.assumingMemoryBound(to: Envelope.self))
      }
      levels.append(segments)
    }
    return levels
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
  init?(table: Table, position: Int, overlay: TableOverlay?) {
    let column = table.schema.columns[position]
    let isCleared = overlay?.isCleared == true
    var touched = overlay?.touchedLocations[position] ?? []
    if !isCleared { touched.formUnion(table.state.unindexedKeys(column.id)) }
    let runs = table.state.spatialRuns.filter { $0.column == column.id && !isCleared }
    baseRuns = runs.filter(\.isBaseRun).compactMap {
      table.baseRun($0, schema: column, touched: touched)
    }
    deltaRuns = runs.filter { !$0.isBaseRun }.compactMap { table.deltaRun($0, schema: column) }
    guard baseRuns.count + deltaRuns.count == runs.count else { return nil }
    deltaMayBeStale = table.state.deltaIsStale || !touched.isEmpty
    let rows = table.unindexedRows
    pending =
      touched.filter { $0 < rows.lowerBound }.sorted()
      + table.deltaEntries(position, keys: rows).map(\.key)
    self.touched = touched
  }
}
