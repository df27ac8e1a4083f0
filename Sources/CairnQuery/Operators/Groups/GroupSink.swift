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

  /// Makes a group.
  package init(values: [Value], count: Int, summaries: [Summary]) {
    self.values = values
    self.count = count
    self.summaries = summaries
  }
}

/// A sink that sorts rows into groups.
final class GroupSink: Sink {
  private let tally: GroupTally

  init(_ columns: [GroupColumn], totals: [GroupTotals]) {
    tally = GroupTally(columns, totals: totals)
  }

  func prepare(_ chunks: [Int]) {
    for column in tally.columns { column.prepare(chunks) }
    for total in tally.totals { total.prepare(chunks) }
  }

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let numbers = tally.number(selection.count) { column, numbers in
      column.numbers(chunk, rows: selection, numbers: numbers)
    }
    for total in tally.totals {
      total.add(chunk, rows: selection, numbers: numbers, groups: tally.groupCount)
    }
    return true
  }

  /// Adds the groups of another sink.
  func merge(_ other: GroupSink) { tally.merge(other.tally) }

  /// The groups, sorted by values.
  func groups() -> [Group] { tally.groups() }
}

/// Assigns a number to every combination of values in some properties, and counts and summarises
/// what has it. Without properties, everything is one group.
final class GroupTally {
  /// The properties that define a group.
  let columns: [GroupColumn]
  /// The summaries, one for each summarised property.
  let totals: [GroupTotals]
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

  /// The number of groups, and one past the highest group number.
  var groupCount: Int { counts.count }

  /// Counts up to 4096 members, and returns their group numbers, which are valid until the next call.
  ///
  /// - Parameter write: Writes the members' numbers in one property.
  func number(
    _ count: Int, write: (GroupColumn, UnsafeMutablePointer<UInt32>) -> Void
  ) -> UnsafePointer<UInt32> {
    assert(count >= 0 && count <= ChunkShape.rows, "there are up to 4096 members")
    if let first = columns.first {
      write(first, numbers)
    } else {
      numbers.update(repeating: 0, count: count)
    }
    for (position, column) in columns.dropFirst().enumerated() {
      write(column, further)
      for member in 0..<count {
        let pair = UInt64(numbers[member]) << 32 | UInt64(further[member])
        numbers[member] = UInt32(pairs[position].number(of: pair))
      }
    }
    tally(count)
    return UnsafePointer(numbers)
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

  /// Adds the groups of another tally of the same properties.
  func merge(_ other: GroupTally) {
    for theirs in other.counts.indices where other.counts[theirs] > 0 {
      let mine = group(of: other, theirs)
      if mine >= counts.count { grow(mine + 1) }
      counts[mine] += other.counts[theirs]
      for (total, part) in zip(totals, other.totals) {
        total.merge(part, theirs: theirs, into: mine, groups: counts.count)
      }
    }
  }

  /// The number here of another tally's group.
  private func group(of other: GroupTally, _ theirs: Int) -> Int {
    var mine = 0
    for (position, part) in zip(columns.indices, other.parts(theirs)) {
      let number = columns[position].number(of: other.columns[position], part)
      mine =
        position == 0 ? number : pairs[position - 1].number(of: UInt64(mine) << 32 | UInt64(number))
    }
    return mine
  }

  /// The values that define a group.
  func values(_ group: Int) -> [Value] { zip(columns, parts(group)).map { $0.value($1) } }

  /// The groups, sorted by values.
  func groups() -> [Group] {
    counts.indices.filter { counts[$0] > 0 }.map { group in
      Group(
        values: values(group), count: counts[group], summaries: totals.map { $0.summary(group) })
    }
    .sorted { $0.values.precedes($1.values) }
  }
}

extension [Value] {
  /// Whether the values precede the others. The first value is the most significant.
  func precedes(_ other: [Value]) -> Bool {
    for (mine, theirs) in zip(self, other) {
      let order = Value.sortOrder(mine, to: theirs)
      if order != .equal { return order == .less }
    }
    return false
  }
}
