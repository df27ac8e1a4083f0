/// Takes the keys of a result one after the other.
package struct KeyCursor: IteratorProtocol, Sequence {
  private let execution: Execution
  private var keys: [Int] = []
  private var place = 0
  /// Where to go on from: a chunk of the table, or a place in the source; nil: nothing is left to find.
  private var start: Int?
  /// Chunks or places to look through for the next portion; grows, so that long results take few portions.
  private var portion: Int
  private let mostPortion: Int
  private let end: Int
  private let rows: SourceRows?
  private var toSkip: Int
  private var left: Int

  init(_ execution: Execution) {
    let plan = execution.plan
    if let steps = plan.streamedLimit, let rows = execution.sourceRows() {
      self.init(
        execution, rows, skip: steps.offset, take: steps.count, portion: 64, most: 1 << 16,
        end: rows.source.count)
    } else if plan.isPlain, plan.order == nil, plan.distinct.isEmpty {
      self.init(plain: execution)
    } else {
      self.init(execution, nil, skip: 0, take: nil, portion: 0, most: 0, end: 0)
      keys = execution.keys()
      start = nil
    }
  }

  /// The rows of a query without source, order, distinct and further steps.
  init(plain execution: Execution) {
    let plan = execution.plan
    self.init(
      execution, nil, skip: plan.offset, take: plan.limit, portion: 1, most: 1024,
      end: plan.scan.allChunks.upperBound)
  }

  private init(
    _ execution: Execution, _ rows: SourceRows?, skip: Int, take: Int?, portion: Int, most: Int,
    end: Int
  ) {
    self.execution = execution
    self.rows = rows
    self.portion = portion
    self.end = end
    mostPortion = most
    toSkip = skip
    left = take ?? .max
    start = 0
  }

  /// The next key.
  package mutating func next() -> Int? {
    guard left > 0 else { return nil }
    while true {
      while place == keys.count {
        guard findMore() else { return nil }
      }
      place += 1
      if toSkip == 0 {
        left -= 1
        return keys[place - 1]
      }
      toSkip -= 1
    }
  }

  /// The next keys, as many as are found at once; nil when there is none.
  package mutating func nextPortion() -> [Int]? {
    guard left > 0 else { return nil }
    while place == keys.count {
      guard findMore() else { return nil }
    }
    if toSkip == 0, place == 0, keys.count <= left {
      left -= keys.count
      place = keys.count
      return keys
    }
    guard let key = next() else { return nil }
    guard toSkip == 0, place < keys.count else { return [key] }
    let more = keys[place...].prefix(left)
    left -= more.count
    place += more.count
    return [key] + more
  }

  private func keys(in range: Range<Int>) -> [Int] {
    if let rows { return rows.matching(range) }
    let (wanted, overflow) = toSkip.addingReportingOverflow(left)
    // Sharing out the work finds more than a few wanted rows.
    guard !overflow, wanted <= 1 << 16 else { return execution.keys(in: range) }
    let sink = KeySink(limit: wanted)
    _ = execution.plan.scan.run(range, into: sink, execution.workspace)
    return sink.keys
  }

  /// Looks through the next chunks or places; false when there are none.
  private mutating func findMore() -> Bool {
    guard let first = start, first < end else {
      start = nil
      return false
    }
    let next = Swift.min(end, first + portion)
    keys = keys(in: first..<next)
    place = 0
    start = next
    portion = Swift.min(portion * 4, mostPortion)
    return true
  }
}
