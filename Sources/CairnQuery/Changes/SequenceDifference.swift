/// The longest row of elements that two sequences have in common, or a long one where the longest is costly to find.
///
/// Elements are given as numbers: equal ones by the same number.
struct SequenceDifference {
  /// Places in the old and the new sequence of the elements that stay, both rising.
  private(set) var kept: [(old: Int, new: Int)] = []

  /// Insertions and deletions up to which the longest common row is found.
  private static let mostSteps = 256

  init(_ old: [Int], _ new: [Int]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    kept.reserveCapacity(start + old.count - oldEnd)
    for place in 0..<start { kept.append((place, place)) }
    for pair in Self.middle(Array(old[start..<oldEnd]), Array(new[start..<newEnd])) {
      kept.append((start + pair.old, start + pair.new))
    }
    for place in oldEnd..<old.count { kept.append((place, place - oldEnd + newEnd)) }
  }

  private static func middle(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
    if old.isEmpty || new.isEmpty { return [] }
    let pairs = pairs(old, new)
    // Where every element stands once the pairs settle it: the longest rising row of them is the answer.
    if !pairs.hasRepeats { return longestRising(pairs.pairs) }
    return shortestEdit(old, new) ?? longestRising(pairs.pairs)
  }

  /// Each element of the old sequence with the same one in the new, of those that stand several times the first with
  /// the first, and so on.
  private static func pairs(
    _ old: [Int], _ new: [Int]
  ) -> (pairs: [(old: Int, new: Int)], hasRepeats: Bool) {
    var places: [Int: [Int]] = [:]
    places.reserveCapacity(new.count)
    for place in new.indices.reversed() { places[new[place], default: []].append(place) }
    var hasRepeats = places.count < new.count
    var pairs: [(old: Int, new: Int)] = []
    var seen: Set<Int> = []
    for (place, element) in old.enumerated() {
      if !seen.insert(element).inserted { hasRepeats = true }
      if let other = places[element]?.popLast() { pairs.append((place, other)) }
    }
    return (pairs, hasRepeats)
  }

  /// The longest row of pairs that rise in both places; they come by rising old place.
  static func longestRising(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
    // For each length the pair at which a row of that length ends soonest, and for each pair the one before it.
    var ends: [Int] = []
    var before: [Int] = []
    before.reserveCapacity(pairs.count)
    for (place, pair) in pairs.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) >> 1
        if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : -1)
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var row: [(old: Int, new: Int)] = []
    var place = ends.last ?? -1
    while place >= 0 {
      row.append(pairs[place])
      place = before[place]
    }
    return row.reversed()
  }

  /// The longest common row by the least number of insertions and deletions (Myers, "An O(ND) difference algorithm and
  /// its variations", 1986); nil where those are too many.
  private static func shortestEdit(_ old: [Int], _ new: [Int]) -> [(old: Int, new: Int)]? {
    // How far each diagonal was followed, after each step.
    var trace: [[Int]] = []
    var reach = [Int](repeating: 0, count: 2 * mostSteps + 3)
    let middle = mostSteps + 1
    for steps in 0...mostSteps {
      for diagonal in stride(from: -steps, through: steps, by: 2) {
        let isDown =
          diagonal == -steps
          || diagonal != steps && reach[middle + diagonal - 1] < reach[middle + diagonal + 1]
        var x = isDown ? reach[middle + diagonal + 1] : reach[middle + diagonal - 1] + 1
        while x < old.count, x - diagonal < new.count, x - diagonal >= 0,
          old[x] == new[x - diagonal]
        {
          x += 1
        }
        reach[middle + diagonal] = x
        if x >= old.count, x - diagonal >= new.count {
          return backtrack(old, new, trace, steps, middle)
        }
      }
      trace.append(Array(reach[middle - steps...middle + steps]))
    }
    return nil
  }

  /// The elements that stay on the way that was found.
  private static func backtrack(
    _ old: [Int], _ new: [Int], _ trace: [[Int]], _ steps: Int, _ middle: Int
  ) -> [(old: Int, new: Int)] {
    var kept: [(old: Int, new: Int)] = []
    var x = old.count
    var y = new.count
    for step in stride(from: steps, to: 0, by: -1) {
      let reach = trace[step - 1]
      let far = { (diagonal: Int) -> Int in
        let place = diagonal + step - 1
        return reach.indices ~= place ? reach[place] : -1
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
