import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

extension Execution {
  /// Finds the rows of the result that meet a window. The order of the result does not matter.
  ///
  /// If they are more than the limit, those smaller than a pixel, such as all locations, are counted
  /// by cell; if there are still too many, the largest are shown. A geometry meets the window if its
  /// box does.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - position: The column of the locations or geometries.
  ///   - limit: The most rows to show one by one.
  /// - Complexity: Without a condition, O(*m* + *c*) for *m* rows shown and *c* leaves of the R-tree
  ///   that lie in several cells; otherwise that of the query.
  package func rows(
    in window: Window, of position: Int, limit: Int
  ) throws(QueryError) -> WindowRows {
    let search = try WindowSearch(self, window: window, position: position, limit: limit)
    guard isWholeQuery else { return search.rows(of: keys()) }
    if plan.filters.isEmpty, let found = search.countedRows() { return found }
    let scan = Planner(table: table).scan(plan.filters + [search.filter])
    return search.merged(gather(scan) { search.makeSink() })
  }
}

extension Execution {
  /// Whether the result is every row that meets the condition.
  fileprivate var isWholeQuery: Bool {
    plan.isPlain && plan.distinct.isEmpty && plan.offset == 0 && plan.limit == nil
  }
}

/// The search for the rows of a window.
private struct WindowSearch {
  private let table: Table
  private let window: Window
  /// The column of locations, or of the boxes of geometries.
  private let column: Column
  private let limit: Int
  /// The condition that a row meets the window.
  let filter: Filter

  init(
    _ execution: Execution, window: Window, position: Int, limit: Int
  ) throws(QueryError) {
    table = execution.table
    self.window = window
    self.limit = limit
    let values = table.column(position)
    if let bounds = table.schema.bounds(for: values.schema) {
      column = table.column(bounds.position)
      filter = GeometryFilter(
        values, bounds: column, of: table, matcher: .reach(window.envelopes),
        description: "\(values.schema.name) reaches into \(window.box)")
    } else {
      column = values
      filter = try FilterBuilder(table: table).spatial(
        values, test: SpatialTest(.relation(.within), shape: .box(window.box)))
    }
  }

  func makeSink() -> WindowSink {
    WindowSink(column, counter: WindowCounter(window, limit: limit))
  }

  /// The rows of several sinks.
  func merged(_ sinks: [WindowSink]) -> WindowRows {
    for sink in sinks.dropFirst() { sinks[0].counter.add(sink.counter) }
    return sinks[0].counter.result()
  }

  /// The rows among given ones.
  func rows(of keys: [Int]) -> WindowRows {
    let sink = makeSink()
    run(keys, into: sink)
    return sink.counter.result()
  }

  private func run(_ keys: [Int], into sink: any Sink) {
    let scan = Scan(table, accessPath: .keys(keys.sortedUnique(), .result), filters: [filter])
    _ = scan.run(scan.allChunks, into: sink, scratch: ScratchBuffers())
  }

  /// The rows by the counts of the R-tree's nodes; nil if they are few, or without an R-tree.
  func countedRows() -> WindowRows? {
    switch filter.spatialAccess {
    case .points(let filter):
      guard let index = filter.source.index, filter.source.count() > limit else { return nil }
      return points(filter.source, index: index)
    case .boxes(let filter):
      guard let index = filter.source.index, filter.source.rowCount > limit else { return nil }
      return boxes(filter.source, index: index)
    case nil: return nil
    }
  }

  // MARK: Locations

  private func points(
    _ source: SpatialSource<PointEntry, Region>, index: SpatialIndex<PointEntry>
  ) -> WindowRows {
    let sink = makeSink()
    let counts = sink.counter.startCounting()
    for run in source.runs {
      run.run.tree.count(
        into: counts, hidden: { run.uncoveredCount($0) },
        hiddenBits: { run.uncovered(leaf: $0) })
    }
    if !index.deltaMayBeStale, index.pending.isEmpty {
      for run in index.deltaRuns {
        run.tree.count(into: counts, hidden: { _ in 0 }, hiddenBits: { _ in 0 })
      }
    } else {
      for key in source.extra.sure { sink.add(key) }
    }
    return sink.counter.result()
  }

  // MARK: Geometries

  private func boxes(
    _ source: SpatialSource<BoxEntry, BoxCondition>, index: SpatialIndex<BoxEntry>
  ) -> WindowRows {
    let sink = makeSink()
    let counts = sink.counter.startCounting()
    for run in source.runs {
      let first = run.rows.lowerBound
      visit(run.run.tree, counter: sink.counter) { cell, range in
        counts.counts[cell] += range.count - run.uncoveredCount(range)
      } box: { position, box in
        let isDeleted = run.uncovered(leaf: position >> 6) >> UInt64(position & 63) & 1 != 0
        if !isDeleted { sink.counter.add(first + position, box: box) }
      }
    }
    for run in index.deltaRuns {
      let isCurrent = { (position: Int) in
        index.isCurrent(position, of: run, in: table, column.schema.position)
      }
      visit(run.tree, counter: sink.counter) { cell, range in
        counts.counts[cell] +=
          index.deltaMayBeStale ? range.count { isCurrent($0) } : range.count
      } box: { position, box in
        if isCurrent(position) { sink.counter.add(run.keys[position], box: box) }
      }
    }
    for key in index.pending where table.isLive(key) { sink.addIfMet(key, by: window) }
    return sink.counter.result()
  }

  private func visit(
    _ tree: RTree<BoxBlock>, counter: WindowCounter, whole: (Int, Range<Int>) -> Void,
    box: (Int, Envelope) -> Void
  ) {
    tree.visit(
      window.envelopes, grid: window.grid, isSmall: { counter.isSmall($0, row: $1) },
      whole: whole, box: box)
  }
}

/// A sink that adds rows to the counter of a window.
private final class WindowSink: Sink {
  let counter: WindowCounter
  private let column: Column

  init(_ column: Column, counter: WindowCounter) {
    self.column = column
    self.counter = counter
  }

  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  func take(_ index: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let chunk = column.chunk(index)
    let first = RowAddress.firstKey(ofChunk: index)
    if column.schema.type == .box {
      selection.forEachRow { row -> Void in counter.add(first + row, box: chunk.rowBox(row)) }
    } else {
      let points = chunk.points
      selection.forEachRow { row -> Void in counter.add(first + row, point: points, row: row) }
    }
    return true
  }

  /// Adds a row whose location or box meets the window.
  func add(_ key: Int) {
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    if column.schema.type == .box {
      counter.add(key, box: chunk.rowBox(row))
    } else {
      counter.add(key, point: chunk.points, row: row)
    }
  }

  /// Adds a row of boxes if its box meets the window.
  func addIfMet(_ key: Int, by window: Window) {
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    guard !chunk.isRowNull(row), window.envelopes.meet(chunk.rowBox(row)) else { return }
    counter.add(key, box: chunk.rowBox(row))
  }
}

extension WindowCounter {
  /// Adds a row with a location.
  @inline(__always)
  fileprivate func add(_ key: Int, point points: PointBlock, row: Int) {
    let (x, y) = points.fixedPoint(at: row)
    add(key, box: Envelope(lanes: SIMD4(x, y, -x, -y)))
  }
}
