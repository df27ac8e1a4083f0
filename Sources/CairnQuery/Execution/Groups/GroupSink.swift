import CairnStorage
import CairnValues

/// Rows that have the same values in the properties they are grouped by.
package struct Group: Sendable {
  /// One value a property, in the order asked.
  package let values: [Value]
  /// Rows.
  package let count: Int
  /// One a summarised property, in the order asked.
  package let summaries: [Summary]
}

/// Sorts rows into groups.
final class GroupSink: Sink, @unchecked Sendable {
  private let columns: [GroupColumn]
  private let totals: [GroupTotals]
  private var counts: [Int] = []
  /// For each further column: the pairs of (number so far, number of the column's value).
  private var pairs: [WordTable]
  private let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: 4096)
  private let further = UnsafeMutablePointer<UInt32>.allocate(capacity: 4096)

  init(_ columns: [GroupColumn], _ totals: [GroupTotals]) {
    self.columns = columns
    self.totals = totals
    pairs = columns.dropFirst().map { _ in WordTable() }
  }

  deinit {
    numbers.deallocate()
    further.deallocate()
  }

  override func prepare(_ chunks: [Int]) {
    for column in columns { column.prepare(chunks) }
    for total in totals { total.prepare(chunks) }
  }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let count = selection.count
    columns.first?.numbers(chunk, selection, numbers)
    for (place, column) in columns.dropFirst().enumerated() {
      column.numbers(chunk, selection, further)
      for row in 0..<count {
        let pair = UInt64(numbers[row]) << 32 | UInt64(further[row])
        numbers[row] = UInt32(pairs[place].number(of: pair))
      }
    }
    tally(count)
    for total in totals { total.add(chunk, selection, numbers, groups: counts.count) }
    return true
  }

  private func tally(_ count: Int) {
    var last: UInt32 = 0
    for row in 0..<count { last = max(last, numbers[row]) }
    if count > 0, Int(last) >= counts.count { grow(Int(last) + 1) }
    counts.withUnsafeMutableBufferPointer { counts in
      for row in 0..<count { counts[Int(numbers[row])] += 1 }
    }
  }

  private func grow(_ groups: Int) {
    counts.append(contentsOf: repeatElement(0, count: groups - counts.count))
  }

  /// The numbers of the values that make a group, one a column.
  private func parts(_ group: Int) -> [Int] {
    var parts: [Int] = []
    var number = group
    for table in pairs.reversed() {
      let pair = table.words[number]
      parts.append(Int(pair & 0xFFFF_FFFF))
      number = Int(pair >> 32)
    }
    parts.append(number)
    return parts.reversed()
  }

  /// Takes what another sink gathered.
  func merge(_ other: GroupSink) {
    for theirs in other.counts.indices where other.counts[theirs] > 0 {
      let mine = group(of: other, theirs)
      if mine >= counts.count { grow(mine + 1) }
      counts[mine] += other.counts[theirs]
      for (total, part) in zip(totals, other.totals) {
        total.merge(part, theirs, into: mine, groups: counts.count)
      }
    }
  }

  /// My number of another sink's group.
  private func group(of other: GroupSink, _ theirs: Int) -> Int {
    var mine = 0
    for (place, part) in other.parts(theirs).enumerated() {
      let number = columns[place].number(of: other.columns[place], part)
      mine =
        place == 0 ? number : pairs[place - 1].number(of: UInt64(mine) << 32 | UInt64(number))
    }
    return mine
  }

  /// The groups, by rising values.
  func groups() -> [Group] {
    counts.indices.filter { counts[$0] > 0 }.map { group in
      Group(
        values: zip(columns, parts(group)).map { $0.value($1) }, count: counts[group],
        summaries: totals.map { $0.summary(group) })
    }
    .sorted { $0.values.precedes($1.values) }
  }
}

extension [Value] {
  /// Whether the values come before the others, the first being the most significant.
  fileprivate func precedes(_ other: [Value]) -> Bool {
    for (mine, theirs) in zip(self, other) {
      let order = Value.sortOrder(mine, theirs)
      if order != .equal { return order == .less }
    }
    return false
  }
}
