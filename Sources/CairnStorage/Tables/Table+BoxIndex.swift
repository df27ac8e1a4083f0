import CairnGeometry
import CairnIndex

extension BoxIndex {
  /// Returns whether a delta entry still matches its row.
  package func isCurrent(key: Int, box: Envelope, in table: Table, _ position: Int) -> Bool {
    guard deltaMayBeStale else { return true }
    return !touched.contains(key) && BoxEntry(box: box, key: key).isCurrent(in: table, position)
  }

  /// Returns nil if the store has lost part of a run; then only a scan gives correct results.
  init?(table: Table, position: Int) {
    let column = table.schema.columns[position]
    let touched = table.touchedKeys(position)
    let runs = table.runs(of: column)
    baseRuns = runs.filter(\.isBaseRun).compactMap {
      table.boxBaseRun($0, schema: column, touched: touched)
    }
    deltaRuns = runs.filter { !$0.isBaseRun }.compactMap { table.boxDeltaRun($0, schema: column) }
    guard baseRuns.count + deltaRuns.count == runs.count else { return nil }
    deltaMayBeStale = table.state.deltaIsStale || !touched.isEmpty
    pending = table.pendingKeys(BoxEntry.self, position, touched: touched)
    self.touched = touched
  }
}

extension Table {
  fileprivate func boxBaseRun(
    _ run: SpatialRun, schema: ColumnSchema, touched: RowBitmaps
  ) -> BoxIndex.BaseRun? {
    guard let levels = levels(of: run, schema) else { return nil }
    let column = column(schema.position)
    let first = RowAddress(run.firstRow).chunk
    let tree = BoxTree(count: run.count, levels: levels) { block in
      column.chunk(first + block).boxes
    }
    return BoxIndex.BaseRun(
      rows: run.firstRow..<run.firstRow + run.count, tree: tree,
      marks: TombstoneBitmap(run, table: id, column: schema.id, in: transaction, also: touched))
  }

  fileprivate func boxDeltaRun(_ run: SpatialRun, schema: ColumnSchema) -> BoxIndex.DeltaRun? {
    guard let blocks = BoxEntry.blocks(of: run, in: self), let levels = levels(of: run, schema)
    else { return nil }
    let tree = BoxTree(count: run.count, levels: levels) { blocks[$0].boxes }
    return BoxIndex.DeltaRun(tree: tree, blocks: blocks)
  }
}
