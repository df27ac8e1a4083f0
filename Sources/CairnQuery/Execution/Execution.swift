import CairnStorage

/// A query on one table, and its results: nothing runs before one is asked for, and nothing more than
/// it needs.
///
/// Confined to the thread of the table's snapshot; the work inside spreads over all cores where it is
/// worth it. It answers for the table as it was when it was first asked: after a change inside a write
/// transaction make a new one, which costs about a microsecond.
package final class Execution {
  package let query: Query
  package let table: Table
  let plan: Plan
  var workspaceIfMade: Workspace?

  let sharing: Sharing

  /// Binds the query; `sharing` says when work goes to all cores.
  ///
  /// - Throws: `PredicateError` with the place when the condition does not fit the class, `QueryError`
  ///   when an order or a distinct property does not.
  package init(_ query: Query, on table: Table, sharing: Sharing = .worthwhile) throws {
    self.sharing = sharing
    self.query = query
    self.table = table
    plan = try Plan(query, try query.predicate.bound(to: table.schema).root, table)
  }

  /// The scratch memory of the calling thread.
  var workspace: Workspace {
    if let workspaceIfMade { return workspaceIfMade }
    let made = Workspace()
    workspaceIfMade = made
    return made
  }

  /// Rows in the result.
  package func count() -> Int {
    if !plan.distinct.isEmpty { return keys().count }
    if plan.reach < .max {
      let sink = KeySink(limit: plan.reach)
      if plan.reach > 0 { _ = plan.scan.run(plan.scan.allChunks, into: sink, workspace) }
      return max(0, sink.keys.count - query.offset)
    }
    return max(0, countAll() - query.offset)
  }

  /// Rows that match, before offset and limit.
  private func countAll() -> Int {
    let scan = plan.scan
    if scan.filters.isEmpty {
      switch scan.driver {
      case .chunks: return table.liveCount
      case .region(let filter): return filter.source.count()
      case .keys(let keys, _): if keys.isEmpty { return 0 }
      }
    }
    return gather(scan) { CountSink() }.reduce(0) { $0 + $1.total }
  }

  /// The first key of the result.
  package func first() -> Int? {
    if let order = plan.order, plan.distinct.isEmpty, query.limit != 0, query.offset < .max {
      return rankedRows(order, reach: query.offset + 1).dropFirst(query.offset).first?.key
    }
    var found: Int?
    forEachKey { key in
      found = key
      return false
    }
    return found
  }

  /// Whether anything matches.
  package func isEmpty() -> Bool { first() == nil }

  /// Every key of the result, in order.
  package func keys() -> [Int] {
    if plan.order != nil || !plan.distinct.isEmpty { return orderedKeys() }
    if plan.reach == .max {
      let sinks = gather(plan.scan) { KeySink() }
      let keys = sinks.count == 1 ? sinks[0].keys : joined(sinks)
      return query.offset == 0 ? keys : Array(keys.dropFirst(query.offset))
    }
    let sink = KeySink(limit: plan.reach)
    if plan.reach > 0 { _ = plan.scan.run(plan.scan.allChunks, into: sink, workspace) }
    return Array(sink.keys.dropFirst(query.offset))
  }

  private func joined(_ sinks: [KeySink]) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(sinks.reduce(0) { $0 + $1.keys.count })
    for sink in sinks { keys += sink.keys }
    return keys
  }

  /// Calls `visit` with the keys of the result, in order, until it says no. Without an order nothing
  /// beyond the chunk in hand has been looked at by then.
  package func forEachKey(_ visit: (Int) -> Bool) {
    if plan.order != nil || !plan.distinct.isEmpty {
      if let order = plan.order, plan.distinct.isEmpty, query.limit == nil {
        return forEachRow(order, visit)
      }
      for key in orderedKeys() where !visit(key) { return }
      return
    }
    var toSkip = query.offset
    var left = query.limit ?? .max
    guard left > 0 else { return }
    withoutActuallyEscaping(visit) { visit in
      let sink = VisitSink { key in
        if toSkip > 0 {
          toSkip -= 1
          return true
        }
        left -= 1
        return visit(key) && left > 0
      }
      _ = plan.scan.run(plan.scan.allChunks, into: sink, workspace)
    }
  }

  /// Runs a query without order, limit or distinct into sinks, one a part; the parts follow one another
  /// in the order of keys.
  func gather<S: Sink>(_ scan: Scan, _ make: () -> S) -> [S] {
    Parallel(scan, workspace, sharing).gather(make)
  }
}
