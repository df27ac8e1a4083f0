import CairnStorage

extension Execution {
  /// The keys of a result that is ordered or distinct.
  func orderedKeys() -> [Int] {
    guard plan.distinct.isEmpty else { return distinctKeys() }
    guard let order = plan.order else { return keys() }
    return sortKeyedRows(order, rowsNeeded: plan.rowsNeeded).dropFirst(plan.offset).map(\.key)
  }

  /// The first `rowsNeeded` rows in order.
  func sortKeyedRows(_ order: RowOrder, rowsNeeded: Int) -> [SortKeyedRow] {
    guard rowsNeeded > 0 else { return [] }
    if let nearest = plan.nearest, rowsNeeded < .max,
      let rows = NearestRows(self, sort: nearest, order: order, rowsNeeded: rowsNeeded).rows()
    {
      return rows
    }
    // A heap that contains much of the table costs more than sorting.
    if rowsNeeded <= max(1024, table.liveCount / 64) { return topRows(order, capacity: rowsNeeded) }
    let sinks = gather(plan.scan) { SortKeySink(order) }
    var rows = sinks.count == 1 ? sinks[0].rows : sinks.flatMap(\.rows)
    order.sort(&rows)
    return rowsNeeded < rows.count ? Array(rows[..<rowsNeeded]) : rows
  }

  /// Calls `visit` with the keys of an unlimited order until it returns false. It finds them in
  /// growing portions.
  func forEachRow(_ order: RowOrder, visit: (Int) -> Bool) {
    var done = plan.offset
    var (rowsNeeded, overflow) = done.addingReportingOverflow(64)
    while !overflow {
      let rows = sortKeyedRows(order, rowsNeeded: rowsNeeded)
      for row in rows.dropFirst(done) where !visit(row.key) { return }
      if rows.count < rowsNeeded { return }
      done = rowsNeeded
      // Only the traversal of an R-tree continues about as cheaply as it began.
      (rowsNeeded, overflow) =
        plan.nearest == nil ? (.max, false) : rowsNeeded.multipliedReportingOverflow(by: 16)
    }
  }

  /// The first rows of an order, found with heaps of that capacity.
  func topRows(_ order: RowOrder, capacity: Int) -> [SortKeyedRow] {
    let scan = plan.scan
    let sinks: [TopSink]
    if case .chunks = scan.accessPath, scan.allChunks.count > 1 {
      sinks = Parallel(scan, scratch: scratch, thresholds: thresholds, chunks: scan.allChunks)
        .gatherBestFirst(order) {
          TopSink(order, capacity: capacity)
        }
    } else {
      sinks = gather(scan) { TopSink(order, capacity: capacity) }
    }
    let top = sinks[0]
    for sink in sinks.dropFirst() { top.merge(sink) }
    return top.ordered()
  }

  /// The first row, in the current order, of each combination of the distinct properties.
  private func distinctKeys() -> [Int] {
    let seen = DistinctSet(plan.distinct)
    var keys: [Int] = []
    let rowsNeeded = plan.rowsNeeded
    guard rowsNeeded > 0 else { return [] }
    if let order = plan.order {
      for row in sortKeyedRows(order, rowsNeeded: .max) where seen.isNew(row.key) {
        keys.append(row.key)
        if keys.count == rowsNeeded { break }
      }
    } else {
      let sink = VisitSink { key in
        if seen.isNew(key) { keys.append(key) }
        return keys.count < rowsNeeded
      }
      _ = plan.scan.run(plan.scan.allChunks, into: sink, scratch: scratch)
    }
    return Array(keys.dropFirst(plan.offset))
  }
}
