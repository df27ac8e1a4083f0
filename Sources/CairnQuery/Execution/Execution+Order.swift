import CairnStorage

extension Execution {
  /// The keys of a result that is ordered or distinct.
  func orderedKeys() -> [Int] {
    guard plan.distinct.isEmpty else { return distinctKeys() }
    guard let order = plan.order else { return keys() }
    return rankedRows(order, reach: plan.reach).dropFirst(plan.offset).map(\.key)
  }

  /// The first `reach` rows in order.
  func rankedRows(_ order: RowOrder, reach: Int) -> [RankedRow] {
    guard reach > 0 else { return [] }
    if let nearest = plan.nearest, reach < .max,
      let rows = Nearest(self, nearest, order, reach).rows()
    {
      return rows
    }
    // A heap that holds much of the table costs more than sorting.
    if reach <= max(1024, table.liveCount / 64) { return topRows(order, reach) }
    let sinks = gather(plan.scan) { RankSink(order) }
    var rows = sinks.count == 1 ? sinks[0].rows : sinks.flatMap(\.rows)
    order.sort(&rows)
    return reach < rows.count ? Array(rows[..<reach]) : rows
  }

  /// Calls `visit` with the keys of an unlimited order until it says no, in growing portions.
  func forEachRow(_ order: RowOrder, _ visit: (Int) -> Bool) {
    var done = plan.offset
    var (reach, overflow) = done.addingReportingOverflow(64)
    while !overflow {
      let rows = rankedRows(order, reach: reach)
      for row in rows.dropFirst(done) where !visit(row.key) { return }
      if rows.count < reach { return }
      done = reach
      // Only the walk of an R-tree goes on about as cheaply as it began.
      (reach, overflow) =
        plan.nearest == nil ? (.max, false) : reach.multipliedReportingOverflow(by: 16)
    }
  }

  /// The first rows of an order through heaps of that capacity.
  func topRows(_ order: RowOrder, _ capacity: Int) -> [RankedRow] {
    let scan = plan.scan
    let sinks: [TopSink]
    if case .chunks = scan.driver, scan.allChunks.count > 1 {
      sinks = Parallel(scan, workspace, sharing, scan.allChunks).gatherBestFirst(order) {
        TopSink(order, capacity: capacity)
      }
    } else {
      sinks = gather(scan) { TopSink(order, capacity: capacity) }
    }
    let top = sinks[0]
    for sink in sinks.dropFirst() { top.merge(sink) }
    return top.ordered()
  }

  /// Of rows that are equal in the distinct properties, the first in the current order.
  private func distinctKeys() -> [Int] {
    let seen = Seen(plan.distinct)
    var keys: [Int] = []
    let reach = plan.reach
    guard reach > 0 else { return [] }
    if let order = plan.order {
      for row in rankedRows(order, reach: .max) where seen.isNew(row.key) {
        keys.append(row.key)
        if keys.count == reach { break }
      }
    } else {
      let sink = VisitSink { key in
        if seen.isNew(key) { keys.append(key) }
        return keys.count < reach
      }
      _ = plan.scan.run(plan.scan.allChunks, into: sink, workspace)
    }
    return Array(keys.dropFirst(plan.offset))
  }
}
