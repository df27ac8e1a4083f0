import CairnStorage
import CairnValues

/// Chooses how a query's rows are found: the cheapest way first, by what indexes know exactly.
struct Planner {
  let table: Table

  /// Nanoseconds to hold one candidate of a value index against the other conditions.
  private static let costOfCandidate = 60.0
  /// Nanoseconds for a row of a scan.
  private static let costOfRow = 0.3
  /// Nanoseconds for a row that the R-tree gives, and for asking it at all.
  private static let costOfHit = 3.0
  private static let costOfDescent = 2000.0

  /// The way to the rows that pass all filters.
  func scan(_ filters: [Filter]) -> Scan {
    if filters.contains(where: { ($0 as? ConstantFilter)?.value == false }) {
      return Scan(table, .keys([], .nowhere), [])
    }
    if let driver = primaryKey(filters) { return Scan(table, driver, filters) }
    let regions = filters.compactMap { $0 as? WithinFilter }.filter { $0.source.index != nil }
    let region = cheapest(regions)
    if let (request, estimate) = valueIndex(filters),
      Double(estimate) * Planner.costOfCandidate < cost(of: region)
    {
      return Scan(
        table, .keys(candidates(request), .valueIndex(request.column.schema.name)), filters)
    }
    guard let region else { return Scan(table, .chunks, filters) }
    return Scan(table, .region(region), filters.filter { $0 !== region })
  }

  /// What the other ways cost at best, roughly.
  private func cost(of region: WithinFilter?) -> Double {
    guard let region else { return Double(table.endKey) * Planner.costOfRow }
    return Planner.costOfDescent + Double(region.source.estimate) * Planner.costOfHit
  }

  private func cheapest(_ regions: [WithinFilter]) -> WithinFilter? {
    guard regions.count > 1 else { return regions.first }
    return regions.min { $0.source.estimate < $1.source.estimate }
  }

  /// The row that an equality on the primary key leaves, if any; nil: there is no such condition.
  private func primaryKey(_ filters: [Filter]) -> Driver? {
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

  /// The value index with the fewest candidates, and how many.
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
    return keys.sortedWithoutRepeats()
  }
}

extension ValueRange {
  /// The one value of a range that holds no other.
  fileprivate var only: Value? {
    guard case .including(let low) = lower, case .including(let high) = upper, low == high else {
      return nil
    }
    return low
  }
}
