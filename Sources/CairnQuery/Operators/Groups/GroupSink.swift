import CairnStorage
import CairnValues

/// A group of rows with the same values in the grouping properties.
package struct Group: Sendable {
  /// One value for each grouping property, in the requested order.
  package let values: [Value]
  /// The number of rows.
  package let count: Int
  /// One summary for each summarised property, in the requested order.
  package let summaries: [Summary]
}

/// A sink that sorts rows into groups.
final class GroupSink: Sink, @unchecked Sendable {
  private let columns: [GroupColumn]
  private let totals: [GroupTotals]
  private var counts: [Int] = []
  /// For each further column: the pairs of the combined number up to that column and the number of
  /// the column's value.
  private var pairs: [WordTable]
  private let numbers = UnsafeMutablePointer<UInt32>.allocate(capacity: ChunkShape.rows)
  private let further = UnsafeMutablePointer<UInt32>.allocate(capacity: ChunkShape.rows)

  init(_ columns: [GroupColumn], totals: [GroupTotals]) {
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

  override func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let count = selection.count
    columns.first?.numbers(chunk, rows: selection, numbers: numbers)
    for (position, column) in columns.dropFirst().enumerated() {
      column.numbers(chunk, rows: selection, numbers: further)
      for row in 0..<count {
        let pair = UInt64(numbers[row]) << 32 | UInt64(further[row])
        numbers[row] = UInt32(pairs[position].number(of: pair))
      }
    }
    tally(count)
    for total in totals {
      total.add(chunk, rows: selection, numbers: numbers, groups: counts.count)
    }
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

  /// The numbers of the values that define a group, one for each column.
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

  /// Adds the groups of another sink.
  func merge(_ other: GroupSink) {
    for theirs in other.counts.indices where other.counts[theirs] > 0 {
      let mine = group(of: other, theirs)
      if mine >= counts.count { grow(mine + 1) }
      counts[mine] += other.counts[theirs]
      for (total, part) in zip(totals, other.totals) {
        total.merge(part, theirs: theirs, into: mine, groups: counts.count)
      }
    }
  }

  /// The number here of another sink's group.
  private func group(of other: GroupSink, _ theirs: Int) -> Int {
    var mine = 0
    for (position, part) in other.parts(theirs).enumerated() {
      let number = columns[position].number(of: other.columns[position], part)
      mine =
        position == 0 ? number : pairs[position - 1].number(of: UInt64(mine) << 32 | UInt64(number))
    }
    return mine
  }

  /// The groups, sorted by values.
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
  /// Whether the values precede the others. The first value is the most significant.
  fileprivate func precedes(_ other: [Value]) -> Bool {
    for (mine, theirs) in zip(self, other) {
      let order = Value.sortOrder(mine, to: theirs)
      if order != .equal { return order == .less }
    }
    return false
  }
}
