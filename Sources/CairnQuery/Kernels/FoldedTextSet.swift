import CairnValues

/// A set of texts that are equal without regard to case or marks. Lookup time does not grow with
/// the set.
///
/// A membership test allocates nothing for texts of up to some eighty bytes.
package struct FoldedTextSet: Sendable {
  private let folding: Folding
  /// The folded code points of all members, concatenated.
  private var units: [UInt32] = []
  /// The end of each member's code points.
  private var ends: [Int] = []
  /// A hash table with open addressing: the index of a member, or -1.
  private var slots: [Int32]
  /// The fewest and the most code points of a member.
  private var lengths = Int.max...Int.max

  /// Creates a set of texts. The options must fold something.
  package init(_ texts: [String], options: StringOptions) {
    folding = Folding.of(options)
    var capacity = 8
    while capacity < 2 * texts.count { capacity *= 2 }
    slots = Array(repeating: -1, count: capacity)
    for text in texts { insert(FoldedText.codePoints(of: text, folding)) }
  }

  /// The number of distinct members.
  package var count: Int { ends.count }

  private mutating func insert(_ member: [UInt32]) {
    let free = member.withUnsafeBufferPointer { slot(of: $0) }
    guard slots[free] < 0 else { return }
    slots[free] = Int32(ends.count)
    units += member
    ends.append(units.count)
    lengths =
      ends.count == 1
      ? member.count...member.count
      : min(lengths.lowerBound, member.count)...max(lengths.upperBound, member.count)
  }

  /// Whether the text, as UTF-8, equals a member.
  package func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.isASCII else {
      return FoldedText.withUnits(of: text, folding) { units in
        lengths.contains(units.count) && containsMarked(units)
      }
    }
    guard lengths.contains(text.count) else { return false }
    let foldsCase = folding.options.contains(.caseInsensitive)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: text.count) { units in
      for (index, byte) in text.enumerated() {
        let isUpper = foldsCase && byte &- UInt8(ascii: "A") < 26
        units.initializeElement(at: index, to: UInt32(isUpper ? byte | 0x20 : byte))
      }
      return slots[slot(of: UnsafeBufferPointer(units))] >= 0
    }
  }

  private func containsMarked(_ marked: UnsafeBufferPointer<UInt32>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: marked.count) { units in
      for (index, unit) in marked.enumerated() {
        units.initializeElement(at: index, to: unit & ~FoldedText.continuation)
      }
      return slots[slot(of: UnsafeBufferPointer(units))] >= 0
    }
  }

  /// The slot of an equal member, or the free slot for it.
  private func slot(of text: UnsafeBufferPointer<UInt32>) -> Int {
    // `Hasher` has a random seed per process, so that no list of texts is slow by design.
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(text))
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] >= 0, !isMember(Int(slots[slot]), equalTo: text) { slot = (slot + 1) & mask }
    return slot
  }

  private func isMember(_ member: Int, equalTo text: UnsafeBufferPointer<UInt32>) -> Bool {
    let start = member == 0 ? 0 : ends[member - 1]
    guard ends[member] - start == text.count else { return false }
    return units.withUnsafeBufferPointer { units in
      for index in 0..<text.count where units[start + index] != text[index] { return false }
      return true
    }
  }
}
