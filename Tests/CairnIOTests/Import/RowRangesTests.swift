import CairnTestSupport
import Testing

@testable import CairnIO

/// Sets of rows, compared with sets of numbers.
@Suite struct RowRangesTests {
  private func rows(_ ranges: RowRanges) -> Set<Int64> {
    Set(ranges.ranges.flatMap { Array($0) })
  }

  private func random(_ random: inout SplitMix64) -> RowRanges {
    var ranges = RowRanges()
    var next: Int64 = 0
    for _ in 0..<random.below(12) {
      next += Int64(random.below(5))
      let end = next + Int64(random.below(6))
      ranges.append(next..<end)
      next = end
    }
    return ranges
  }

  @Test func rangesAreApart() {
    var ranges = RowRanges()
    for range in [0..<3, 3..<3, 3..<5, 7..<9] as [Range<Int64>] { ranges.append(range) }
    #expect(ranges.ranges == [0..<5, 7..<9])
    #expect(ranges.count == 7)
    #expect(RowRanges(count: 0).ranges.isEmpty)
  }

  @Test func intersectionsAreThoseOfSets() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<Soak.rounds(500) {
      let (a, b) = (random(&generator), random(&generator))
      #expect(rows(a.intersection(b)) == rows(a).intersection(rows(b)), "\(a), \(b)")
    }
  }

  @Test func theShortestGapsAreFilled() {
    var ranges = RowRanges()
    for range in [0..<2, 3..<4, 9..<10, 12..<13] as [Range<Int64>] { ranges.append(range) }
    #expect(ranges.filled(most: 9) == ranges)
    #expect(ranges.filled(most: 3).ranges == [0..<4, 9..<10, 12..<13])
    #expect(ranges.filled(most: 2).ranges == [0..<4, 9..<13])
    #expect(ranges.filled(most: 1).ranges == [0..<13])
    var generator = SplitMix64(seed: 8)
    for _ in 0..<Soak.rounds(500) {
      let (some, most) = (random(&generator), 1 + generator.below(6))
      let filled = some.filled(most: most)
      #expect(filled.ranges.count <= most)
      #expect(rows(filled).isSuperset(of: rows(some)))
    }
  }

  @Test func blocksHaveTheRowsOfTheRanges() throws {
    var ranges = RowRanges()
    for range in [5..<8, 100_000..<200_000] as [Range<Int64>] { ranges.append(range) }
    let splitter = RowSplitter(ranges, rowCount: 300_000, size: 1000)
    let block = InputBlock(capacity: 64)
    var found: [Range<Int64>] = []
    while try splitter.next(into: block) {
      found.append(RowSplitter.rows(in: block))
      #expect(block.position(ofRow: 0).offset == found.last?.lowerBound)
    }
    #expect(found == [5..<8, 100_000..<165_536, 165_536..<200_000])
    let empty = RowSplitter(RowRanges(), rowCount: 10, size: 1000)
    #expect(try !empty.next(into: block))
  }

  @Test func blocksEndWhereAPartOfTheFileDoes() throws {
    func blocks(_ ends: [Int64], rows: Range<Int64> = 0..<300_000) throws -> [Range<Int64>] {
      var ranges = RowRanges()
      ranges.append(rows)
      let splitter = RowSplitter(ranges, rowCount: 300_000, size: 1000, partEnds: ends)
      let block = InputBlock(capacity: 64)
      var found: [Range<Int64>] = []
      while try splitter.next(into: block) { found.append(RowSplitter.rows(in: block)) }
      return found
    }
    let groups = [100_000, 200_000, 300_000] as [Int64]
    #expect(try blocks(groups) == [0..<100_000, 100_000..<200_000, 200_000..<300_000])
    #expect(try blocks(groups, rows: 150_000..<260_000) == [150_000..<200_000, 200_000..<260_000])
    // Small parts are read together, and large ones are divided.
    #expect(
      try blocks(Array(stride(from: 1000, through: 300_000, by: 1000)))
        == [0..<131_000, 131_000..<262_000, 262_000..<300_000])
    #expect(
      try blocks([299_000, 300_000])
        == [0..<65_536, 65_536..<131_072, 131_072..<196_608, 196_608..<300_000])
  }
}
