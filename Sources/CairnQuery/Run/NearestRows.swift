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
    var search = NearestSearch(enough: filters.isEmpty ? rowsNeeded : nil)
    // Rows without a location come last; finding them is left to the other plan.
    guard walk(&search, top: top, budget: budget), top.isFull else { return nil }
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

// MARK: Traversals

extension NearestRows {
  /// Traverses the R-tree of the column. Returns false if the column has no R-tree, or if the traversal
  /// needs more rows than the budget.
  private func walk(_ search: inout NearestSearch, top: TopSink, budget: Int) -> Bool {
    switch sort {
    case let sort as PointDistanceSort:
      return walk(&search, top: top, budget: budget) { (run: IndexedRun<PointEntry>) in
        PointDistances(from: sort.origin, isIncluded: run.isIncluded)
      }
    case let sort as ShapeDistanceSort:
      return walk(&search, top: top, budget: budget) { (run: IndexedRun<PointEntry>) in
        ShapeDistances(origin: sort.origin, isIncluded: run.isIncluded)
      }
    case let sort as GeometryDistanceSort:
      return walk(&search, top: top, budget: budget) { (run: IndexedRun<BoxEntry>) in
        GeometryDistances(sort: sort, top: top, run: run)
      }
    default: return false
    }
  }

  /// - Parameter measure: Returns the distances of the entries of a run.
  private func walk<Entry: IndexedEntry, Measure: DistanceMeasure>(
    _ search: inout NearestSearch, top: TopSink, budget: Int,
    measure: (IndexedRun<Entry>) -> Measure
  ) -> Bool where Measure.Block == Entry.Block {
    let position = sort.column.schema.position
    guard let index = Entry.index(of: execution.table, position) else { return false }
    // Rows that no run covers come first, because their distances limit the traversals.
    offer(pending: index.pending, top: top)
    var left = budget
    for run in runs(of: index) {
      var measure = measure(run)
      search.run(run.tree, &measure) { position, radians in
        if let threshold = top.threshold, NormalizedKey.of(radians) > threshold { return false }
        left -= 1
        guard left >= 0 else { return false }
        offer(run.key(position), top: top, radians: radians)
        return true
      }
      guard left >= 0 else { return false }
    }
    return true
  }

  private func runs<Entry: IndexedEntry>(of index: SpatialIndex<Entry>) -> [IndexedRun<Entry>] {
    let (table, position) = (execution.table, sort.column.schema.position)
    var seen: Set<Int> = []
    let baseRuns = index.baseRuns.map { run in
      let first = run.rows.lowerBound
      let isCovered = { (position: Int) in
        let address = RowAddress(first + position)
        return !run.tombstones.words(chunk: address.chunk).contains(address.row)
      }
      return IndexedRun<Entry>(
        tree: run.tree, key: { first + $0 },
        isIncluded: run.tombstones.isEmpty ? nil : isCovered)
    }
    let deltaRuns = index.deltaRuns.map { run in
      let isCurrent = { (entry: Int) in
        index.isCurrent(entry, of: run, in: table, position)
          && seen.insert(run.keys[entry]).inserted
      }
      return IndexedRun<Entry>(
        tree: run.tree, key: { run.keys[$0] }, isIncluded: index.deltaMayBeStale ? isCurrent : nil)
    }
    return baseRuns + deltaRuns
  }
}

/// A run of an R-tree, whatever its kind.
private struct IndexedRun<Entry: IndexedEntry> {
  let tree: RTree<Entry.Block>
  /// The row at a position.
  let key: (Int) -> Int
  /// Whether the entry at a position is the one of its row, asked once for each entry that is measured;
  /// nil if all are.
  let isIncluded: ((Int) -> Bool)?
}

extension UnsafePointer<UInt64>? {
  /// Whether a bitmap over a chunk has the bit of a row.
  fileprivate func contains(_ row: Int) -> Bool {
    assert(row >= 0 && row < ChunkShape.rows, "the row does not exist")
    guard let words = self else { return false }
    return words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }
}

// MARK: Distances

/// The distances of locations from any shape, in radians.
private struct ShapeDistances: DistanceMeasure {
  let origin: PreparedOrigin
  let isIncluded: ((Int) -> Bool)?

  func bound(of envelope: Envelope, upTo limit: Double) -> Double {
    origin.lowerBound(to: envelope)
  }

  func open(_ leaf: Int, of block: PointBlock, first: Int, into search: inout NearestSearch) {
    let range = block.range(ofLeaf: leaf)
    for index in range {
      let (point, position) = (block.point(at: index), first + index - range.lowerBound)
      let radians = origin.distance(
        longitude: point.longitude, latitude: point.latitude, upTo: search.limit)
      guard radians <= search.limit, radians < .infinity, isIncluded?(position) ?? true else {
        continue
      }
      search.add(position, key: radians)
    }
  }
}

/// The distances of geometries from any shape, in radians. Boxes give lower bounds, so that few
/// geometries are measured.
private struct GeometryDistances: DistanceMeasure {
  let sort: GeometryDistanceSort
  let top: TopSink
  let run: IndexedRun<BoxEntry>

  func bound(of envelope: Envelope, upTo limit: Double) -> Double {
    sort.origin.lowerBound(to: envelope)
  }

  func open(_ leaf: Int, of block: BoxBlock, first: Int, into search: inout NearestSearch) {
    let range = block.range(ofLeaf: leaf)
    for index in range {
      let bound = sort.origin.lowerBound(to: block[index])
      if bound <= search.limit { search.add(first + index - range.lowerBound, bound: bound) }
    }
  }

  func key(at position: Int, upTo limit: Double) -> Double? {
    guard run.isIncluded?(position) ?? true else { return nil }
    let address = RowAddress(run.key(position))
    let most = top.threshold.map(NormalizedKey.number) ?? .infinity
    let radians = sort.distance(
      sort.column.chunk(address.chunk), row: address.row,
      first: RowAddress.firstKey(ofChunk: address.chunk), upTo: min(limit, most))
    return radians < .infinity ? radians : nil
  }
}
