/// Rows of a file, as ranges in order between which other rows lie.
package struct RowRanges: Sendable, Equatable {
  package private(set) var ranges: [Range<Int64>] = []

  /// Creates an empty set of rows.
  package init() {}

  /// Creates the set of the first rows of a file.
  package init(count: Int64) { append(0..<count) }

  /// The number of rows.
  package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// Adds rows that are behind all others.
  package mutating func append(_ rows: Range<Int64>) {
    assert(rows.lowerBound >= ranges.last?.upperBound ?? 0, "rows are not in order")
    guard !rows.isEmpty else { return }
    if let last = ranges.last, last.upperBound == rows.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<rows.upperBound
    } else {
      ranges.append(rows)
    }
  }

  /// Returns the rows of both sets.
  package func intersection(_ other: RowRanges) -> RowRanges {
    var both = RowRanges()
    var (index, otherIndex) = (0, 0)
    while index < ranges.count, otherIndex < other.ranges.count {
      let (a, b) = (ranges[index], other.ranges[otherIndex])
      if a.overlaps(b) { both.append(a.clamped(to: b)) }
      if a.upperBound < b.upperBound { index += 1 } else { otherIndex += 1 }
    }
    return both
  }

  /// Returns at most some ranges that contain these rows, and as few others as possible: the shortest
  /// gaps are filled.
  package func filled(most: Int) -> RowRanges {
    guard ranges.count > max(1, most) else { return self }
    let gaps = (1..<ranges.count).sorted {
      (gap($0), $0) < (gap($1), $1)
    }
    let filled = Set(gaps.prefix(ranges.count - max(1, most)))
    var result = RowRanges()
    for (index, range) in ranges.enumerated() {
      if filled.contains(index) { result.append(ranges[index - 1].upperBound..<range.lowerBound) }
      result.append(range)
    }
    return result
  }

  /// The number of rows between a range and the one before.
  private func gap(_ index: Int) -> Int64 {
    ranges[index].lowerBound - ranges[index - 1].upperBound
  }
}
