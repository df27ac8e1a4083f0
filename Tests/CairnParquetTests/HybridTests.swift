import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct HybridTests {
  /// Runs with random values, and the values.
  static func runs(bitWidth: Int, seed: UInt64) -> (bytes: [UInt8], values: [UInt32]) {
    var random = SeededGenerator(seed: seed)
    var (bytes, values): ([UInt8], [UInt32]) = ([], [])
    let greatest = bitWidth == 32 ? UInt32.max : 1 << UInt32(bitWidth) - 1
    for _ in 0..<20 {
      if Bool.random(using: &random) {
        let count = Int.random(in: 1...200, using: &random)
        let value = UInt32.random(in: 0...greatest, using: &random)
        bytes += varint(count << 1)
        for byte in 0..<(bitWidth + 7) / 8 { bytes.append(UInt8(value >> UInt32(8 * byte) & 255)) }
        values += [UInt32](repeating: value, count: count)
      } else {
        let groups = Int.random(in: 1...12, using: &random)
        let run = (0..<groups * 8).map { _ in UInt32.random(in: 0...greatest, using: &random) }
        bytes += varint(groups << 1 | 1) + packed(run, bitWidth)
        values += run
      }
    }
    return (bytes, values)
  }

  static func varint(_ number: Int) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 127 | 128)] + varint(number >> 7)
  }

  /// The bits of the values, one by one from the least significant on.
  static func packed(_ values: [UInt32], _ bitWidth: Int) -> [UInt8] {
    let bits = values.flatMap { value in
      (0..<bitWidth).map { UInt8(value >> UInt32($0) & 1) }
    }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start...].prefix(8).reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
    }
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, bitWidth: Int, parts: [Int]
  ) throws -> [UInt32] {
    var decoder = try HybridDecoder(bytes, bitWidth: bitWidth)
    return try parts.flatMap { part in
      try filled(part, .max) { try decoder.read(part, into: $0) }
    }
  }

  static func decodeBytes(
    _ bytes: UnsafeRawBufferPointer, bitWidth: Int, parts: [Int]
  ) throws -> [UInt8] {
    var decoder = try HybridDecoder(bytes, bitWidth: bitWidth)
    return try parts.flatMap { part in
      try filled(part, .max) { try decoder.readBytes(part, into: $0) }
    }
  }

  /// Numbers whose sum is `total`.
  static func parts(_ total: Int, seed: UInt64) -> [Int] {
    var random = SeededGenerator(seed: seed)
    var (parts, left) = ([Int](), total)
    while left > 0 {
      let part = min(left, .random(in: 0...90, using: &random))
      parts.append(part)
      left -= part
    }
    return parts
  }

  @Test(arguments: 0...32)
  func randomRuns(bitWidth: Int) throws {
    let (bytes, values) = Self.runs(bitWidth: bitWidth, seed: UInt64(bitWidth))
    let parts = Self.parts(values.count, seed: UInt64(bitWidth))
    try withExactCopy(bytes) { (bytes) throws in
      #expect(try Self.decode(bytes, bitWidth: bitWidth, parts: [values.count]) == values)
      #expect(try Self.decode(bytes, bitWidth: bitWidth, parts: parts) == values)
      #expect(throws: ParquetError.self) {
        try Self.decode(bytes, bitWidth: bitWidth, parts: [values.count + 1])
      }
      if bitWidth <= 8 {
        let levels = values.map { UInt8($0) }
        #expect(
          try Self.decodeBytes(bytes, bitWidth: bitWidth, parts: [values.count]) == levels)
        #expect(try Self.decodeBytes(bytes, bitWidth: bitWidth, parts: parts) == levels)
      }
    }
    attack(bytes, seed: 7) {
      _ = try Self.decode($0, bitWidth: bitWidth, parts: parts)
      if bitWidth <= 8 { _ = try Self.decodeBytes($0, bitWidth: bitWidth, parts: parts) }
    }
  }

  @Test func indexesOfPyarrow() throws {
    let page = EncodingFixtures.indexes
    try withExactCopy(Array(page.dropFirst())) { (bytes) throws in
      #expect(
        try Self.decode(bytes, bitWidth: Int(page[0]), parts: [300]) == EncodingFixtures.dictionary)
    }
  }

  /// Some writers leave out the bytes behind the last value.
  @Test func shortLastGroup() throws {
    let bytes = Self.varint(1 << 1 | 1) + Self.packed([1, 2, 3], 9)
    try withExactCopy(bytes) { (bytes) throws in
      #expect(try Self.decode(bytes, bitWidth: 9, parts: [3]) == [1, 2, 3])
      #expect(throws: ParquetError.self) { try Self.decode(bytes, bitWidth: 9, parts: [4]) }
    }
  }

  @Test func impossibleWidths() {
    #expect(throws: ParquetError.self) {
      _ = try HybridDecoder(.init(start: nil, count: 0), bitWidth: 33)
    }
    #expect(throws: ParquetError.self) {
      _ = try HybridDecoder(.init(start: nil, count: 0), bitWidth: -1)
    }
  }
}
