import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// Differences between sequences, applied to the old one and counted.
@Suite struct SequenceDifferenceTests {
  /// Sequences over a small alphabet, with repeated elements, and over a large one, without.
  @Test(arguments: [(11 as UInt64, 2), (12, 4), (13, 30), (14, 1000)])
  func randomSequences(seed: UInt64, letters: Int) {
    var random = SplitMix64(seed: seed)
    for number in 0..<Soak.rounds(400) {
      let old = (0..<random.below(24)).map { _ in random.below(letters) }
      let new = Self.edited(old, letters, &random)
      let label = "seed \(seed), letters \(letters), pair \(number): \(old) to \(new)"
      let plain = Changes(from: old, to: new, pairs: false)
      #expect(plain.modifications.isEmpty, "\(label)")
      #expect(plain.applied(to: old, new) == new, "\(label)")
      #expect(old.count - plain.deletions.count == Self.longestCommon(old, new), "\(label)")
      let paired = Changes(from: old, to: new, pairs: true)
      #expect(paired.applied(to: old, new) == new, "\(label)")
      #expect(
        paired.deletions.count + paired.modifications.count == plain.deletions.count, "\(label)")
    }
  }

  private static func edited(
    _ old: [Int], _ letters: Int, _ random: inout SplitMix64
  ) -> [Int] {
    if random.chance(0.2) { return (0..<random.below(24)).map { _ in random.below(letters) } }
    var new = old
    for _ in 0..<random.below(5) {
      switch random.below(4) {
      case 0: new.insert(random.below(letters), at: random.below(new.count + 1))
      case 1: if !new.isEmpty { new.remove(at: random.below(new.count)) }
      case 2: if !new.isEmpty { new[random.below(new.count)] = random.below(letters) }
      default:
        guard !new.isEmpty else { continue }
        let moved = new.remove(at: random.below(new.count))
        new.insert(moved, at: random.below(new.count + 1))
      }
    }
    return new
  }

  private static func longestCommon(_ old: [Int], _ new: [Int]) -> Int {
    var lengths = [Int](repeating: 0, count: new.count + 1)
    for element in old {
      var diagonal = 0
      for (index, other) in new.enumerated() {
        let above = lengths[index + 1]
        lengths[index + 1] = element == other ? diagonal + 1 : max(above, lengths[index])
        diagonal = above
      }
    }
    return lengths[new.count]
  }

  /// More differences than the limit of the search for a minimal edit script: the result is still
  /// correct.
  @Test func sequencesWithNothingInCommon() {
    var random = SplitMix64(seed: 21)
    let old = (0..<3000).map { _ in random.below(40) }
    let new = (0..<3000).map { _ in random.below(40) }
    let changes = Changes(from: old, to: new, pairs: false)
    #expect(changes.applied(to: old, new) == new)
  }

  @Test func aReplacedElementIsAModification() {
    let changes = Changes(from: ["a", "b", "c"], to: ["a", "x", "c", "d"], pairs: true)
    #expect(changes.modifications == [1])
    #expect(changes.insertions == [3])
    #expect(changes.deletions.isEmpty)
    let moved = Changes(from: ["a", "b", "c"], to: ["b", "c", "a"], pairs: true)
    #expect(moved.deletions == [0])
    #expect(moved.insertions == [2])
    #expect(moved.modifications.isEmpty)
  }

  @Test func newIndexesOfUnchangedElements() {
    var random = SplitMix64(seed: 31)
    for number in 0..<Soak.rounds(200) {
      let old = (0..<random.below(30)).map { $0 }
      let new = Self.edited(old, 1000, &random)
      let changes = Changes(from: old, to: new, pairs: false)
      for index in old.indices where !changes.deletions.contains(index) {
        #expect(new[changes.newIndex(ofOld: index)] == old[index], "pair \(number)")
      }
    }
  }

  // MARK: Stored collections

  @Test func listsOfValues() {
    let change = { (old: [Value], new: [Value]) in
      let bytes = [old, new].map { StoredCollection.encode($0, of: .string) }
      return bytes[0].withUnsafeBytes { old in
        bytes[1].withUnsafeBytes { new in
          Changes(
            ofList: StoredCollection(old, of: .string, isMap: false),
            to: StoredCollection(new, of: .string, isMap: false))
        }
      }
    }
    #expect(change([], []).isEmpty)
    #expect(change([.string("a"), .null], [.string("a"), .null]).isEmpty)
    #expect(change([.string("a")], [.null]).modifications == [0])
    #expect(change([], [.string("a"), .string("b")]).insertions == [0, 1])
    #expect(change([.string("a"), .string("b")], [.string("b")]).deletions == [0])
    #expect(
      change(
        [.string("a"), .string("b"), .string("c"), .string("d")],
        [.string("a"), .string("d"), .string("c"), .string("d")]
      ).modifications == [1])
  }

  @Test func setsOfValues() {
    let change = { (old: [Value], new: [Value]) in
      let bytes = [old, new].map { StoredCollection.encode(set: $0, of: .int) }
      return bytes[0].withUnsafeBytes { old in
        bytes[1].withUnsafeBytes { new in
          Changes(
            ofSet: StoredCollection(old, of: .int, isMap: false),
            to: StoredCollection(new, of: .int, isMap: false))
        }
      }
    }
    let changes = change([.int(5), .int(1), .int(3)], [.int(4), .int(5), .int(1)])
    #expect(changes.deletions == [1])
    #expect(changes.insertions == [1])
    #expect(changes.modifications.isEmpty)
  }

  @Test func mapsOfValues() {
    let change = { (old: [(key: String, value: Value)], new: [(key: String, value: Value)]) in
      let bytes = [old, new].map { StoredCollection.encode(map: $0, of: .int) }
      return bytes[0].withUnsafeBytes { old in
        bytes[1].withUnsafeBytes { new in
          MapChanges(
            from: StoredCollection(old, of: .int, isMap: true),
            to: StoredCollection(new, of: .int, isMap: true))
        }
      }
    }
    let changes = change(
      [("a", .int(1)), ("b", .int(2)), ("c", .null), ("é", .int(4))],
      [("a", .int(1)), ("b", .int(3)), ("d", .null), ("é", .null)])
    #expect(changes.deletions == ["c"])
    #expect(changes.insertions == ["d"])
    #expect(changes.modifications == ["b", "é"])
    #expect(change([], []).isEmpty)
  }

  @Test func listsOfObjects() {
    let changes = Changes(
      ofKeys: [4, 7, 4, 9], to: [4, 8, 4, 9, 4], modified: KeyRangeSet([4..<5, 9..<10]), pairs: true
    )
    #expect(changes.modifications == [0, 1, 2, 3])
    #expect(changes.modifiedKeys == [4, 8, 4, 9])
    #expect(changes.insertions == [4])
    #expect(changes.insertedKeys == [4])
  }
}

extension Changes {
  /// Applies a difference to the old sequence, with inserted and replaced elements from the new
  /// one.
  func applied<T>(to old: [T], _ new: [T]) -> [T] {
    var result = old
    for (index, newPlace) in zip(modifications, modificationsInNew) {
      result[index] = new[newPlace]
    }
    for index in deletions.reversed() { result.remove(at: index) }
    for index in insertions { result.insert(new[index], at: index) }
    return result
  }
}
