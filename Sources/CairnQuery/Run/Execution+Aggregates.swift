import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

extension Execution {
  /// The summaries of several properties over the result, computed in one pass. A property behind
  /// links is named by its whole path: `dog.age`.
  package func summaries(of properties: [String]) throws(QueryError) -> [Summary] {
    let valuePaths = try plan.paths.valuePaths(properties)
    let make = { SummarySink(valuePaths.map { $0.accumulator() }) }
    let sinks = watched(rows: { _ in nil }) { run(into: make) }
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks[0].accumulators.map(\.summary)
  }

  /// The summary of a property over the result.
  package func summary(of property: String) throws(QueryError) -> Summary {
    try summaries(of: [property])[0]
  }

  /// The summaries of several properties over the result, with further figures.
  package func summaries(
    of properties: [String], figures: SummaryFigures
  ) throws(QueryError) -> [Summary] {
    guard !figures.isEmpty else { return try summaries(of: properties) }
    let valuePaths = try plan.paths.valuePaths(properties)
    let groups = groups([]) { valuePaths.map { $0.groupTotals(figures) } }
    return groups.first?.summaries ?? valuePaths.map { $0.groupTotals(figures).summary(0) }
  }

  /// Groups the result's rows by their values in some properties and sorts the groups. Each has
  /// its count and the summaries of other properties. If a link on the path to a value is null, so
  /// is the value.
  package func groups(
    by properties: [String], summarising others: [String] = []
  ) throws(QueryError) -> [Group] {
    try groups(by: properties.map { GroupKey($0) }, summarising: others)
  }

  /// Groups the result's rows by keys and sorts the groups.
  ///
  /// - Parameter figures: The figures of the summaries in addition to the usual ones.
  package func groups(
    by keys: [GroupKey], summarising others: [String] = [],
    figures: SummaryFigures = SummaryFigures()
  ) throws(QueryError) -> [Group] {
    var columns: [() -> GroupColumn] = []
    for key in keys { columns.append(try plan.paths.groupColumn(key)) }
    let summarised = try plan.paths.valuePaths(others)
    guard !keys.isEmpty else {
      throw QueryError(.invalidArgument, message: "groups need at least one property to group by")
    }
    return groups(columns) { summarised.map { $0.groupTotals(figures) } }
  }

  /// Groups the result's rows by keys, and collects the keys of the rows of each group that have a
  /// value in a property: they are in the last summary. Without group keys, all rows are one group.
  ///
  /// - Parameter others: The properties that are summarised in front of it.
  package func groups(
    by keys: [GroupKey], summarising others: [String], collecting property: String
  ) throws(QueryError) -> [Group] {
    var columns: [() -> GroupColumn] = []
    for key in keys { columns.append(try plan.paths.groupColumn(key)) }
    let summarised = try plan.paths.valuePaths(others)
    let collected = try plan.paths.column(property)
    return groups(columns) { summarised.map { $0.groupTotals() } + [KeyTotals(collected)] }
  }

  private func groups(_ columns: [() -> GroupColumn], totals: () -> [GroupTotals]) -> [Group] {
    let sinks = watched(rows: { _ in nil }) {
      run { GroupSink(columns.map { $0() }, totals: totals()) }
    }
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks[0].groups()
  }

  /// Passes the rows of the result to sinks. If the query is not plain, or has distinct properties,
  /// an offset or a limit, the rows are found first.
  private func run<S: Sink>(into make: () -> S) -> [S] {
    if plan.isPlain, plan.distinct.isEmpty, plan.rowsNeeded == .max, plan.offset == 0 {
      return gather(plan.scan, make: make)
    }
    let sink = make()
    for keys in keys().ascendingLayers() {
      _ = Scan(table, accessPath: .keys(keys, .result), filters: []).run(
        plan.scan.allChunks, into: sink, scratch: scratch)
    }
    return [sink]
  }

  /// The number of the result's rows in each region.
  package func counts(in regions: [Region], of property: String) throws(QueryError) -> [Int] {
    let named = try plan.paths.column(property)
    guard let point = table.schema.point(for: named.schema) else {
      throw plan.paths.mismatch(named, what: "is not a location that a region can contain")
    }
    let column = table.column(point.position)
    let index = PointEntry.index(of: table, column.schema.position)
    return watched(rows: { _ in nil }) { counts(in: regions, column, index: index) }
  }

  private func counts(in regions: [Region], _ column: Column, index: SpatialIndex<PointEntry>?)
    -> [Int]
  {
    guard plan.isPlain, plan.distinct.isEmpty, plan.rowsNeeded == .max, plan.offset == 0 else {
      return counts(among: keys().ascendingLayers(), regions, column: column, index: index)
    }
    return regions.count < 4 || !isCountSafeOnAnyThread(index)
      ? regions.map { count(in: $0, column, index: index) }
      : countsInParallel(regions, column: column, index: index)
  }

  private func counts(
    among layers: [[Int]], _ regions: [Region], column: Column, index: SpatialIndex<PointEntry>?
  ) -> [Int] {
    regions.map { region in
      let sink = CountSink()
      let filter = WithinFilter(column, region: region, table: table)
      for keys in layers {
        _ = Scan(table, accessPath: .keys(keys, .result), filters: [filter])
          .run(plan.scan.allChunks, into: sink, scratch: scratch)
      }
      return sink.total
    }
  }

  private func count(in region: Region, _ column: Column, index: SpatialIndex<PointEntry>?) -> Int {
    let filter = WithinFilter(column, region: region, table: table)
    if plan.filters.isEmpty { return filter.source.count() }
    let scan = Planner(table: table).scan(plan.filters + [filter])
    return gather(scan) { CountSink() }.reduce(0) { $0 + $1.total }
  }

  /// Delta runs and tombstone bitmaps are read through the snapshot, which is confined to its own
  /// thread.
  private func isCountSafeOnAnyThread(_ index: SpatialIndex<PointEntry>?) -> Bool {
    guard let index, plan.filters.isEmpty else { return false }
    return index.deltaRuns.isEmpty && index.pending.isEmpty
      && !index.baseRuns.contains { !$0.tombstones.isEmpty }
  }

  private func countsInParallel(
    _ regions: [Region], column: Column, index: SpatialIndex<PointEntry>?
  ) -> [Int] {
    guard let index else { return regions.map { _ in 0 } }
    for chunk in 0..<table.chunkCount { _ = column.chunk(chunk) }
    var counts = regions.map { _ in 0 }
    counts.withUnsafeMutableBufferPointer { counts in
      // Each call writes its own element.
      let counts = counts
      WorkerPool.shared.run(regions.count) { number in
        counts[number] = index.baseRuns.reduce(0) { $0 + $1.tree.count(regions[number]).sure }
      }
    }
    return counts
  }
}
