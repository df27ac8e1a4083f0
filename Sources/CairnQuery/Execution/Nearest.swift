import CairnGeometry
import CairnIndex
import CairnStorage

/// The rows nearest to a point: best-first walks of every run's R-tree into one heap, each row held
/// against the other conditions as it comes.
struct Nearest {
  private let execution: Execution
  private let sort: DistanceSort
  private let order: RowOrder
  private let reach: Int

  init(_ execution: Execution, _ sort: DistanceSort, _ order: RowOrder, _ reach: Int) {
    self.execution = execution
    self.sort = sort
    self.order = order
    self.reach = reach
  }

  /// The first rows; nil when finding the matches first, then ordering them, promises to be quicker.
  func rows() -> [RankedRow]? {
    let table = execution.table
    guard let index = table.spatialIndex(sort.column.schema.position),
      reach <= table.liveCount / 8
    else { return nil }
    let filters = execution.plan.filters
    if isBounded(filters) { return nil }
    let top = TopSink(order, capacity: reach)
    var budget = filters.isEmpty ? Int.max : 20_000 + 50 * reach
    for run in index.clustered where !walk(run, filters, top, &budget) { return nil }
    for run in index.loose where !walk(run, index, filters, top, &budget) { return nil }
    for key in index.pending where table.isLive(key) {
      if let radians = sort.radians(key) { offer(key, filters, top, radians) }
    }
    // Rows without a location come last, and only then are they looked for.
    guard top.isFull else { return nil }
    execution.workspace.isWalk = true
    return top.ordered()
  }

  /// Whether some condition leaves so few rows that a walk would go far beyond them.
  private func isBounded(_ filters: [Filter]) -> Bool {
    if filters.isEmpty { return false }
    let scan = execution.plan.scan
    switch scan.driver {
    case .keys: return true
    case .region(let filter): return filter.source.estimate < 500 + 20 * reach
    case .chunks: return false
    }
  }

  /// Whether the walk ended within its budget.
  private func walk(
    _ run: SpatialIndex.Clustered, _ filters: [Filter], _ top: TopSink, _ budget: inout Int
  ) -> Bool {
    let first = run.rows.lowerBound
    let enough = filters.isEmpty && !run.hasDead ? reach : nil
    return walk(run.tree, enough, &budget, top) { position, radians in
      let key = first + position
      if run.hasDead, isDead(key, run) { return }
      offer(key, filters, top, radians)
    }
  }

  private func walk(
    _ run: SpatialIndex.Loose, _ index: SpatialIndex, _ filters: [Filter], _ top: TopSink,
    _ budget: inout Int
  ) -> Bool {
    var seen: Set<Int> = []
    return walk(run.tree, nil, &budget, top) { position, radians in
      let key = run.key(at: position)
      if index.looseMayBeStale {
        let point = run.tree.point(at: position)
        guard
          index.isCurrent(
            key: key, longitude: point.longitude, latitude: point.latitude, in: execution.table,
            sort.column.schema.position)
        else { return }
      }
      if seen.insert(key).inserted, !top.holds(key) { offer(key, filters, top, radians) }
    }
  }

  private func walk(
    _ tree: RTree, _ enough: Int?, _ budget: inout Int, _ top: TopSink,
    _ take: (Int, Double) -> Void
  ) -> Bool {
    var left = budget
    tree.nearest(longitude: sort.longitude, latitude: sort.latitude, enough: enough) {
      position, radians in
      if let bar = top.bar, Rank.of(radians) > bar { return false }
      left -= 1
      guard left >= 0 else { return false }
      take(position, radians)
      return true
    }
    budget = left
    return left >= 0
  }

  private func isDead(_ key: Int, _ run: SpatialIndex.Clustered) -> Bool {
    guard let dead = run.dead(chunk: key >> ChunkShape.shift) else { return false }
    let row = key & (ChunkShape.rows - 1)
    return dead[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Holds a row against the conditions. The tree measures as the order does, so its distance is the rank.
  private func offer(_ key: Int, _ filters: [Filter], _ top: TopSink, _ radians: Double) {
    let workspace = execution.workspace
    workspace.candidates += 1
    for filter in filters where !filter.holds(key, workspace) { return }
    top.offer(RankedRow(rank: Rank.of(radians), key: key))
  }
}
