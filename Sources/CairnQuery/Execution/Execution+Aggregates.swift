import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

extension Execution {
  /// What the values of each of these properties come to over the result, in one pass. Properties of objects that
  /// links lead to have their whole way for a name: `dog.age`.
  package func summaries(of properties: [String]) throws(QueryError) -> [Summary] {
    let routes = try plan.builder.valueRoutes(properties)
    let make = { SummarySink(routes.map { $0.accumulator() }) }
    let sinks = run(into: make)
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks[0].accumulators.map(\.summary)
  }

  /// What the values of a property come to over the result.
  package func summary(of property: String) throws(QueryError) -> Summary {
    try summaries(of: [property])[0]
  }

  /// The result's rows by their values in some properties, by rising values, each group with its
  /// count and the summaries of other properties. Where a link on the way to a value is null so is the value.
  package func groups(
    by properties: [String], summarising others: [String] = []
  ) throws(QueryError) -> [Group] {
    let keys = try plan.builder.valueRoutes(properties)
    let summarised = try plan.builder.valueRoutes(others)
    guard !keys.isEmpty else {
      throw QueryError(.invalidArgument, "groups need at least one property to group by")
    }
    let make = {
      GroupSink(keys.map { $0.groupColumn() }, summarised.map { $0.groupTotals() })
    }
    let sinks = run(into: make)
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks[0].groups()
  }

  /// Feeds the rows of the result to sinks: all that match, or, where only part of them or the first
  /// of their kind are in the result, those.
  private func run<S: Sink>(into make: () -> S) -> [S] {
    if plan.isPlain, plan.distinct.isEmpty, plan.reach == .max, plan.offset == 0 {
      return gather(plan.scan, make)
    }
    let sink = make()
    for keys in keys().risingLayers() {
      _ = Scan(table, .keys(keys, .result), []).run(plan.scan.allChunks, into: sink, workspace)
    }
    return [sink]
  }

  /// For each region the number of the result's rows whose location lies in it.
  package func counts(in regions: [Region], of property: String) throws(QueryError) -> [Int] {
    let named = try plan.builder.column(property)
    guard let point = table.schema.point(for: named.schema) else {
      throw plan.builder.mismatch(named, "has no location to lie within a region")
    }
    let column = table.column(point.position)
    let index = table.spatialIndex(column.schema.position)
    guard plan.isPlain, plan.distinct.isEmpty, plan.reach == .max, plan.offset == 0 else {
      return counts(among: keys().risingLayers(), regions, column, index)
    }
    return regions.count < 4 || !isCountSafeOnAnyThread(index)
      ? regions.map { count(in: $0, column, index) } : countsInParallel(regions, column, index)
  }

  private func counts(
    among layers: [[Int]], _ regions: [Region], _ column: Column, _ index: SpatialIndex?
  ) -> [Int] {
    regions.map { region in
      let sink = CountSink()
      let filter = WithinFilter(column, region, index, table)
      for keys in layers {
        _ = Scan(table, .keys(keys, .result), [filter])
          .run(plan.scan.allChunks, into: sink, workspace)
      }
      return sink.total
    }
  }

  private func count(in region: Region, _ column: Column, _ index: SpatialIndex?) -> Int {
    let filter = WithinFilter(column, region, index, table)
    if plan.filters.isEmpty { return filter.source.count() }
    let scan = Planner(table: table).scan(plan.filters + [filter])
    return gather(scan) { CountSink() }.reduce(0) { $0 + $1.total }
  }

  /// Loose runs and dead marks are read through the snapshot, which only its own thread may do.
  private func isCountSafeOnAnyThread(_ index: SpatialIndex?) -> Bool {
    guard let index, plan.filters.isEmpty else { return false }
    return index.loose.isEmpty && index.pending.isEmpty
      && !index.clustered.contains(where: \.hasDead)
  }

  private func countsInParallel(
    _ regions: [Region], _ column: Column, _ index: SpatialIndex?
  ) -> [Int] {
    guard let index else { return regions.map { _ in 0 } }
    for chunk in 0..<table.chunkCount { _ = column.chunk(chunk) }
    var counts = regions.map { _ in 0 }
    counts.withUnsafeMutableBufferPointer { counts in
      // Each call writes its own place.
      nonisolated(unsafe) let counts = counts
      WorkerPool.shared.run(regions.count) { place in
        counts[place] = index.clustered.reduce(0) { $0 + $1.tree.count(in: regions[place]) }
      }
    }
    return counts
  }
}
