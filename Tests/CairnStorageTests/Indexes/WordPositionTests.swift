import CairnTestSupport
import Testing

@testable import CairnStorage

/// The positions of words, as a full-text index stores them.
@Suite struct WordPositionTests {
  /// Random positions for each row: mostly small differences, sometimes large ones.
  private static func rows(_ random: inout SplitMix64, count: Int) -> [[UInt32]] {
    (0..<count).map { _ in
      var positions: [UInt32] = []
      var next = UInt32(random.below(50))
      for _ in 0...random.below(4) {
        positions.append(next)
        let limit = [40, 64, 65, 9000, 1 << 20, 1 << 30][random.chance(0.9) ? 0 : random.below(6)]
        guard UInt32.max - next > UInt32(limit) else { break }
        next += 1 + UInt32(random.below(limit))
      }
      return positions
    }
  }

  private static func encoded(_ rows: [[UInt32]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in rows {
      var last: UInt32 = 0
      for (index, position) in row.enumerated() {
        bytes.append(position: position - last, isLast: index == row.count - 1)
        last = position
      }
    }
    return bytes
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func positionsAreReadBack(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let rows = Self.rows(&random, count: 200)
    Self.encoded(rows).withUnsafeBytes { bytes in
      var all = PositionReader(bytes)
      for (index, row) in rows.enumerated() {
        var found: [UInt32] = []
        #expect(all.forEach { found.append($0) })
        #expect(found == row, "seed \(seed), row \(index)")
      }
      #expect(all.isAtEnd)
      for _ in 0..<20 {
        var some = PositionReader(bytes)
        var row = 0
        while true {
          let skipped = random.below(random.chance(0.5) ? 3 : 40)
          guard row + skipped < rows.count else { break }
          some.skip(skipped)
          row += skipped
          var found: [UInt32] = []
          some.forEach { found.append($0) }
          #expect(found == rows[row], "seed \(seed), row \(row), \(skipped) skipped")
          row += 1
        }
      }
    }
  }

  @Test func limitsOfTheEncoding() {
    for difference: UInt32 in [0, 1, 63, 64, 8191, 8192, 1 << 20, .max] {
      var bytes: [UInt8] = []
      bytes.append(position: difference, isLast: true)
      bytes.withUnsafeBytes { raw in
        var reader = PositionReader(raw)
        var found: [UInt32] = []
        #expect(reader.forEach { found.append($0) })
        #expect(found == [difference])
      }
    }
  }

  /// Damaged bytes lead nowhere outside of themselves.
  @Test(arguments: 1...5 as ClosedRange<UInt64>) func anyBytesAreRead(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
      bytes.withUnsafeBytes { raw in
        var list = PositionList(raw)
        var size = 0
        for _ in 0..<50 {
          let group = list.next()
          size += group.count
          var reader = PositionReader(group)
          while reader.forEach({ _ in }) {}
          reader.skip(10)
        }
        #expect(size <= bytes.count, "seed \(seed)")
      }
    }
  }
}
