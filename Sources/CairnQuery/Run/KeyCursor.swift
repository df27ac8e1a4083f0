import CairnStorage
import CairnSystem

/// An iterator over the keys of a result.
package struct KeyCursor: IteratorProtocol, Sequence {
  private let execution: Execution
  private var keys: [Int] = []
  private var index = 0
  /// The next chunk of the table or index in the source to search; nil at the end.
  private var start: Int?
  /// The number of chunks or source indexes to search for the next portion. It grows, so that long
  /// results take few portions.
  private var portion: Int
  private let maxPortion: Int
  private let end: Int
  private let rows: SourceRows?
  private var toSkip: Int
  private var left: Int
  /// The key that the result begins behind.
  private let after: Int
  /// The seconds and the rows of the searches so far, if the query has a watch.
  private var searched = (seconds: 0.0, rows: 0, isReported: false)

  init(_ execution: Execution) {
    let plan = execution.plan
    if let steps = plan.streamedLimit, let rows = execution.sourceRows() {
      self.init(
        execution, rows: rows, skip: steps.offset, take: steps.count, portion: 64, most: 1 << 16,
        end: rows.source.count)
    } else if plan.isPlain, plan.order == nil, plan.distinct.isEmpty {
      self.init(plain: execution)
    } else {
      self.init(execution, rows: nil, skip: 0, take: nil, portion: 0, most: 0, end: 0)
      keys = execution.keys()
      start = nil
    }
  }

  /// Creates a cursor for a query without source, order, distinct and further steps.
  ///
  /// - Parameter key: The key that the result begins behind.
  init(plain execution: Execution, after key: Int = -1) {
    let plan = execution.plan
    self.init(
      execution, rows: nil, skip: plan.offset, take: plan.limit, portion: 1, most: 1024,
      end: plan.scan.allChunks.upperBound, after: key)
  }

  private init(
    _ execution: Execution, rows: SourceRows?, skip: Int, take: Int?, portion: Int, most: Int,
    end: Int, after: Int = -1
  ) {
    self.execution = execution
    self.rows = rows
    self.portion = portion
    self.end = end
    maxPortion = most
    toSkip = skip
    left = take ?? .max
    self.after = after
    start = after < 0 ? 0 : RowAddress(after).chunk
  }

  /// The next key.
  package mutating func next() -> Int? {
    guard left > 0 else { return nil }
    while true {
      while index == keys.count {
        guard findMore() else { return nil }
      }
      index += 1
      if toSkip == 0 {
        left -= 1
        return keys[index - 1]
      }
      toSkip -= 1
    }
  }

  /// The next keys, as many as one search finds; nil at the end.
  package mutating func nextPortion() -> [Int]? {
    guard left > 0 else { return nil }
    while index == keys.count {
      guard findMore() else { return nil }
    }
    if toSkip == 0, index == 0, keys.count <= left {
      left -= keys.count
      index = keys.count
      return keys
    }
    guard let key = next() else { return nil }
    guard toSkip == 0, index < keys.count else { return [key] }
    let more = keys[index...].prefix(left)
    left -= more.count
    index += more.count
    return [key] + more
  }

  private func keys(in range: Range<Int>) -> [Int] {
    if let rows { return rows.matching(range) }
    let (wanted, overflow) = toSkip.addingReportingOverflow(left)
    // Parallel work would find more than a few wanted rows.
    guard !overflow, wanted <= 1 << 16 else { return execution.keys(in: range) }
    // The first chunk may begin with keys that the cursor is behind.
    let sink = KeySink(limit: wanted + (after < 0 ? 0 : ChunkShape.rows))
    _ = execution.plan.scan.run(range, into: sink, scratch: execution.scratch)
    return sink.keys
  }

  /// Searches like `keys(in:)`. The search that makes the query a slow one reports it.
  private mutating func watchedKeys(in range: Range<Int>) -> [Int] {
    guard let watch = execution.watch, !execution.isWatched else { return keys(in: range) }
    let start = MonotonicClock.seconds
    let found = keys(in: range)
    searched.seconds += MonotonicClock.seconds - start
    searched.rows += found.count
    if searched.seconds >= watch.threshold, !searched.isReported {
      searched.isReported = true
      watch.report(execution.explanation(matches: searched.rows, seconds: searched.seconds))
    }
    return found
  }

  /// Searches the next chunks or source indexes. Returns false at the end.
  private mutating func findMore() -> Bool {
    guard let first = start, first < end else {
      start = nil
      return false
    }
    let next = Swift.min(end, first + portion)
    keys = watchedKeys(in: first..<next)
    if let least = keys.first, rows == nil, least <= after { keys.removeAll { $0 <= after } }
    index = 0
    start = next
    portion = Swift.min(portion * 4, maxPortion)
    return true
  }
}

/// The given rows of a query, in their order. The result is those that are live and match.
struct SourceRows {
  let execution: Execution
  let source: [Int]

  /// The number of matching rows, with repetitions.
  var count: Int { matching(source.indices).count }

  /// The matching rows of a range of indexes, in their order.
  func matching(_ indexes: Range<Int>) -> [Int] {
    guard !indexes.isEmpty else { return [] }
    let part = source[indexes]
    if part.isRising { return passing(Array(part)) }
    let wanted = Array(part).sortedUnique()
    let found = passing(wanted)
    if found.count == wanted.count { return Array(part) }
    return found.count * 4 < indexes.count || indexes.count < 64
      ? part.filter(found.containsSorted) : part.filter(Set(found).contains)
  }

  /// The live and matching rows among sorted keys.
  private func passing(_ keys: [Int]) -> [Int] {
    let plan = execution.plan
    let sink = KeySink()
    if isSearchCheaper(than: keys.count) {
      return execution.keys(in: plan.scan.allChunks).filter(keys.containsSorted)
    }
    let start = keys.firstIndex(notBelow: 0)
    let end = keys.firstIndex(notBelow: plan.table.endKey)
    let inRange = Array(keys[start..<Swift.max(start, end)])
    let scan = Scan(plan.table, accessPath: .keys(inRange, .result), filters: plan.filters)
    _ = scan.run(scan.allChunks, into: sink, scratch: execution.scratch)
    return sink.keys
  }

  /// Whether an index gives so few rows of the table that testing the given rows takes longer.
  private func isSearchCheaper(than rows: Int) -> Bool {
    guard rows > 1024, !execution.plan.filters.isEmpty else { return false }
    switch execution.plan.scan.accessPath {
    case .chunks: return false
    case .keys(let keys, _): return keys.count < rows / 4
    case .spatial(let access): return access.estimate < rows / 4
    }
  }
}

extension Execution {
  /// The given rows of the query; nil if it reads the whole table.
  func sourceRows() -> SourceRows? {
    plan.source.map { SourceRows(execution: self, source: $0) }
  }

  /// The keys that the plan's remaining steps begin with.
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
  /// Whether the number is in this array, which must be sorted.
  func containsSorted(_ number: Int) -> Bool {
    let index = firstIndex(notBelow: number)
    return index < count && self[index] == number
  }
}
