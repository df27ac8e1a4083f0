import CairnStorage
import CairnValues

/// A query bound to a table: the source of its rows, their filters and their order.
final class Plan {
  let query: TableQuery
  let table: Table
  let paths: PathBinder
  /// The query's own condition.
  let condition: BoundPredicate
  let filters: [Filter]
  /// The given rows, in their order; nil for every row of the table.
  let source: [Int]?
  /// The order of the first step; nil for the order of the source.
  let order: RowOrder?
  let distinct: [RowKey]
  let offset: Int
  /// Nil for all rows.
  let limit: Int?
  /// The steps behind order, distinct, offset and limit.
  let rest: [BoundStep]
  private var cachedScan: Scan?

  /// Creates a plan.
  ///
  /// - Parameter condition: The query's own condition, bound to the table's class.
  init(_ query: TableQuery, condition: BoundPredicate, table: Table) throws(QueryError) {
    self.query = query
    self.condition = condition
    self.table = table
    paths = PathBinder(table: table)
    let steps = StepBinder(paths: paths)
    try query.checkLimits()
    filters = try FilterBuilder(table: table).conjuncts(condition.root)
    let (plain, rest) = PlainSteps.leading(query.steps)
    if case .keys(let keys) = query.source {
      source = keys
      order = nil
      distinct = []
      offset = 0
      limit = nil
      self.rest = try steps.steps(plain.steps + rest)
    } else {
      source = nil
      order = try steps.order(plain.sort)
      distinct = try steps.rowKeys(plain.distinct)
      offset = plain.offset
      limit = plain.limit
      self.rest = try steps.steps(rest)
    }
  }

  /// Whether the query has the plain form and runs over the whole table.
  var isPlain: Bool { rest.isEmpty && source == nil }

  /// The range of rows to take from a source if no other step applies; nil if another step applies,
  /// or without a source.
  var streamedLimit: (offset: Int, count: Int?)? {
    guard source != nil else { return nil }
    if rest.isEmpty { return (0, nil) }
    guard rest.count == 1, case .limit(let offset, let count) = rest[0] else { return nil }
    return (offset, count)
  }

  /// The access path with its filters. The first access searches the indexes.
  var scan: Scan {
    if let cachedScan { return cachedScan }
    let scan = Planner(table: table).scan(filters)
    cachedScan = scan
    return scan
  }

  /// The number of ordered rows that offset and limit need.
  var rowsNeeded: Int {
    guard let limit else { return .max }
    let (sum, overflow) = offset.addingReportingOverflow(limit)
    return overflow ? .max : sum
  }

  /// The final order of the rows.
  var finalOrder: RowOrder? {
    for step in rest.reversed() {
      if case .sort(let order) = step { return order }
    }
    return order
  }

  /// The distance that is the whole order, nearest first; nil if there is another order.
  var nearest: DistanceSort? {
    guard let order, order.columns.count == 1, let sort = order.first as? DistanceSort,
      sort.isAscending
    else { return nil }
    return sort
  }
}

extension TableQuery {
  fileprivate func checkLimits() throws(QueryError) {
    for step in steps {
      guard case .limit(let offset, let count) = step, offset < 0 || count ?? 0 < 0 else {
        continue
      }
      throw QueryError(.invalidArgument, message: "offset and limit cannot be negative")
    }
  }
}
