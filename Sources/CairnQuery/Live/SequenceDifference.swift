/// The longest common subsequence of two sequences, or a long one if the longest is costly to find.
///
/// Elements are given as numbers: equal elements have the same number.
struct SequenceDifference {
  /// The indexes of the kept elements in the old and the new sequence, both ascending.
  private(set) var kept: [(old: Int, new: Int)] = []

  /// The greatest number of insertions and deletions for which the longest common subsequence is
  /// found.
  private static let maxSteps = 256

  init(_ old: [Int], new: [Int]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    kept.reserveCapacity(start + old.count - oldEnd)
    for index in 0..<start { kept.append((index, index)) }
    for pair in Self.middle(Array(old[start..<oldEnd]), new: Array(new[start..<newEnd])) {
      kept.append((start + pair.old, start + pair.new))
    }
    for index in oldEnd..<old.count { kept.append((index, index - oldEnd + newEnd)) }
  }

  private static func middle(_ old: [Int], new: [Int]) -> [(old: Int, new: Int)] {
    if old.isEmpty || new.isEmpty { return [] }
    let pairs = pairs(old, new: new)
    // Without repeats the pairs are unique, and their longest ascending subsequence is the result.
    if !pairs.hasRepeats { return longestAscending(pairs.pairs) }
    return shortestEdit(old, new: new) ?? longestAscending(pairs.pairs)
  }

  /// Pairs each element of the old sequence with the same one in the new. The first occurrences of
  /// a repeated element pair with each other, then the second ones, and so on.
  private static func pairs(
    _ old: [Int], new: [Int]
  ) -> (pairs: [(old: Int, new: Int)], hasRepeats: Bool) {
    var indexes: [Int: [Int]] = [:]
    indexes.reserveCapacity(new.count)
    for index in new.indices.reversed() { indexes[new[index], default: []].append(index) }
    var hasRepeats = indexes.count < new.count
    var pairs: [(old: Int, new: Int)] = []
    var seen: Set<Int> = []
    for (index, element) in old.enumerated() {
      if !seen.insert(element).inserted { hasRepeats = true }
      if let other = indexes[element]?.popLast() { pairs.append((index, other)) }
    }
    return (pairs, hasRepeats)
  }

  /// The longest subsequence of pairs that ascends in both indexes. The pairs must be sorted by old
  /// index.
  static func longestAscending(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
    // For each length, the pair at which a subsequence of that length ends lowest; and for each
    // pair, the one before it.
    var ends: [Int] = []
    var before: [Int] = []
    before.reserveCapacity(pairs.count)
    for (index, pair) in pairs.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) >> 1
        if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : -1)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var row: [(old: Int, new: Int)] = []
    var index = ends.last ?? -1
    while index >= 0 {
      row.append(pairs[index])
      index = before[index]
    }
    return row.reversed()
  }

  /// The longest common subsequence by the least number of insertions and deletions (Myers, "An
  /// O(ND) difference algorithm and its variations", 1986); nil if there are too many of them.
  private static func shortestEdit(_ old: [Int], new: [Int]) -> [(old: Int, new: Int)]? {
    // The furthest position on each diagonal, after each step.
    var trace: [[Int]] = []
    var furthest = [Int](repeating: 0, count: 2 * maxSteps + 3)
    let middle = maxSteps + 1
    for steps in 0...maxSteps {
      for diagonal in stride(from: -steps, through: steps, by: 2) {
        let isDown =
          diagonal == -steps
          || diagonal != steps && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
        var x = isDown ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1
        while x < old.count, x - diagonal < new.count, x - diagonal >= 0,
          old[x] == new[x - diagonal]
        {
          x += 1
        }
        furthest[middle + diagonal] = x
        if x >= old.count, x - diagonal >= new.count {
          return backtrack(old, new: new, trace: trace, steps: steps, middle: middle)
        }
      }
      trace.append(Array(furthest[middle - steps...middle + steps]))
    }
    return nil
  }

  /// The kept elements along the path that was found.
  private static func backtrack(
    _ old: [Int], new: [Int], trace: [[Int]], steps: Int, middle: Int
  ) -> [(old: Int, new: Int)] {
    var kept: [(old: Int, new: Int)] = []
    var x = old.count
    var y = new.count
    for step in stride(from: steps, to: 0, by: -1) {
      let furthest = trace[step - 1]
      let far = { (diagonal: Int) -> Int in
        let index = diagonal + step - 1
        return furthest.indices ~= index ? furthest[index] : -1
      }
      let diagonal = x - y
      let isDown = diagonal == -step || diagonal != step && far(diagonal - 1) < far(diagonal + 1)
      let startX = isDown ? far(diagonal + 1) : far(diagonal - 1)
      let startY = startX - (isDown ? diagonal + 1 : diagonal - 1)
      let snakeX = isDown ? startX : startX + 1
      while x > snakeX {
        x -= 1
        y -= 1
        kept.append((x, y))
      }
      x = startX
      y = startY
    }
    while x > 0, y > 0 {
      x -= 1
      y -= 1
      kept.append((x, y))
    }
    return kept.reversed()
  }
}
