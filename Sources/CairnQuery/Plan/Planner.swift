import CairnStorage
import CairnValues

/// Chooses a query's access path: the cheapest one, by the exact counts that indexes give.
struct Planner {
  let table: Table

  /// Nanoseconds to test one candidate of a value index against the other conditions.
  private static let costOfCandidate = 60.0
  /// Nanoseconds for a row of a scan.
  private static let costOfRow = 0.3
  /// The number of matches of a full-text search that cost less than to ask other indexes.
  private static let fewMatches = 64
  /// Nanoseconds for the search of an R-tree itself.
  fileprivate static let costOfDescent = 2000.0
  /// Nanoseconds for a row of a scan that is tested against a disjunction of spatial conditions.
  private static let costOfUnionTest = 1.0
  /// Nanoseconds to gather and sort a row of a union.
  fileprivate static let costOfUnionRow = 30.0

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
    let search = fewestMatches(filters)
    if let search, search.matches.count <= Planner.fewMatches { return scan(filters, search) }
    let spatial = cheapest(filters.compactMap(\.spatialAccess))
    let value = valueIndex(filters)
    if let search, search.matches.count < value?.1 ?? .max,
      Double(search.matches.count) * Planner.costOfCandidate < cost(of: spatial)
    {
      return scan(filters, search)
    }
    if let (request, estimate) = value,
      Double(estimate) * Planner.costOfCandidate < cost(of: spatial)
    {
      return Scan(
        table, accessPath: .keys(candidates(request), .valueIndex(request.column.schema.name)),
        filters: filters)
    }
    if let union = cheapestUnion(filters), union.cost < cost(of: spatial, of: union) {
      return Scan(
        table, accessPath: .keys(union.candidates(in: table), union.source),
        filters: union.isExact ? filters.filter { $0 !== union.filter } : filters)
    }
    guard let spatial else { return Scan(table, accessPath: .chunks, filters: filters) }
    return Scan(
      table, accessPath: .spatial(spatial), filters: filters.filter { $0 !== spatial.filter })
  }

  /// The scan of the rows that a full-text search has found.
  private func scan(_ filters: [Filter], _ search: TextFilter) -> Scan {
    Scan(
      table, accessPath: .keys(search.matches.keys, .textIndex(search.column.schema.name)),
      filters: search.matches.isExact ? filters.filter { $0 !== search } : filters)
  }

  /// A rough lower bound for the cost of the other access paths.
  private func cost(of spatial: SpatialAccess?) -> Double {
    guard let spatial else { return Double(table.endKey) * Planner.costOfRow }
    return Planner.costOfDescent + Double(spatial.estimate) * spatial.costOfRow
  }

  /// A rough cost of the access paths other than a union. A scan tests every row against it.
  private func cost(of spatial: SpatialAccess?, of union: SpatialUnion) -> Double {
    if spatial != nil { return cost(of: spatial) }
    return Double(table.endKey) * (Planner.costOfRow + Planner.costOfUnionTest)
  }

  private func cheapestUnion(_ filters: [Filter]) -> SpatialUnion? {
    filters.compactMap(SpatialUnion.init).min { $0.cost < $1.cost }
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

  /// The full-text search with the fewest matches.
  private func fewestMatches(_ filters: [Filter]) -> TextFilter? {
    filters.compactMap(\.textSearch).min { $0.matches.count < $1.matches.count }
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

/// A disjunction whose conditions can all be answered by R-trees.
private struct SpatialUnion {
  let filter: Filter
  private let accesses: [SpatialAccess]
  /// The approximate cost in nanoseconds, without the tests of geometries, which a scan has too.
  let cost: Double

  /// Nil for any other filter.
  init?(_ filter: Filter) {
    self.filter = filter
    let parts = filter.disjuncts
    accesses = parts.compactMap(\.spatialAccess)
    guard parts.count > 1, accesses.count == parts.count else { return nil }
    cost = accesses.reduce(0) {
      $0 + Planner.costOfDescent + Double($1.estimate) * Planner.costOfUnionRow
    }
  }

  /// Whether the searches find only rows that match.
  var isExact: Bool {
    zip(filter.disjuncts, accesses).allSatisfy { part, access in part === access.filter }
  }

  /// The description of the source of the rows.
  var source: KeySource {
    var names: [String] = []
    for access in accesses where !names.contains(access.column.schema.name) {
      names.append(access.column.schema.name)
    }
    return .spatialUnion(names.joined(separator: ", "), searches: accesses.count)
  }

  /// The rows that any of the searches finds, in ascending order.
  func candidates(in table: Table) -> [Int] {
    let scratch = ScratchBuffers()
    var keys: [Int] = []
    for access in accesses {
      let scan = Scan(table, accessPath: .spatial(access), filters: [])
      let sink = KeySink()
      _ = scan.run(scan.allChunks, into: sink, scratch: scratch)
      keys += sink.keys
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
