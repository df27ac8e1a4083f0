import CairnStorage
import CairnValues

/// A query bound to a table: where its rows come from, what they must pass, how they are ordered.
final class Plan {
  let query: TableQuery
  let table: Table
  let builder: FilterBuilder
  let filters: [Filter]
  /// The rows that are asked, in their order; nil: every row of the table.
  let source: [Int]?
  /// The order of the first step; nil: as the rows come.
  let order: RowOrder?
  let distinct: [RowKey]
  let offset: Int
  /// nil: all.
  let limit: Int?
  /// What is done with the rows after order, distinct, offset and limit.
  let rest: [BoundStep]
  private var scanIfMade: Scan?

  /// `condition` is the query's own, bound to the class.
  init(_ query: TableQuery, _ condition: Node, _ table: Table) throws(QueryError) {
    self.query = query
    self.table = table
    builder = FilterBuilder(table: table)
    try query.checkLimits()
    filters = try builder.conjuncts(condition)
    let (plain, rest) = PlainSteps.leading(query.steps)
    if case .keys(let keys) = query.source {
      source = keys
      order = nil
      distinct = []
      offset = 0
      limit = nil
      self.rest = try builder.steps(plain.steps + rest)
    } else {
      source = nil
      order = try builder.order(plain.sort)
      distinct = try builder.rowKeys(plain.distinct)
      offset = plain.offset
      limit = plain.limit
      self.rest = try builder.steps(rest)
    }
  }

  /// Whether the query is of the plain shape, over the whole table.
  var isPlain: Bool { rest.isEmpty && source == nil }

  /// What of the rows of a source is taken, where nothing else is done with them; nil: something is, or there
  /// is no source.
  var streamedLimit: (offset: Int, count: Int?)? {
    guard source != nil else { return nil }
    if rest.isEmpty { return (0, nil) }
    guard rest.count == 1, case .limit(let offset, let count) = rest[0] else { return nil }
    return (offset, count)
  }

  /// How the rows are found; indexes are asked when this is first needed.
  var scan: Scan {
    if let scanIfMade { return scanIfMade }
    let scan = Planner(table: table).scan(filters)
    scanIfMade = scan
    return scan
  }

  /// Rows that have to be found, in order, for offset and limit.
  var reach: Int {
    guard let limit else { return .max }
    let (sum, overflow) = offset.addingReportingOverflow(limit)
    return overflow ? .max : sum
  }

  /// The order that the rows have in the end.
  var finalOrder: RowOrder? {
    for step in rest.reversed() {
      if case .sort(let order) = step { return order }
    }
    return order
  }

  /// The distance the rows are ordered by, nearest first, where that is the whole order.
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
      throw QueryError(.invalidArgument, "offset and limit cannot be negative")
    }
  }
}

extension FilterBuilder {
  /// The order of sort keys; nil when there is none.
  func order(_ keys: [SortKey]) throws(QueryError) -> RowOrder? {
    var columns: [SortColumn] = []
    for key in keys { columns.append(try sortColumn(key)) }
    return RowOrder(columns)
  }

  private func sortColumn(_ key: SortKey) throws(QueryError) -> SortColumn {
    switch key {
    case .property(let path, let isAscending):
      if let column = try directColumn(path) { return try sortColumn(column, isAscending) }
      return try sortColumn(path, try route(path), isAscending)
    case .distance(let path, let longitude, let latitude, let isAscending):
      let route = try route(path, isLocation: true)
      guard case .column(let column) = route.end, column.schema.hasSpatialIndex else {
        throw unsortable(path, "has no distance from a point")
      }
      guard abs(longitude) <= 180, abs(latitude) <= 90 else {
        throw QueryError(
          .invalidArgument, "no place has longitude \(longitude) and latitude \(latitude)")
      }
      let sort = DistanceSort(
        column, longitude: longitude, latitude: latitude, isAscending: isAscending)
      return try linked(sort, path, route)
    }
  }

  /// The key at the end of a path through links.
  private func sortColumn(
    _ path: PropertyPath, _ route: Route, _ isAscending: Bool
  ) throws(QueryError) -> SortColumn {
    let end: SortColumn
    switch route.end {
    case .object: throw unsortable(path, "leads to an object, which has no order of its own")
    case .column(let column) where !route.isMixed: end = try sortColumn(column, isAscending)
    case .column(let column), .entry(let column, _):
      guard !route.below.contains(where: \.isMany) else { throw isMany(path) }
      let reader = PathReader(
        Route(hops: [], end: route.end, endTable: route.endTable, below: route.below))
      end = ReaderSort(column, reader, isAscending: isAscending)
    case .elements, .keys: throw isMany(path)
    }
    return try linked(end, path, route)
  }

  private func linked(
    _ sort: SortColumn, _ path: PropertyPath, _ route: Route
  ) throws(QueryError) -> SortColumn {
    var sort = sort
    for hop in route.hops.reversed() {
      guard let column = hop.ownColumn, !hop.isMany else { throw isMany(path) }
      sort = LinkedSort(column, hop, sort)
    }
    return sort
  }

  private func isMany(_ path: PropertyPath) -> QueryError {
    unsortable(path, "leads to several values, of which none is the one to sort by")
  }

  private func unsortable(_ path: PropertyPath, _ what: String) -> QueryError {
    QueryError(.typeMismatch, "'\(path)' of class '\(table.schema.name)' \(what)")
  }

  private func sortColumn(_ column: Column, _ isAscending: Bool) throws(QueryError) -> SortColumn {
    switch column.schema.type {
    case .bool, .int: return IntegerSort(column, isAscending: isAscending)
    case .double, .date: return DoubleSort(column, isAscending: isAscending)
    case .float: return FloatSort(column, isAscending: isAscending)
    case .string, .data, .objectId, .uuid: return BytesSort(column, isAscending: isAscending)
    case .decimal128, .mixed: return ValueSort(column, isAscending: isAscending)
    case .point: throw mismatch(column, "has no order; sort by its distance from a point")
    case .link, .embedded: throw mismatch(column, "has no order of its own")
    }
  }
}
