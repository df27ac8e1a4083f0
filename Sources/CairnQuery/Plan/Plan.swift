import CairnStorage
import CairnValues

/// A query bound to a table: where its rows come from, what they must pass, how they are ordered.
final class Plan {
  let query: TableQuery
  let table: Table
  let builder: FilterBuilder
  let filters: [Filter]
  /// nil: by rising key.
  let order: RowOrder?
  let distinct: [Column]
  private var scanIfMade: Scan?

  /// `condition` is the query's own, bound to the class.
  init(_ query: TableQuery, _ condition: Node, _ table: Table) throws(QueryError) {
    guard query.offset >= 0, query.limit ?? 0 >= 0 else {
      throw QueryError(.invalidArgument, "offset and limit cannot be negative")
    }
    self.query = query
    self.table = table
    builder = FilterBuilder(table: table)
    filters = try builder.conjuncts(condition)
    order = try builder.order(query.sort)
    var columns: [Column] = []
    for name in query.distinct { columns.append(try builder.column(name)) }
    distinct = columns
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
    guard let limit = query.limit else { return .max }
    let (sum, overflow) = query.offset.addingReportingOverflow(limit)
    return overflow ? .max : sum
  }

  /// The distance the rows are ordered by, nearest first, where that is the whole order.
  var nearest: DistanceSort? {
    guard let order, order.columns.count == 1, let sort = order.first as? DistanceSort,
      sort.isAscending
    else { return nil }
    return sort
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
    case .property(let name, let isAscending):
      return try sortColumn(try column(name), isAscending)
    case .distance(let name, let longitude, let latitude, let isAscending):
      let column = try column(name)
      guard column.schema.hasSpatialIndex else {
        throw mismatch(column, "has no distance from a point")
      }
      guard abs(longitude) <= 180, abs(latitude) <= 90 else {
        throw QueryError(
          .invalidArgument, "no place has longitude \(longitude) and latitude \(latitude)")
      }
      return DistanceSort(
        column, longitude: longitude, latitude: latitude, isAscending: isAscending)
    }
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
