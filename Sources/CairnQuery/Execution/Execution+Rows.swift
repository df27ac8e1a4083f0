import CairnGeometry
import CairnStorage
import CairnValues

extension Execution {
  /// The result's keys in order, without running further than they are taken; they must be taken
  /// while the snapshot lives.
  package func makeCursor() -> KeyCursor { KeyCursor(self) }

  /// Metres on the sphere from the point that the result is ordered by to the location of a row;
  /// nil when it is ordered otherwise, or the row has no location.
  package func distance(of key: Int) -> Double? {
    guard let sort = plan.order?.first as? DistanceSort else { return nil }
    return sort.distance(key).map { $0 * Sphere.radius }
  }

  /// Whether one row is among those that match, whatever offset, limit and distinct say.
  package func matches(_ key: Int) -> Bool {
    guard table.isLive(key) else { return false }
    for filter in plan.filters where !filter.holds(key, workspace) { return false }
    return true
  }
}

/// Takes the keys of a result one after the other.
package struct KeyCursor: IteratorProtocol, Sequence {
  private let execution: Execution
  private var keys: [Int] = []
  private var place = 0
  /// The chunk to go on from; nil: nothing is left to find.
  private var chunk: Int?
  /// Chunks to look through for the next portion; grows, so that long results take few portions.
  private var portion = 1
  private var toSkip: Int
  private var left: Int

  init(_ execution: Execution) {
    self.execution = execution
    if execution.plan.order != nil || !execution.plan.distinct.isEmpty {
      keys = execution.keys()
      toSkip = 0
      left = .max
    } else {
      chunk = 0
      toSkip = execution.query.offset
      left = execution.query.limit ?? .max
    }
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

  private func keys(in chunks: Range<Int>) -> [Int] {
    let (wanted, overflow) = toSkip.addingReportingOverflow(left)
    // Sharing out the work finds more than a few wanted rows.
    guard !overflow, wanted <= 1 << 16 else { return execution.keys(in: chunks) }
    let sink = KeySink(limit: wanted)
    _ = execution.plan.scan.run(chunks, into: sink, execution.workspace)
    return sink.keys
  }

  /// Looks through the next chunks; false when there are none.
  private mutating func findMore() -> Bool {
    guard let first = chunk else { return false }
    let all = execution.plan.scan.allChunks
    guard first < all.upperBound else {
      chunk = nil
      return false
    }
    let end = Swift.min(all.upperBound, first + portion)
    keys = keys(in: first..<end)
    place = 0
    chunk = end
    portion = Swift.min(portion * 4, 1024)
    return true
  }
}
