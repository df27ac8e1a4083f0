import CairnTestSupport
import Testing

@testable import CairnStorage

/// Key ranges compared with sets of single keys.
@Suite(.tags(.untrusted)) struct KeyRunsTests {
  private func keys(_ random: inout SplitMix64) -> Set<Int> {
    var keys: Set<Int> = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let start = Int.random(in: 0..<60, using: &random)
      keys.formUnion(start..<start + Int.random(in: 1...9, using: &random))
    }
    return keys
  }

  @Test func setAlgebra() {
    var random = SplitMix64(seed: 5)
    for number in 0..<500 {
      let (a, b) = (keys(&random), keys(&random))
      let (runs, others) = (KeyRangeSet(rising: a.sorted()), KeyRangeSet(rising: b.sorted()))
      #expect(runs.keys.elementsEqual(a.sorted()), "pair \(number)")
      #expect(runs.count == a.count)
      #expect(runs.isEmpty == a.isEmpty)
      #expect(runs.union(others) == KeyRangeSet(rising: a.union(b).sorted()), "pair \(number)")
      #expect(
        runs.subtracting(others) == KeyRangeSet(rising: a.subtracting(b).sorted()), "pair \(number)"
      )
      #expect(
        runs.intersection(others) == KeyRangeSet(rising: a.intersection(b).sorted()),
        "pair \(number)")
      for key in -1...70 { #expect(runs.contains(key) == a.contains(key)) }
    }
  }

  @Test func runsInAnyOrder() {
    #expect(KeyRangeSet([7..<9, 1..<4, 3..<5, 5..<6, 9..<9]).runs == [1..<6, 7..<9])
    #expect(KeyRangeSet([1..<10, 2..<3, 12..<13]).runs == [1..<10, 12..<13])
    #expect(KeyRangeSet([Range<Int>]()).isEmpty)
  }

  @Test func bitsOfAChunk() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<50 {
      let words = ChunkBitmap(copying: nil)
      var rows: Set<Int> = []
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let start = Int.random(in: 0..<ChunkShape.rows, using: &random)
        for row in start..<min(ChunkShape.rows, start + Int.random(in: 1...200, using: &random)) {
          words.mark(row)
          rows.insert(row)
        }
      }
      var runs = KeyRangeSet()
      runs.append(UnsafePointer(words.words), ofChunk: 3)
      #expect(runs == KeyRangeSet(rising: rows.sorted().map { 3 * ChunkShape.rows + $0 }))
    }
  }
}
