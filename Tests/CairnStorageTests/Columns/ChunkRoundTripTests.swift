import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ChunkRoundTripTests {
  static let sizes = [0, 1, 2, 63, 64, 65, 1000, 4095, 4096]

  /// Every size, every flavour and every share of nulls; a normal run omits most combinations with
  /// the long chunks.
  private static func isTested(_ size: Int, _ flavour: ValueSource.Flavour, _ nulls: Int) -> Bool {
    if size > 2000 {
      return nulls == 30 && (Soak.isOn || flavour == (size == 4096 ? .plain : .few))
    }
    return size < 1000 || nulls == 30 || Soak.isOn
  }

  @Test(arguments: ValueSource.columnTypes)
  func everyTypeIsReadBack(type: ValueType) {
    for (index, size) in Self.sizes.enumerated() {
      for (turn, flavour) in ValueSource.Flavour.allCases.enumerated() {
        for nulls in [0, 30, 100] where Self.isTested(size, flavour, nulls) {
          let seed = UInt64(index * 100 + turn * 10 + nulls)
          var source = ValueSource(seed: seed)
          let values = (0..<size).map { _ in
            source.chance(nulls) ? .null : source.value(of: type, flavour)
          }
          let column = EncodedColumn(type, values)
          #expect(column.differences.prefix(3) == [], "seed \(seed), \(size) rows, \(flavour)")
          #expect(Int(column.zone.nullCount) == values.count { $0 == .null })
        }
      }
    }
  }

  @Test(arguments: [
    (0, 0), (1, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (4_294_967_295, 4),
    (4_294_967_296, 8),
  ])
  func integersTakeTheNarrowestCodes(span: Int64, width: Int) throws {
    for low in [0, -1000, Int64.min, Int64.max - span] {
      let column = EncodedColumn(.int, [.int(low), .int(low + span), .int(low + span / 2)])
      #expect(column.differences == [])
      try #require(column.read { $0.width } == width)
    }
  }

  @Test func theWholeRangeOfIntegersFits() {
    let column = EncodedColumn(.int, [.int(.min), .int(.max), .null, .int(0)])
    #expect(column.differences == [])
    #expect(column.read { $0.width } == 8)
  }

  @Test(arguments: [(1, 0), (2, 1), (255, 1), (256, 1), (257, 2), (1024, 2)])
  func dictionaries(entries: Int, width: Int) {
    let column = EncodedColumn(.string, (0..<4096).map { .string("entry \($0 % entries)") })
    #expect(column.differences.prefix(3) == [])
    // A dictionary grows only while texts repeat, so the new ones of 1024 entries have to come
    // late.
    let isDictionary = entries <= 64
    if isDictionary { #expect(column.read { $0.encoding } == .dictionary) }
    if isDictionary { #expect(column.read { $0.dictionaryCount } == entries) }
    if isDictionary { #expect(column.read { $0.width } == width) }
  }

  @Test(arguments: [(64, 1), (255, 1), (256, 1), (257, 2), (1024, 2)])
  func dictionariesThatGrowSlowly(entries: Int, width: Int) {
    let column = EncodedColumn(
      .string, (0..<4096).map { .string("entry \(min($0 / 4, entries - 1))") })
    #expect(column.differences.prefix(3) == [])
    #expect(column.read { $0.encoding } == .dictionary)
    #expect(column.read { $0.dictionaryCount } == entries)
    #expect(column.read { $0.width } == width)
  }

  @Test func tooManyDifferentTextsPreventADictionary() {
    let column = EncodedColumn(.string, (0..<4096).map { .string("entry \($0 / 3)") })
    #expect(column.differences.prefix(3) == [])
    #expect(column.read { $0.encoding } == .bytes)
  }

  @Test(arguments: [(15, 2), (16, 4), (100, 4)])
  func heapsBeyond64KiBUseWideOffsets(length: Int, width: Int) {
    let values = (0..<4096).map { row -> Value in
      .data((0..<length).map { UInt8(truncatingIfNeeded: row >> ($0 % 3 * 4)) })
    }
    let column = EncodedColumn(.data, values)
    #expect(column.differences.prefix(3) == [])
    #expect(column.read { $0.encoding } == .bytes)
    #expect(column.read { $0.width } == width)
  }

  @Test func oneHugeTextIsReadBack() {
    let column = EncodedColumn(
      .string, [.string(String(repeating: "é", count: 1_000_000)), .null, .string("")])
    #expect(column.differences == [])
  }
}
