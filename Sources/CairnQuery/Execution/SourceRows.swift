import CairnStorage

/// The rows that a query was given, in their order, of which those that live and pass are the result.
struct SourceRows {
  let execution: Execution
  let source: [Int]

  /// Rows that pass, as often as they are named.
  var count: Int { matching(source.indices).count }

  /// The rows of a range of places that pass, in their order.
  func matching(_ places: Range<Int>) -> [Int] {
    guard !places.isEmpty else { return [] }
    let part = source[places]
    if part.isRising { return passing(Array(part)) }
    let wanted = Array(part).sortedWithoutRepeats()
    let found = passing(wanted)
    if found.count == wanted.count { return Array(part) }
    return found.count * 4 < places.count || places.count < 64
      ? part.filter(found.holdsRising) : part.filter(Set(found).contains)
  }

  /// Those of rising keys whose rows live and pass.
  private func passing(_ keys: [Int]) -> [Int] {
    let plan = execution.plan
    let sink = KeySink()
    if isSearchCheaper(than: keys.count) {
      return execution.keys(in: plan.scan.allChunks).filter(keys.holdsRising)
    }
    let start = keys.firstPlace(notBelow: 0)
    let end = keys.firstPlace(notBelow: plan.table.endKey)
    let known = Array(keys[start..<Swift.max(start, end)])
    let scan = Scan(plan.table, .keys(known, .result), plan.filters)
    _ = scan.run(scan.allChunks, into: sink, execution.workspace)
    return sink.keys
  }

  /// Whether an index gives so few rows of the table that asking the given ones takes longer.
  private func isSearchCheaper(than rows: Int) -> Bool {
    guard rows > 1024, !execution.plan.filters.isEmpty else { return false }
    switch execution.plan.scan.driver {
    case .chunks: return false
    case .keys(let keys, _): return keys.count < rows / 4
    case .region(let filter): return filter.source.estimate < rows / 4
    }
  }
}

extension Execution {
  /// The rows that the query was given; nil: it asks the whole table.
  func sourceRows() -> SourceRows? {
    plan.source.map { SourceRows(execution: self, source: $0) }
  }

  /// The keys that the steps of the plan's rest begin with.
  func firstKeys() -> [Int] {
    guard let rows = sourceRows() else { return plainKeys() }
    return rows.matching(rows.source.indices)
  }
}

extension Collection<Int> {
  /// Whether every number is above the one before.
  fileprivate var isRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}

extension [Int] {
  /// Whether a number is among these, which rise.
  func holdsRising(_ number: Int) -> Bool {
    let place = firstPlace(notBelow: number)
    return place < count && self[place] == number
  }
}
