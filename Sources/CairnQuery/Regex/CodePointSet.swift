/// A set of code points, as sorted ranges with gaps between them.
struct CodePointSet: Hashable, Sendable {
  /// The ranges of the members.
  let ranges: [ClosedRange<UInt32>]

  /// The last code point.
  static let last: UInt32 = 0x10FFFF

  /// Creates the set of the code points in any of the ranges, which may overlap.
  init(_ ranges: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound &+ 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  /// Creates the set of some code points.
  init(members: [UInt32]) { self.init(members.map { $0...$0 }) }

  /// The set without members.
  static let empty = CodePointSet([])

  /// The set of all code points.
  static let all = CodePointSet([0...last])

  /// Whether the set has no members.
  var isEmpty: Bool { ranges.isEmpty }

  /// The other code points.
  var inverted: CodePointSet {
    var others: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { others.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= CodePointSet.last { others.append(next...CodePointSet.last) }
    return CodePointSet(others)
  }

  /// The members of either set.
  func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

  /// Whether the code point is a member.
  func contains(_ codePoint: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) >> 1
      if ranges[middle].upperBound < codePoint { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(codePoint)
  }
}
