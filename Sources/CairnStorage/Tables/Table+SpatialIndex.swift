import CairnGeometry
import CairnIndex

extension SpatialIndex {
  /// Opens the index of the column at a position. Returns nil if the store has lost part of a run; then
  /// only a scan gives correct results.
  init?(table: Table, position: Int) {
    let column = table.schema.columns[position]
    let touched = table.touchedKeys(position)
    let runs = table.runs(of: column)
    baseRuns = runs.filter(\.isBaseRun).compactMap {
      BaseRun($0, of: table, column, touched: touched)
    }
    deltaRuns = runs.filter { !$0.isBaseRun }.compactMap { DeltaRun($0, of: table, column) }
    guard baseRuns.count + deltaRuns.count == runs.count else { return nil }
    deltaMayBeStale = table.state.deltaIsStale || !touched.isEmpty
    pending = table.pendingKeys(Entry.self, position, touched: touched)
    self.touched = touched
  }
}

extension SpatialIndex.BaseRun {
  /// Returns nil if the store has lost some of the run's nodes.
  fileprivate init?(
    _ run: SpatialRun, of table: Table, _ schema: ColumnSchema, touched: RowBitmaps
  ) {
    guard let levels = table.levels(of: run, schema) else { return nil }
    let column = table.column(schema.position)
    let first = RowAddress(run.firstRow).chunk
    rows = run.firstRow..<run.firstRow + run.count
    tree = RTree(count: run.count, levels: levels) { block in
      Entry.rows(of: column.chunk(first + block), first: run.count - block * ChunkShape.rows)
    }
    tombstones = TombstoneBitmap(
      run, table: table.id, column: schema.id, in: table.transaction, also: touched)
  }
}

extension SpatialIndex.DeltaRun {
  /// Returns nil if the store has lost some of the run's nodes or entries.
  fileprivate init?(_ run: SpatialRun, of table: Table, _ schema: ColumnSchema) {
    guard let blocks = Entry.blocks(of: run, in: table),
      let levels = table.levels(of: run, schema)
    else { return nil }
    keys = DeltaKeys(blocks.map(\.keys), count: run.count)
    tree = RTree(count: run.count, levels: levels) { blocks[$0].rows }
  }
}

extension Table {
  /// Returns the R-tree of a column of the entries' type.
  ///
  /// - Parameter known: The indexes that were opened before, by the position of the column.
  func spatialIndex<Entry: IndexedEntry>(
    _ position: Int, known: inout [Int: SpatialIndex<Entry>]
  ) -> SpatialIndex<Entry>? {
    guard Entry.isIndexed(schema.columns[position]), !isRebuilt(position) else { return nil }
    if overlay == nil, let index = known[position] { return index }
    guard let index = SpatialIndex<Entry>(table: self, position: position) else { return nil }
    // An index caches its reads, so each reader of a shared table gets its own.
    if overlay == nil, set.lock == nil { known[position] = index }
    return index
  }

  /// Returns the stored nodes of a run, level by level, valid until the snapshot ends; nil if the store
  /// has lost some of them.
  func levels(of run: SpatialRun, _ schema: ColumnSchema) -> [[UnsafePointer<Envelope>]]? {
    var levels: [[UnsafePointer<Envelope>]] = []
    for (level, size) in TreeNodes.levelSizes(count: run.count).enumerated() {
      var segments: [UnsafePointer<Envelope>] = []
      for segment in 0..<(size + TreeNodes.segmentSize - 1) / TreeNodes.segmentSize {
        let key = StorageKey.runNodes(
          self.schema.id, column: schema.id, run: run.id, level: level, segment: segment)
        let count = min(TreeNodes.segmentSize, size - segment * TreeNodes.segmentSize)
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
