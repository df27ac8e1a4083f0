import CairnGeometry
import CairnStorage
import CairnValues

/// A query on one table, and its results. Nothing runs until a result is requested, and then only
/// as much as it needs.
///
/// Confined to the thread of the table's snapshot; the work inside uses all cores when that is
/// worthwhile. It sees the table as of the first request. After a change inside a write transaction
/// make a new one, which costs about a microsecond.
package final class Execution {
  /// The query.
  package let query: TableQuery
  /// The table that the query runs on.
  package let table: Table
  let plan: Plan
  var cachedScratch: ScratchBuffers?
  /// The report of the query if it takes long; nil for none.
  package var watch: SlowQueryWatch?
  /// Whether the time of the query is being measured.
  var isWatched = false

  let thresholds: ParallelismThresholds
  /// The time at which the query ends; nil for no limit.
  package let deadline: QueryDeadline?

  /// Binds the query.
  ///
  /// - Parameters:
  ///   - thresholds: The sizes from which work is split over all cores.
  ///   - deadline: The time at which the query ends, whether or not it is complete.
  /// - Throws: ``PredicateError`` with the position if the condition does not fit the class,
  ///   ``QueryError`` if an order or a distinct property does not.
  package convenience init(
    _ query: TableQuery, on table: Table, thresholds: ParallelismThresholds = .worthwhile,
    deadline: QueryDeadline? = nil
  ) throws {
    try self.init(
      query, condition: query.predicate.bound(to: table.schema, in: table.classes), on: table,
      thresholds: thresholds, deadline: deadline)
  }

  /// Binds the rest of a query whose condition is bound already.
  ///
  /// - Parameters:
  ///   - condition: The condition in place of the query's predicate, bound to the table's class.
  ///   - thresholds: The sizes from which work is split over all cores.
  ///   - deadline: The time at which the query ends, whether or not it is complete.
  /// - Throws: ``QueryError`` if an order or a distinct property does not fit the class.
  package init(
    _ query: TableQuery, condition: BoundPredicate, on table: Table,
    thresholds: ParallelismThresholds = .worthwhile, deadline: QueryDeadline? = nil
  ) throws(QueryError) {
    self.thresholds = thresholds
    self.deadline = deadline
    self.query = query
    self.table = table
    plan = try Plan(query, condition: condition, table: table)
  }

  /// The condition, bound to the table's class.
  package var condition: BoundPredicate { plan.condition }

  /// The scratch memory of the calling thread.
  var scratch: ScratchBuffers {
    if let cachedScratch { return cachedScratch }
    let made = ScratchBuffers(deadline: deadline)
    cachedScratch = made
    return made
  }

  /// The number of rows in the result.
  package func count() -> Int { watched(rows: { $0 }) { counted() } }

  private func counted() -> Int {
    if !plan.isPlain || !plan.distinct.isEmpty { return keys().count }
    if plan.rowsNeeded < .max {
      let sink = CountSink(limit: plan.rowsNeeded)
      if plan.rowsNeeded > 0 {
        _ = plan.scan.run(plan.scan.allChunks, into: sink, scratch: scratch)
      }
      return max(0, sink.total - plan.offset)
    }
    return max(0, countAll() - plan.offset)
  }

  /// The number of matching rows, before offset and limit.
  private func countAll() -> Int {
    let scan = plan.scan
    if scan.filters.isEmpty {
      switch scan.accessPath {
      case .chunks: return table.liveCount
      case .spatial(.points(let filter)): return filter.source.count()
      case .spatial(.boxes): break
      case .keys(let keys, _): if keys.isEmpty { return 0 }
      }
    }
    return gather(scan) { CountSink() }.reduce(0) { $0 + $1.total }
  }

  /// The first key of the result.
  package func first() -> Int? { watched(rows: { $0 == nil ? 0 : 1 }) { firstFound() } }

  private func firstFound() -> Int? {
    if plan.isPlain, let order = plan.order, plan.distinct.isEmpty, plan.limit != 0,
      plan.offset < .max
    {
      return sortKeyedRows(order, rowsNeeded: plan.offset + 1).dropFirst(plan.offset).first?.key
    }
    var found: Int?
    forEachKey { key in
      found = key
      return false
    }
    return found
  }

  /// Whether the result is empty.
  package func isEmpty() -> Bool { first() == nil }

  /// Every key of the result, in order.
  package func keys() -> [Int] { watched(rows: \.count) { allKeys() } }

  private func allKeys() -> [Int] {
    if plan.isPlain { return plainKeys() }
    if plan.streamedLimit != nil { return Array(makeCursor()) }
    return plan.rest.reduce(firstKeys()) { $1.applied(to: $0) }
  }

  /// The keys of the table's matching rows, with order, distinct, offset and limit applied.
  func plainKeys() -> [Int] {
    if plan.order != nil || !plan.distinct.isEmpty { return orderedKeys() }
    guard plan.rowsNeeded == .max else { return Array(KeyCursor(plain: self)) }
    let keys = keys(in: plan.scan.allChunks)
    return plan.offset == 0 ? keys : Array(keys.dropFirst(plan.offset))
  }

  /// The keys of matching rows in a range of chunks, before offset and limit.
  func keys(in chunks: Range<Int>) -> [Int] {
    let sinks = Parallel(plan.scan, scratch: scratch, thresholds: thresholds, chunks: chunks).gather
    { KeySink() }
    return sinks.count == 1 ? sinks[0].keys : joined(sinks)
  }

  private func joined(_ sinks: [KeySink]) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(sinks.reduce(0) { $0 + $1.keys.count })
    for sink in sinks { keys += sink.keys }
    return keys
  }

  /// Calls `visit` with the keys of the result, in order, until it returns false. Without an order,
  /// the query reads little more than the rows visited.
  package func forEachKey(_ visit: (Int) -> Bool) {
    if plan.isPlain, let order = plan.order, plan.distinct.isEmpty, plan.limit == nil {
      return forEachRow(order, visit: visit)
    }
    for key in makeCursor() where !visit(key) { return }
  }

  /// Calls `visit` with the keys of the result, in order and `size` at a time, until it returns false.
  package func forEachBatch(of size: Int, _ visit: ([Int]) -> Bool) {
    var batch: [Int] = []
    batch.reserveCapacity(size)
    var isWanted = true
    forEachKey { key in
      batch.append(key)
      guard batch.count == size else { return true }
      isWanted = visit(batch)
      batch.removeAll(keepingCapacity: true)
      return isWanted
    }
    if isWanted, !batch.isEmpty { _ = visit(batch) }
  }

  /// Runs a query without order, limit or distinct into sinks, one for each part. The parts are in
  /// the order of keys.
  func gather<S: Sink>(_ scan: Scan, make: () -> S) -> [S] {
    Parallel(scan, scratch: scratch, thresholds: thresholds, chunks: scan.allChunks).gather(make)
  }
}

extension Execution {
  /// The last key of the result. Without an order the search begins at the end.
  package func last() -> Int? { watched(rows: { $0 == nil ? 0 : 1 }) { lastFound() } }

  private func lastFound() -> Int? {
    guard plan.isPlain, plan.order == nil, plan.distinct.isEmpty, plan.offset == 0,
      plan.limit == nil
    else { return keys().last }
    var end = plan.scan.allChunks.upperBound
    var portion = 1
    while end > 0 {
      let start = max(0, end - portion)
      if let key = keys(in: start..<end).last { return key }
      end = start
      portion = min(portion * 4, 1024)
    }
    return nil
  }
}

extension Execution {
  /// A cursor over the result's keys in order, which runs no further than it is read. Read it only
  /// while the snapshot is open.
  package func makeCursor() -> KeyCursor { KeyCursor(self) }

  /// A cursor over the result's keys behind a key, whether or not that row still exists. The query
  /// must have a condition and a limit only.
  package func makeCursor(after key: Int) -> KeyCursor { KeyCursor(plain: self, after: key) }

  /// The metres on the sphere from the shape that the result is ordered by to the location or
  /// geometry of a row; nil if the order is not by distance, or if the row has neither.
  package func distance(of key: Int) -> Double? {
    plan.finalOrder?.first.radians(key).map { $0 * Sphere.radius }
  }

  /// Whether a row meets the predicate. Later steps are ignored.
  package func matches(_ key: Int) -> Bool {
    guard table.isLive(key), plan.source?.contains(key) ?? true else { return false }
    for filter in plan.filters where !filter.holds(key, scratch: scratch) { return false }
    return true
  }
}
