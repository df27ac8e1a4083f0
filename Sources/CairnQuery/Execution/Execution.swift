import CairnStorage

/// A query on one table, and its results: nothing runs before one is asked for, and nothing more than
/// it needs.
///
/// Confined to the thread of the table's snapshot; the work inside spreads over all cores where it is
/// worth it. It answers for the table as it was when it was first asked: after a change inside a write
/// transaction make a new one, which costs about a microsecond.
package final class Execution {
  package let query: TableQuery
  package let table: Table
  let plan: Plan
  var workspaceIfMade: Workspace?

  let sharing: Sharing

  /// Binds the query; `sharing` says when work goes to all cores.
  ///
  /// - Throws: `PredicateError` with the place when the condition does not fit the class, `QueryError`
  ///   when an order or a distinct property does not.
  package init(_ query: TableQuery, on table: Table, sharing: Sharing = .worthwhile) throws {
    self.sharing = sharing
    self.query = query
    self.table = table
    plan = try Plan(
      query, try query.predicate.bound(to: table.schema, in: table.classes).root, table)
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
    if !plan.isPlain || !plan.distinct.isEmpty { return keys().count }
    if plan.reach < .max {
      let sink = CountSink(limit: plan.reach)
      if plan.reach > 0 { _ = plan.scan.run(plan.scan.allChunks, into: sink, workspace) }
      return max(0, sink.total - plan.offset)
    }
    return max(0, countAll() - plan.offset)
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
    if plan.isPlain, let order = plan.order, plan.distinct.isEmpty, plan.limit != 0,
      plan.offset < .max
    {
      return rankedRows(order, reach: plan.offset + 1).dropFirst(plan.offset).first?.key
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
    if plan.isPlain { return plainKeys() }
    if plan.streamedLimit != nil { return Array(makeCursor()) }
    return plan.rest.reduce(firstKeys()) { $1.applied(to: $0) }
  }

  /// The keys of the rows of the table that pass, with order, distinct, offset and limit applied.
  func plainKeys() -> [Int] {
    if plan.order != nil || !plan.distinct.isEmpty { return orderedKeys() }
    guard plan.reach == .max else { return Array(KeyCursor(plain: self)) }
    let keys = keys(in: plan.scan.allChunks)
    return plan.offset == 0 ? keys : Array(keys.dropFirst(plan.offset))
  }

  /// The keys of matching rows of a range of chunks, before offset and limit.
  func keys(in chunks: Range<Int>) -> [Int] {
    let sinks = Parallel(plan.scan, workspace, sharing, chunks).gather { KeySink() }
    return sinks.count == 1 ? sinks[0].keys : joined(sinks)
  }

  private func joined(_ sinks: [KeySink]) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(sinks.reduce(0) { $0 + $1.keys.count })
    for sink in sinks { keys += sink.keys }
    return keys
  }

  /// Calls `visit` with the keys of the result, in order, until it says no. Without an order little more
  /// has been looked at by then than what was given.
  package func forEachKey(_ visit: (Int) -> Bool) {
    if plan.isPlain, let order = plan.order, plan.distinct.isEmpty, plan.limit == nil {
      return forEachRow(order, visit)
    }
    for key in makeCursor() where !visit(key) { return }
  }

  /// Runs a query without order, limit or distinct into sinks, one a part; the parts follow one another
  /// in the order of keys.
  func gather<S: Sink>(_ scan: Scan, _ make: () -> S) -> [S] {
    Parallel(scan, workspace, sharing, scan.allChunks).gather(make)
  }
}
