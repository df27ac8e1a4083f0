import CairnTestSupport
import Testing

@testable import CairnStorage

/// Sets of rows, compared with sets of keys.
@Suite(.tags(.untrusted)) struct RowBitmapsTests {
  /// A key near the borders of a few chunks.
  private static func key(_ random: inout SplitMix64) -> Int {
    random.pick([0, 1, 2, 7, 300]) * ChunkShape.rows + random.pick([0, 63, 64, 4095])
      + random.below(2) * random.below(70)
  }

  private static func filled(
    _ count: Int, random: inout SplitMix64
  ) -> (rows: RowBitmaps, keys: Set<Int>) {
    var rows = RowBitmaps()
    var keys: Set<Int> = []
    for _ in 0..<count {
      if random.chance(0.8) {
        let key = key(&random)
        #expect(rows.insert(key) == keys.insert(key).inserted)
      } else {
        let (chunk, bits) = (random.below(4), ChunkBitmap(copying: nil))
        for _ in 0..<random.below(5) { bits.mark(random.below(ChunkShape.rows)) }
        bits.forEach { keys.insert(RowAddress.firstKey(ofChunk: chunk) + $0) }
        rows.insert(bits, ofChunk: chunk)
      }
    }
    return (rows, keys)
  }

  @Test(arguments: 0..<40) func randomSets(round: Int) {
    let seed = Soak.seed(UInt64(round))
    var random = SplitMix64(seed: seed)
    let count = random.pick([0, 1, 5, 200])
    let (rows, keys) = Self.filled(count, random: &random)
    let (others, otherKeys) = Self.filled(random.below(30), random: &random)
    let end = Self.key(&random)

    #expect(rows.keys == keys.sorted(), "seed \(seed)")
    #expect(rows.count == keys.count && rows.isEmpty == keys.isEmpty, "seed \(seed)")
    #expect(rows.chunks == Set(keys.map { RowAddress($0).chunk }).sorted(), "seed \(seed)")
    #expect(Array(KeyRangeSet(rows).keys) == keys.sorted(), "seed \(seed)")
    #expect(rows.below(end).keys == keys.filter { $0 < end }.sorted(), "seed \(seed), \(end)")
    for _ in 0..<50 {
      let key = Self.key(&random)
      #expect(rows.contains(key) == keys.contains(key), "seed \(seed), \(key)")
    }
    var both = rows
    both.formUnion(others)
    #expect(both.keys == keys.union(otherKeys).sorted(), "seed \(seed)")
    // A copy does not change with the original.
    #expect(rows.keys == keys.sorted(), "seed \(seed)")

    let start = Self.key(&random)
    for chunk in rows.chunks {
      let part = rows.rows(ofChunk: chunk, in: start..<max(start, end))
      var found: [Int] = []
      part?.forEach { found.append(RowAddress.firstKey(ofChunk: chunk) + $0) }
      let expected = keys.filter { RowAddress($0).chunk == chunk && $0 >= start && $0 < end }
      #expect(found == expected.sorted(), "seed \(seed), \(start)..<\(end)")
      #expect((part == nil) == expected.isEmpty, "seed \(seed)")
    }
  }

  @Test func firstRowsOfAChunk() {
    let rows = ChunkBitmap(copying: nil)
    for count in [0, 1, 63, 64, 65, 4095, 4096] {
      rows.setFirst(count)
      var found: [Int] = []
      rows.forEach { found.append($0) }
      #expect(found == Array(0..<count))
    }
  }
}
