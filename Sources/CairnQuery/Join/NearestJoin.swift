import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// The nearest right rows of each left row.
struct NearestJoin {
  private let left: JoinSide
  private let right: JoinSide
  private let count: Int

  init(_ left: JoinSide, right: JoinSide, count: Int) {
    self.left = left
    self.right = right
    self.count = count
  }

  /// The pairs in order of the left key, then by distance, then of the right key.
  func pairs() throws -> [JoinPair] {
    guard left.count > 0, right.count > 0 else { return [] }
    left.prepare()
    right.prepare()
    let candidates = JoinCandidates(right) { $0 }
    let test = JoinTest(.distance(radians: .infinity), driver: left, candidates: candidates)
    try test.prepare()
    let keys = left.rows.keys
    let parts = min(WorkerPool.shared.width * 16, (keys.count + 255) / 256)
    var results = [[JoinPair]](repeating: [], count: parts)
    let failure = FirstError()
    results.withUnsafeMutableBufferPointer { results in
      // Each call writes its own element.
      nonisolated(unsafe) let results = results
      WorkerPool.shared.run(parts) { part in
        var search = NearestSearchOfJoin(left, candidates: candidates, test: test, count: count)
        let range = keys.count * part / parts..<keys.count * (part + 1) / parts
        do throws(GeometryError) {
          results[part] = try search.pairs(keys[range])
        } catch { failure.note(error) }
      }
    }
    if let error = failure.error { throw error }
    return settled(results)
  }

  /// The pairs without those that lose a tie. Ties go to the smaller primary key, or without one to
  /// the smaller key.
  private func settled(_ results: [[JoinPair]]) -> [JoinPair] {
    var settled: [JoinPair] = []
    settled.reserveCapacity(results.reduce(0) { $0 + $1.count })
    for pairs in results {
      var start = 0
      while start < pairs.count {
        let end = pairs[start...].firstIndex { $0.left != pairs[start].left } ?? pairs.count
        let own = pairs[start..<end]
        let hasTies = zip(own, own.dropFirst()).contains { $0.radians == $1.radians }
        settled += hasTies ? own.sorted(by: precedes).prefix(count) : own.prefix(count)
        start = end
      }
    }
    return settled
  }

  private func precedes(_ first: JoinPair, _ second: JoinPair) -> Bool {
    guard first.radians == second.radians else { return first.radians < second.radians }
    let (key, other) = (first.right ?? 0, second.right ?? 0)
    guard let primary = right.table.schema.primaryKey else { return key < other }
    return switch (right.table.value(primary, at: key), right.table.value(primary, at: other)) {
    case (.int(let a), .int(let b)): a < b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: key < other
    }
  }
}

/// One thread's search for the nearest candidates of rows.
private struct NearestSearchOfJoin {
  private let left: JoinSide
  private let candidates: JoinCandidates
  private let test: JoinTest
  private let count: Int
  private var queue = DistanceQueue()

  init(_ left: JoinSide, candidates: JoinCandidates, test: JoinTest, count: Int) {
    self.left = left
    self.candidates = candidates
    self.test = test
    self.count = count
  }

  mutating func pairs(_ keys: ArraySlice<Int>) throws(GeometryError) -> [JoinPair] {
    var pairs: [JoinPair] = []
    pairs.reserveCapacity(keys.count * min(count, candidates.keys.count))
    for key in keys { try find(key, into: &pairs) }
    return pairs
  }

  /// Appends the nearest candidates of a row. Positions in the tree are not in the order of the keys,
  /// so all that are as far away as the last one are gathered, and ties go to the smaller key.
  private mutating func find(
    _ key: Int, into pairs: inout [JoinPair]
  ) throws(GeometryError) {
    let place = left.place(of: key)
    let origin = try PlaceOrigin(place)
    var threshold = TopKThreshold(capacity: count)
    var found: [(radians: Double, key: Int)] = []
    candidates.tree.nearest(
      queue: &queue, threshold: &threshold, lowerBound: origin.lowerBound,
      exact: { position, limit in
        let radians = test.distance(from: place, origin, to: position, upTo: limit)
        return radians <= limit ? radians : nil
      },
      visit: { position, radians in
        if found.count >= count, radians > found[count - 1].radians { return false }
        found.append((radians, candidates.keys[position]))
        return true
      })
    found.sort { $0.radians != $1.radians ? $0.radians < $1.radians : $0.key < $1.key }
    for (radians, other) in found {
      pairs.append(JoinPair(left: key, right: other, radians: radians))
    }
  }
}
