import CairnStorage

/// The left objects of two joins that have one right object as a partner in the first join, and one
/// in the second.
package struct FlowCount: Hashable, Sendable {
  /// The key of the partner in the first join.
  package let origin: Int
  /// The key of the partner in the second join.
  package let destination: Int
  /// The number of left objects.
  package let count: Int
}

extension JoinExecution {
  /// The number of left objects for each two partners, one in this join and one in another join of
  /// the same left table, in order of the keys of the partners. Outer joins count as inner ones.
  package func flows(to other: JoinExecution) throws -> [FlowCount] {
    let (origins, destinations) = (try pairs(), try other.pairs())
    var (starts, ends): ([UInt64], [UInt64]) = ([], [])
    var next = 0
    var first = 0
    while first < origins.count {
      let key = origins[first].left
      var last = first
      while last < origins.count, origins[last].left == key { last += 1 }
      while next < destinations.count, destinations[next].left < key { next += 1 }
      while next < destinations.count, destinations[next].left == key {
        if let end = destinations[next].right {
          for pair in origins[first..<last] {
            guard let start = pair.right else { continue }
            starts.append(UInt64(start))
            ends.append(UInt64(end))
          }
        }
        next += 1
      }
      first = last
    }
    return Self.counted(starts, ends)
  }

  /// The number of each two values at one index.
  private static func counted(_ starts: [UInt64], _ ends: [UInt64]) -> [FlowCount] {
    var flows: [FlowCount] = []
    var count = 0
    let order = RadixSort.order(starts, then: ends)
    for (index, place) in order.enumerated() {
      count += 1
      let (start, end) = (starts[Int(place)], ends[Int(place)])
      if index + 1 < order.count, starts[Int(order[index + 1])] == start,
        ends[Int(order[index + 1])] == end
      {
        continue
      }
      flows.append(FlowCount(origin: Int(start), destination: Int(end), count: count))
      count = 0
    }
    return flows
  }
}

extension RadixSort {
  /// Returns the order of positions by their first values, and among equal ones by the second.
  static func order(_ first: [UInt64], then second: [UInt64]) -> [UInt32] {
    let bySecond = second.withUnsafeBufferPointer { order($0) }
    let sorted = bySecond.map { first[Int($0)] }
    return sorted.withUnsafeBufferPointer { order($0) }.map { bySecond[Int($0)] }
  }
}
