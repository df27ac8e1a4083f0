import CairnGeometry
import CairnIndex
import CairnStorage

/// A search for the rows nearest to a point. Best-first traversals of every run's R-tree feed one
/// heap, and each row is tested against the other conditions as it arrives.
struct NearestRows {
  private let execution: Execution
  private let sort: DistanceSort
  private let order: RowOrder
  private let rowsNeeded: Int

  init(_ execution: Execution, sort: DistanceSort, order: RowOrder, rowsNeeded: Int) {
    self.execution = execution
    self.sort = sort
    self.order = order
    self.rowsNeeded = rowsNeeded
  }

  /// The first rows; nil if finding the matches first and then sorting them is probably faster.
  func rows() -> [SortKeyedRow]? {
    let table = execution.table
    guard let index = table.spatialIndex(sort.column.schema.position),
      rowsNeeded <= table.liveCount / 8
    else { return nil }
    let filters = execution.plan.filters
    if isBounded(filters) { return nil }
    let top = TopSink(order, capacity: rowsNeeded)
    var budget = filters.isEmpty ? Int.max : 20_000 + 50 * rowsNeeded
    for run in index.baseRuns where !walk(run, filters: filters, top: top, budget: &budget) {
      return nil
    }
    for run in index.deltaRuns
    where !walk(run, index: index, filters: filters, top: top, budget: &budget) { return nil }
    for key in index.pending where table.isLive(key) {
      if let radians = sort.radians(key) {
        offer(key, filters: filters, top: top, radians: radians)
      }
    }
    // Rows without a location come last; finding them is left to the other plan.
    guard top.isFull else { return nil }
    execution.scratch.isBestFirst = true
    return top.ordered()
  }

  /// Whether a condition leaves so few rows that a traversal would go far beyond them.
  private func isBounded(_ filters: [Filter]) -> Bool {
    if filters.isEmpty { return false }
    let scan = execution.plan.scan
    switch scan.accessPath {
    case .keys: return true
    case .region(let filter): return filter.source.estimate < 500 + 20 * rowsNeeded
    case .chunks: return false
    }
  }

  /// Whether the traversal ended within its budget.
  private func walk(
    _ run: SpatialIndex.BaseRun, filters: [Filter], top: TopSink, budget: inout Int
  ) -> Bool {
    let first = run.rows.lowerBound
    let enough = filters.isEmpty && !run.hasDeletedRows ? rowsNeeded : nil
    return walk(run.tree, enough: enough, budget: &budget, top: top) { position, radians in
      let key = first + position
      if run.hasDeletedRows, isDead(key, run: run) { return }
      offer(key, filters: filters, top: top, radians: radians)
    }
  }

  private func walk(
    _ run: SpatialIndex.DeltaRun, index: SpatialIndex, filters: [Filter], top: TopSink,
    budget: inout Int
  ) -> Bool {
    var seen: Set<Int> = []
    return walk(run.tree, enough: nil, budget: &budget, top: top) { position, radians in
      let key = run.key(at: position)
      if index.deltaMayBeStale {
        let point = run.tree.point(at: position)
        guard
          index.isCurrent(
            key: key, longitude: point.longitude, latitude: point.latitude, in: execution.table,
            sort.column.schema.position)
        else { return }
      }
      if seen.insert(key).inserted, !top.holds(key) {
        offer(key, filters: filters, top: top, radians: radians)
      }
    }
  }

  private func walk(
    _ tree: RTree, enough: Int?, budget: inout Int, top: TopSink,
    take: (Int, Double) -> Void
  ) -> Bool {
    var left = budget
    tree.nearest(longitude: sort.longitude, latitude: sort.latitude, enough: enough) {
      position, radians in
      if let threshold = top.threshold, NormalizedKey.of(radians) > threshold { return false }
      left -= 1
      guard left >= 0 else { return false }
      take(position, radians)
      return true
    }
    budget = left
    return left >= 0
  }

  private func isDead(_ key: Int, run: SpatialIndex.BaseRun) -> Bool {
    guard let dead = run.tombstones(chunk: key >> ChunkShape.shift) else { return false }
    let row = key & (ChunkShape.rows - 1)
    return dead[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Tests a row against the conditions. The tree measures distance exactly like the order, so its
  /// distance is the sort key.
  private func offer(_ key: Int, filters: [Filter], top: TopSink, radians: Double) {
    let scratch = execution.scratch
    scratch.candidates += 1
    for filter in filters where !filter.holds(key, scratch: scratch) { return }
    top.offer(SortKeyedRow(sortKey: NormalizedKey.of(radians), key: key))
  }
}
