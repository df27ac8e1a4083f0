import CairnGeometry
import CairnIndex

/// The R-tree of one location: runs that together hold every row that has one.
package struct SpatialIndex {
  /// Runs whose leaf entries are the location column itself.
  package let clustered: [Clustered]
  /// Runs of rows that came or moved one by one.
  package let loose: [Loose]
  /// Whether loose entries must be held against the column: some row has moved or gone since.
  package let looseMayBeStale: Bool
  /// Keys that the open write transaction and those before it touched, in order: to be tested one by one. The runs do
  /// not speak for them: they are dead in clustered runs and stale in loose ones.
  package let pending: [Int]
  private let touched: Set<Int>

  /// A run over consecutive rows, in Hilbert order of their locations.
  package struct Clustered {
    /// The rows; they begin on a chunk boundary. Position p of the tree is row `rows.lowerBound + p`.
    package let rows: Range<Int>
    package let tree: RTree
    fileprivate let marks: DeadMarks

    /// Whether any row of the run is dead.
    package var hasDead: Bool { !marks.isEmpty }

    /// Rows among `rows` that the run does not speak for any more: deleted, moved, or touched by the
    /// open transaction.
    package func deadCount(in rows: Range<Int>) -> Int { marks.count(in: rows) }

    /// Bit set: the row is dead. By chunk of the table; 64 words; nil when no row of it is.
    package func dead(chunk: Int) -> UnsafePointer<UInt64>? { marks.words(chunk: chunk) }
  }

  /// A run of (location, key) entries.
  package struct Loose {
    package let tree: RTree
    package var count: Int { tree.count }
    let blocks: [LooseBlock]

    /// The location of the row at a position of the tree, as it was when the run was written.
    func point(at position: Int) -> (longitude: Double, latitude: Double) {
      blocks[position >> ChunkShape.shift].points.point(at: position & (ChunkShape.rows - 1))
    }

    /// The key of the row at a position of the tree.
    package func key(at position: Int) -> Int {
      Int(blocks[position >> ChunkShape.shift].keys[position & (ChunkShape.rows - 1)])
    }
  }

  /// Whether a loose entry still speaks for its row.
  package func isCurrent(
    key: Int, longitude: Double, latitude: Double, in table: Table, _ position: Int
  ) -> Bool {
    guard looseMayBeStale else { return true }
    guard !touched.contains(key) else { return false }
    return table.hasLocation(position, key: key, longitude: longitude, latitude: latitude)
  }

  /// Nil when the store has lost part of a run: then only a scan gives the right answer.
  init?(table: Table, position: Int, overlay: TableOverlay?) {
    let column = table.schema.columns[position]
    let isCleared = overlay?.isCleared == true
    var touched = overlay?.touchedLocations[position] ?? []
    if !isCleared { touched.formUnion(table.state.unsettledKeys(column.id)) }
    let runs = table.state.spatialRuns.filter { $0.column == column.id && !isCleared }
    clustered = runs.filter(\.isClustered).compactMap {
      table.clusteredRun($0, column, touched: touched)
    }
    loose = runs.filter { !$0.isClustered }.compactMap { table.looseRun($0, column) }
    guard clustered.count + loose.count == runs.count else { return nil }
    looseMayBeStale = table.state.looseIsStale || !touched.isEmpty
    let rows = table.unsettledRows
    pending =
      touched.filter { $0 < rows.lowerBound }.sorted()
      + table.looseEntries(position, rows).map(\.key)
    self.touched = touched
  }
}

extension Table {
  fileprivate func clusteredRun(
    _ run: SpatialRun, _ schema: ColumnSchema, touched: Set<Int>
  ) -> SpatialIndex.Clustered? {
    guard let levels = levels(of: run, schema) else { return nil }
    let column = column(schema.position)
    let first = run.firstRow >> ChunkShape.shift
    let tree = RTree(count: run.count, levels: levels) { block in
      column.chunk(first + block).points(first: run.count - block * ChunkShape.rows)
    }
    return SpatialIndex.Clustered(
      rows: run.firstRow..<run.firstRow + run.count, tree: tree,
      marks: DeadMarks(run, in: self, column: schema, also: touched))
  }

  /// A loose run, with its blocks; nil when the store has lost some of it.
  func looseRun(_ run: SpatialRun, _ schema: ColumnSchema) -> SpatialIndex.Loose? {
    let count = (run.count + ChunkShape.rows - 1) / ChunkShape.rows
    let blocks = (0..<count).compactMap { block in
      LooseBlock(transaction.get(.runPoints(self.schema.id, schema.id, run.id, block: block)))
    }
    guard blocks.count == count, let levels = levels(of: run, schema) else { return nil }
    let tree = RTree(count: run.count, levels: levels) { blocks[$0].points }
    return SpatialIndex.Loose(tree: tree, blocks: blocks)
  }

  /// The nodes of a run, level by level, where they are stored.
  private func levels(of run: SpatialRun, _ schema: ColumnSchema) -> [[UnsafePointer<Envelope>]]? {
    var levels: [[UnsafePointer<Envelope>]] = []
    for (level, size) in RTree.levelSizes(count: run.count).enumerated() {
      var segments: [UnsafePointer<Envelope>] = []
      for segment in 0..<(size + RTree.segmentSize - 1) / RTree.segmentSize {
        let key = StorageKey.runNodes(
          self.schema.id, schema.id, run.id, level: level, segment: segment)
        guard let base = transaction.get(key)?.baseAddress else { return nil }
        segments.append(base.assumingMemoryBound(to: Envelope.self))
      }
      levels.append(segments)
    }
    return levels
  }
}
