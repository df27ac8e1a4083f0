import CairnStorage
import CairnValues

/// Chooses a query's access path: the cheapest one, by the exact counts that indexes give.
struct Planner {
  let table: Table

  /// Nanoseconds to test one candidate of a value index against the other conditions.
  private static let costOfCandidate = 60.0
  /// Nanoseconds for a row of a scan.
  private static let costOfRow = 0.3
  /// Nanoseconds for the search of an R-tree itself.
  private static let costOfDescent = 2000.0

  /// The access path to the rows of a table that pass all filters.
  static let scan: ScanPlanner = { table, filters in Planner(table: table).scan(filters) }

  /// The access path to the rows that pass all filters.
  func scan(_ filters: [Filter]) -> Scan {
    if filters.contains(where: \.matchesNothing) {
      return Scan(table, accessPath: .keys([], .nowhere), filters: [])
    }
    if let accessPath = primaryKey(filters) {
      return Scan(table, accessPath: accessPath, filters: filters)
    }
    let spatial = cheapest(filters.compactMap(\.spatialAccess))
    if let (request, estimate) = valueIndex(filters),
      Double(estimate) * Planner.costOfCandidate < cost(of: spatial)
    {
      return Scan(
        table, accessPath: .keys(candidates(request), .valueIndex(request.column.schema.name)),
        filters: filters)
    }
    guard let spatial else { return Scan(table, accessPath: .chunks, filters: filters) }
    return Scan(
      table, accessPath: .spatial(spatial), filters: filters.filter { $0 !== spatial.filter })
  }

  /// A rough lower bound for the cost of the other access paths.
  private func cost(of spatial: SpatialAccess?) -> Double {
    guard let spatial else { return Double(table.endKey) * Planner.costOfRow }
    return Planner.costOfDescent + Double(spatial.estimate) * spatial.costOfRow
  }

  private func cheapest(_ choices: [SpatialAccess]) -> SpatialAccess? {
    guard choices.count > 1 else { return choices.first }
    return choices.min { cost(of: $0) < cost(of: $1) }
  }

  /// The row found by an equality on the primary key, if any; nil without such a condition.
  private func primaryKey(_ filters: [Filter]) -> AccessPath? {
    guard let position = table.schema.primaryKey else { return nil }
    for filter in filters {
      guard let request = filter.indexRequest, request.column.schema.position == position,
        request.ranges.count == 1, let value = request.ranges[0].only
      else { continue }
      let found = table.find(primaryKey: value).map { [$0] } ?? []
      return .keys(found, .primaryKey(request.column.schema.name))
    }
    return nil
  }

  /// The value index with the fewest candidates, and their number.
  private func valueIndex(_ filters: [Filter]) -> (IndexRequest, Int)? {
    var best: (IndexRequest, Int)?
    for filter in filters {
      guard let request = filter.indexRequest,
        let index = table.valueIndex(request.column.schema.position)
      else { continue }
      let estimate = request.ranges.reduce(0) { $0 + index.estimate($1) }
      if estimate < best?.1 ?? .max { best = (request, estimate) }
    }
    return best
  }

  private func candidates(_ request: IndexRequest) -> [Int] {
    guard let index = table.valueIndex(request.column.schema.position) else { return [] }
    var keys: [Int] = []
    for range in request.ranges {
      index.candidates(range) { key in
        keys.append(key)
        return true
      }
    }
    return keys.sortedUnique()
  }
}

extension ValueRange {
  /// The single value of a range that contains no other.
  fileprivate var only: Value? {
    guard case .including(let low) = lower, case .including(let high) = upper, low == high else {
      return nil
    }
    return low
  }
}
