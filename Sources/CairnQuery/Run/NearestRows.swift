import CairnGeometry
import CairnIndex
import CairnStorage

/// A search for the rows nearest to a shape. Best-first traversals of every run's R-tree feed one
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
    let filters = execution.plan.filters
    guard rowsNeeded <= execution.table.liveCount / 8, !isBounded(filters) else { return nil }
    let top = TopSink(order, capacity: rowsNeeded)
    let budget = filters.isEmpty ? Int.max : 20_000 + 50 * rowsNeeded
    let isDone =
      switch sort {
      case let sort as LocationDistanceSort: walkPoints(sort, top: top, budget: budget)
      case let sort as GeometryDistanceSort: walkBoxes(sort, top: top, budget: budget)
      default: false
      }
    // Rows without a location come last; finding them is left to the other plan.
    guard isDone, top.isFull else { return nil }
    execution.scratch.isBestFirst = true
    return top.ordered()
  }

  /// Whether a condition leaves so few rows that a traversal would go far beyond them.
  private func isBounded(_ filters: [Filter]) -> Bool {
    if filters.isEmpty { return false }
    let scan = execution.plan.scan
    switch scan.accessPath {
    case .keys: return true
    case .spatial(let access): return access.estimate < 500 + 20 * rowsNeeded
    case .chunks: return false
    }
  }

  /// Tests a row against the conditions. The tree measures distance exactly like the order, so its
  /// distance is the sort key.
  private func offer(_ key: Int, top: TopSink, radians: Double) {
    let scratch = execution.scratch
    scratch.candidates += 1
    for filter in execution.plan.filters where !filter.holds(key, scratch: scratch) { return }
    top.offer(SortKeyedRow(sortKey: NormalizedKey.of(radians), key: key))
  }

  /// Offers the rows that no run covers.
  private func offer(pending keys: [Int], top: TopSink) {
    for key in keys where execution.table.isLive(key) {
      if let radians = sort.radians(key) { offer(key, top: top, radians: radians) }
    }
  }
}

// MARK: Points

extension NearestRows {
  /// Whether the traversals ended within their budget.
  private func walkPoints(_ sort: LocationDistanceSort, top: TopSink, budget: Int) -> Bool {
    guard let index = execution.table.spatialIndex(sort.column.schema.position) else {
      return false
    }
    var budget = budget
    for run in index.baseRuns where !walk(run, sort: sort, top: top, budget: &budget) {
      return false
    }
    for run in index.deltaRuns
    where !walk(run, index: index, sort: sort, top: top, budget: &budget) { return false }
    offer(pending: index.pending, top: top)
    return true
  }

  private func walk(
    _ run: SpatialIndex.BaseRun, sort: LocationDistanceSort, top: TopSink, budget: inout Int
  ) -> Bool {
    let first = run.rows.lowerBound
    let enough = execution.plan.filters.isEmpty && !run.hasDeletedRows ? rowsNeeded : nil
    return walk(run.tree, sort: sort, enough: enough, budget: &budget, top: top) {
      position, radians in
      let key = first + position
      if run.hasDeletedRows, run.tombstones(chunk: key >> ChunkShape.shift).contains(key) { return }
      offer(key, top: top, radians: radians)
    }
  }

  private func walk(
    _ run: SpatialIndex.DeltaRun, index: SpatialIndex, sort: LocationDistanceSort, top: TopSink,
    budget: inout Int
  ) -> Bool {
    var seen: Set<Int> = []
    return walk(run.tree, sort: sort, enough: nil, budget: &budget, top: top) { position, radians in
      let key = run.key(at: position)
      if index.deltaMayBeStale {
        let point = run.tree.point(at: position)
        guard
          index.isCurrent(
            key: key, longitude: point.longitude, latitude: point.latitude, in: execution.table,
            sort.column.schema.position)
        else { return }
      }
      if seen.insert(key).inserted, !top.holds(key) { offer(key, top: top, radians: radians) }
    }
  }

  private func walk(
    _ tree: RTree, sort: LocationDistanceSort, enough: Int?, budget: inout Int, top: TopSink,
    take: (Int, Double) -> Void
  ) -> Bool {
    var left = budget
    sort.visitNearest(in: tree, enough: enough) { position, radians in
      if let threshold = top.threshold, NormalizedKey.of(radians) > threshold { return false }
      left -= 1
      guard left >= 0 else { return false }
      take(position, radians)
      return true
    }
    budget = left
    return left >= 0
  }
}

extension UnsafePointer<UInt64>? {
  /// Whether a bitmap over a chunk has the bit of a key's row.
  fileprivate func contains(_ key: Int) -> Bool {
    assert(key >= 0, "the row does not exist")
    guard let words = self else { return false }
    let row = key & (ChunkShape.rows - 1)
    return words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }
}

// MARK: Geometries

extension NearestRows {
  /// Whether the traversals ended within their budget.
  private func walkBoxes(_ sort: GeometryDistanceSort, top: TopSink, budget: Int) -> Bool {
    guard let index = execution.table.boxIndex(sort.column.schema.position) else { return false }
    // Rows that no run covers come first, because their distances limit the traversals.
    offer(pending: index.pending, top: top)
    var walk = BoxWalk(
      sort: sort, top: top, budget: budget,
      threshold: TopKThreshold(capacity: execution.plan.filters.isEmpty ? rowsNeeded : .max))
    for run in index.baseRuns {
      let first = run.rows.lowerBound
      let isDone = walk.run(run.tree) { position in
        let key = first + position
        let isDeleted =
          run.hasDeletedRows && run.tombstones(chunk: key >> ChunkShape.shift).contains(key)
        return isDeleted ? nil : key
      } take: {
        offer($0, top: top, radians: $1)
      }
      guard isDone else { return false }
    }
    var seen: Set<Int> = []
    for run in index.deltaRuns {
      let isDone = walk.run(run.tree) { position in
        let key = run.key(at: position)
        let isCurrent = index.isCurrent(
          key: key, box: run.box(at: position), in: execution.table, sort.column.schema.position)
        return isCurrent && seen.insert(key).inserted ? key : nil
      } take: {
        offer($0, top: top, radians: $1)
      }
      guard isDone else { return false }
    }
    return true
  }
}

/// The traversals of several R-trees over boxes for the nearest geometries.
private struct BoxWalk {
  let sort: GeometryDistanceSort
  let top: TopSink
  /// The number of rows that may still be taken.
  var budget: Int
  var threshold: TopKThreshold
  var queue = DistanceQueue()

  /// Traverses a tree. Returns false if the budget is used up.
  ///
  /// - Parameters:
  ///   - key: Returns the key of the row at a position; nil if the tree no longer covers it.
  ///   - take: Receives keys and distances in radians, nearest first.
  mutating func run(
    _ tree: BoxTree, key: (Int) -> Int?, take: (Int, Double) -> Void
  ) -> Bool {
    var keys: [Int: Int] = [:]
    var left = budget
    let (sort, top) = (sort, top)
    tree.nearest(queue: &queue, threshold: &threshold) {
      sort.origin.lowerBound(to: $0)
    } exact: { position, limit in
      guard let key = key(position) else { return nil }
      let most = top.threshold.map(NormalizedKey.number) ?? .infinity
      let row = key & (ChunkShape.rows - 1)
      let radians = sort.distance(
        sort.column.chunk(key >> ChunkShape.shift), row: row, first: key - row,
        upTo: min(limit, most))
      guard radians < .infinity else { return nil }
      keys[position] = key
      return radians
    } visit: { position, radians in
      if let threshold = top.threshold, NormalizedKey.of(radians) > threshold { return false }
      left -= 1
      guard left >= 0, let key = keys.removeValue(forKey: position) else { return false }
      take(key, radians)
      return true
    }
    budget = left
    return left >= 0
  }
}
