/// The code points in classes: a regular expression treats all members of a class alike.
struct PatternAlphabet: Sendable {
  /// The number of classes.
  let count: Int
  /// The classes of the code points of one or two bytes of UTF-8.
  let direct: [UInt16]
  /// The first code points of the intervals whose code points are in one class.
  let starts: [UInt32]
  /// The class of each interval.
  let classes: [UInt16]
  /// The sets that contain the members of each class, as a bitmap.
  private let members: [[UInt64]]

  /// The number of code points with classes of their own in `direct`.
  static let directCount = 0x800

  /// Creates the coarsest classes in which each set is a union of classes.
  init(_ sets: [CodePointSet]) {
    var events: [(start: UInt32, set: Int)] = []
    for (number, set) in sets.enumerated() {
      for range in set.ranges {
        events.append((range.lowerBound, number))
        events.append((range.upperBound + 1, number))
      }
    }
    events.sort { $0.start < $1.start }
    var numbers: [[UInt64]: UInt16] = [:]
    var members: [[UInt64]] = []
    var intervals: [(start: UInt32, number: UInt16)] = []
    var signature = [UInt64](repeating: 0, count: sets.count / 64 + 1)
    var next = 0
    var start: UInt32 = 0
    while start <= CodePointSet.last {
      while next < events.count, events[next].start == start {
        signature[events[next].set >> 6] ^= 1 << UInt64(events[next].set & 63)
        next += 1
      }
      let number = numbers[signature] ?? UInt16(truncatingIfNeeded: members.count)
      if number == members.count {
        numbers[signature] = number
        members.append(signature)
      }
      intervals.append((start, number))
      start = next < events.count ? events[next].start : CodePointSet.last + 1
    }
    self.members = members
    count = members.count
    starts = intervals.map(\.start)
    classes = intervals.map(\.number)
    direct = PatternAlphabet.direct(intervals)
  }

  private static func direct(_ intervals: [(start: UInt32, number: UInt16)]) -> [UInt16] {
    var direct: [UInt16] = []
    for (index, interval) in intervals.enumerated() where interval.start < directCount {
      let end = index + 1 < intervals.count ? Int(intervals[index + 1].start) : directCount
      let length = min(end, directCount) - Int(interval.start)
      direct += Array(repeating: interval.number, count: length)
    }
    return direct
  }

  /// Whether the set of that number contains the members of a class.
  func set(_ number: Int, containsClass member: Int) -> Bool {
    members[member][number >> 6] >> UInt64(number & 63) & 1 != 0
  }
}
